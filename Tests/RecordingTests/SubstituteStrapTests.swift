import BluetoothCentral
import Deciding
import Events
import Projections
import TestSupport
import Testing

@testable import Recording

/// A strap is away, and another one could be used.
@Suite("A strap that could be used instead")
struct SubstituteStrapTests {
    private typealias Walk = RecordingLifeTests.Walk

    private static let one = Walk.strap
    private static let two = BluetoothAddress(0xC400_0000_0002)
    private static let three = BluetoothAddress(0xC400_0000_0003)

    private static func seen(
        _ address: BluetoothAddress, _ name: String?, _ services: Set<BluetoothUUID> = [.heartRate]
    ) -> DeviceSighting {
        DeviceSighting(
            address: address, addressType: .random, name: name, rssi: -50, services: services)
    }

    private static func id(_ address: BluetoothAddress) -> DeviceID {
        DeviceID(address: address.value, space: .random)
    }

    /// What is in range, and what is chosen; `one` is paired as Strap, `two` as Spare if `isSpare`.
    struct Case: Sendable {
        let range: [DeviceSighting]
        var isSpare = false
        var left: Set<BluetoothAddress> = []
        let chosen: (BluetoothAddress, SubstituteStrap.Kind)?
    }

    static let cases = [
        Case(range: [], chosen: nil),
        Case(range: [seen(one, "Strap")], chosen: nil),
        Case(range: [seen(two, "Other")], chosen: nil),
        Case(range: [seen(two, nil)], chosen: nil),
        Case(range: [seen(two, "Strap")], chosen: (two, .namesake)),
        Case(range: [seen(two, "Strap", [.runningSpeedAndCadence])], chosen: nil),
        Case(range: [seen(two, "Strap")], left: [two], chosen: nil),
        Case(range: [seen(two, "Spare")], isSpare: true, chosen: (two, .paired)),
        Case(
            range: [seen(three, "Strap"), seen(two, "Spare")], isSpare: true,
            chosen: (two, .paired)),
        Case(range: [seen(three, "Strap")], isSpare: true, chosen: (three, .namesake)),
    ]

    @Test("is another paired one, else one of the same name", arguments: cases)
    func choice(_ expected: Case) throws {
        var story = Story()
        for (address, name) in [(Self.one, "Strap"), (Self.two, "Spare")] {
            guard address == Self.one || expected.isSpare else { continue }
            let paired = DevicePaired(device: Self.id(address), name: name, roles: .heart)
            try story.add(.devicePaired(paired))
        }
        let chosen = SubstituteStrap.choice(
            for: Self.seen(Self.one, "Strap"), paired: story.state.own.devices.paired,
            leaving: expected.left, among: expected.range)
        #expect(chosen?.address == expected.chosen?.0)
        #expect(chosen?.kind == expected.chosen?.1)
    }

    @Test("is a forgotten one only where none is paired and no other is in range")
    func forgotten() {
        let range = [Self.seen(Self.two, "Other"), Self.seen(Self.one, "Strap")]
        for (range, chosen) in [(range, nil), (Array(range.suffix(1)), Self.one)] {
            let choice = SubstituteStrap.choice(
                for: nil, paired: [], leaving: [Self.one], among: range)
            #expect(choice?.address == chosen)
        }
    }

    /// A walk with a strap that was linked and is away, and perhaps a second one that is paired.
    private func walk(_ plan: SessionPlan = SessionPlan(), isSpare: Bool) async throws -> Walk {
        var walk = Walk(plan)
        let straps = [(Self.one, "Strap")] + (isSpare ? [(Self.two, "Spare")] : [])
        for (address, name) in straps {
            _ = try await walk.appender.record([
                Input(.pair(Self.id(address), name: name, roles: .heart), at: walk.now)
            ])
        }
        try await walk.begin()
        try await walk.happens(.reported(.linkUp(Self.seen(Self.one, "Strap"))))
        try await walk.pass(30)
        #expect(walk.wish.central.scanning == nil, "nobody is listened for while it is there")
        try await walk.loseLink()
        return walk
    }

    /// Lets the walk begin to listen, and hear a strap until it is offered.
    private func listen(
        _ walk: inout Walk, to strap: BluetoothAddress, _ name: String, seconds: UInt64 = 6
    ) async throws {
        try await walk.pass(15)
        try await walk.happens(.reported(.deviceSeen(Self.seen(strap, name))))
        try await walk.pass(seconds)
    }

    @Test("is named after 20 s, used when that is asked for, and no longer offered then")
    func paired() async throws {
        var walk = try await walk(isSpare: true)
        try await walk.pass(9)
        #expect(walk.wish.central.scanning == nil, "the link may be back in a moment")
        try await walk.pass(2)
        #expect(walk.wish.central.scanning == .services([.heartRate]))
        try await walk.happens(.reported(.deviceSeen(Self.seen(Self.two, "Spare"))))
        try await walk.pass(8)
        #expect(walk.life.substitutes.offer == nil, "too early")
        try await walk.pass(1)
        let sentence =
            "Strap is away, and Spare is in range. Use it: "
            + "`pulselog devices primary C4:00:00:00:00:02`."
        #expect(walk.said.last == sentence)
        #expect(Scene(walk.life).substitute?.address == Self.two)
        try await walk.pass(10)
        #expect(walk.wish.central.scanning == nil, "it does not listen all the time")
        try await walk.happens(.asked(.useSubstitute(Self.two)))
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.two))
        #expect(walk.wish.central.devices.map(\.address) == [Self.two])
        #expect(Scene(walk.life).substitute == nil && !walk.said.contains(sentence))
        try await walk.happens(.asked(.useSubstitute(Self.two)))
        #expect(walk.said.last == "That strap is no longer offered.")
    }

    @Test("stays the one that was offered while it is in range, and no other is used by its key")
    func steady() async throws {
        var walk = try await walk(isSpare: true)
        try await walk.happens(
            .asked(.command(.pair(Self.id(Self.three), name: "Third", roles: .heart))))
        try await walk.pass(20)
        for (two, three) in [(-50, -60), (-70, -40)] as [(Int16, Int16)] {
            for (address, rssi) in [(Self.two, two), (Self.three, three)] {
                let seen = DeviceSighting(
                    address: address, addressType: .random, name: "Spare", rssi: rssi,
                    services: [.heartRate])
                try await walk.happens(.reported(.deviceSeen(seen)))
            }
            try await walk.pass(1)
            #expect(Scene(walk.life).substitute?.address == Self.two)
        }
        try await walk.happens(.asked(.useSubstitute(Self.three)))
        #expect(walk.said.last == "That strap is no longer offered.")
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.one))
    }

    @Test("that is primary already is used by its key where another one was named")
    func namedAway() async throws {
        var walk = try await walk(
            SessionPlan(source: .central(strap: Self.two.value)), isSpare: true)
        try await listen(&walk, to: Self.one, "Strap")
        #expect(walk.said.last?.hasSuffix("`pulselog record` without --device uses it.") == true)
        try await walk.happens(.asked(.useSubstitute(Self.one)))
        #expect(walk.wish.central.devices.map(\.address) == [Self.one])
    }

    @Test("is used unasked where that was wanted, and said once")
    func unasked() async throws {
        var walk = try await walk(SessionPlan(takesSubstitute: true), isSpare: true)
        try await listen(&walk, to: Self.two, "Spare", seconds: 10)
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.two))
        #expect(walk.said.filter { $0.contains("It is used from now on") }.count == 1)
    }

    @Test("of the same name is paired first, and becomes primary")
    func namesake() async throws {
        var walk = try await walk(
            SessionPlan(source: .central(strap: Self.one.value)), isSpare: false)
        try await listen(&walk, to: Self.two, "Strap")
        #expect(walk.said.last?.contains("`pulselog devices pair C4:00:00:00:00:02`") == true)
        try await walk.happens(.asked(.useSubstitute(Self.two)))
        let seen = Self.seen(Self.two, "Strap")
        try await walk.happens(.reported(.deviceSeen(seen)))
        #expect(walk.wish.central.devices.map(\.address).contains(Self.two))
        for report in [
            .linkUp(seen), .servicesFound(seen), .subscribed(Self.two, .heartRateMeasurement),
        ] as [CentralReport] { try await walk.happens(.reported(report)) }
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.two))
        #expect(walk.wish.central.devices.map(\.address) == [Self.two])
    }

    @Test("that cannot be paired leaves all as it was, and the walker is told")
    func unpairable() async throws {
        var walk = try await walk(isSpare: false)
        try await listen(&walk, to: Self.two, "Strap")
        try await walk.happens(.asked(.useSubstitute(Self.two)))
        try await walk.pass(80)
        #expect(walk.said.contains { $0.hasPrefix("C4:00:00:00:00:02 was not seen in 30 s.") })
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.one))
        #expect(walk.wish.central.devices.map(\.address) == [Self.one])

        // Paired by now, it is used by its key all the same, and what failed is said once.
        try await walk.happens(
            .asked(.command(.pair(Self.id(Self.two), name: "Strap", roles: .heart))))
        try await walk.happens(.reported(.deviceSeen(Self.seen(Self.two, "Strap"))))
        try await walk.pass(1)
        try await walk.happens(.asked(.useSubstitute(Self.two)))
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.two))
        #expect(walk.said.filter { $0.contains("was not seen in 30 s") }.count == 1)
    }

    @Test("is not used if its pairing was called off, or another one was picked meanwhile")
    func superseded() async throws {
        for isCalledOff in [true, false] {
            var walk = try await walk(isSpare: false)
            try await listen(&walk, to: Self.two, "Strap")
            try await walk.happens(.asked(.useSubstitute(Self.two)))
            try await walk.happens(.asked(.pick(isCalledOff ? nil : Pick(Self.three, number: 1))))
            try await walk.happens(
                .asked(.command(.pair(Self.id(Self.two), name: "Strap", roles: .heart))))
            #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.one))
        }
    }

    @Test(
        "is chosen by another process as well, also where a strap was named and is away just now",
        arguments: [5, 12] as [UInt64])
    func elsewhere(seconds: UInt64) async throws {
        var walk = try await walk(
            SessionPlan(source: .central(strap: Self.one.value)), isSpare: true)
        try await walk.pass(seconds)
        try await walk.happens(.asked(.command(.makePrimary(Self.id(Self.two), .heart))))
        try await walk.pass(1)
        #expect(walk.wish.central.devices.map(\.address) == [Self.two])
        // What was named is looked for again without the other one.
        try await walk.happens(.asked(.command(.forget(Self.id(Self.two)))))
        #expect(walk.wish.central.devices.map(\.address) == [Self.one])
        try await walk.happens(.asked(.command(.forget(Self.id(Self.one)))))
        #expect(walk.wish.central.devices.isEmpty)
    }

    @Test("does not take the place of a named one because the primary one was forgotten")
    func successor() async throws {
        var walk = try await walk(
            SessionPlan(source: .central(strap: Self.three.value)), isSpare: true)
        try await walk.pass(12)
        try await walk.happens(.asked(.command(.forget(Self.id(Self.one)))))
        #expect(walk.life.state.own.devices.primaryHeart == Self.id(Self.two))
        try await walk.pass(15)
        #expect(walk.wish.central.devices.map(\.address) == [Self.three])
    }
}
