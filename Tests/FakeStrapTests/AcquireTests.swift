import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Acquired notifications", .timeLimit(.minutes(5)))
struct AcquireTests {
    private static let device = "dev_C4_00_00_00_00_01"

    /// A play with a link, and a program that has acquired its values.
    private struct Scene {
        let theatre: Theatre
        let client: Client
        let owner: DescriptorClient
        let descriptor: Descriptor
    }

    private static func scene(_ strap: Strap = .heart) async throws -> Scene {
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.reach()
        let owner = try DescriptorClient(theatre.bus.socketAddress)
        guard case .acquired(let descriptor, let mtu) = try owner.acquire(Name.measurement) else {
            throw ScenarioError("The values were not to be had.")
        }
        #expect(mtu == strap.mtu)
        await client.hear("changed char000b NotifyAcquired=true")
        return Scene(theatre: theatre, client: client, owner: owner, descriptor: descriptor)
    }

    @Test("come as packets, also equal and empty ones, and not as signals")
    func packets() async throws {
        let scene = try await Self.scene()
        let values: [[UInt8]] = [[0, 60], [0, 60], [], [0x16, 61, 0, 4]]
        for value in values { try await scene.theatre.notify(value) }
        #expect(values.map { _ in scene.descriptor.packet() } == values)
        #expect(scene.descriptor.packet() == nil)
        #expect(!scene.client.lines.contains { $0.hasPrefix("changed char000b Value") })
        #expect(scene.theatre.reports.elements.allSatisfy { $0.hasSuffix(" 1") })
        try await scene.theatre.close()
    }

    @Test("are for one: others are refused, and can end it")
    func refusals() async throws {
        let scene = try await Self.scene()
        #expect(
            try await scene.client.refusal(Name.measurement, Name.characteristic1, "StartNotify")
                == "org.bluez.Error.NotPermitted: Notify acquired")
        let other = try DescriptorClient(scene.theatre.bus.socketAddress)
        guard case .refused(let text) = try other.acquire(Name.measurement) else {
            Issue.record("Two programs have acquired the same values.")
            return
        }
        #expect(text == "org.bluez.Error.NotPermitted: Notify acquired")
        #expect(try other.refusal(Name.measurement, "StopNotify") == "")
        await scene.client.hear("changed char000b NotifyAcquired=false")
        #expect(scene.descriptor.isHungUp)
        // The link is still there.
        try await scene.client.subscribe()
        guard case .refused(let reason) = try other.acquire(Name.measurement) else {
            Issue.record("Values were acquired although somebody is subscribed.")
            return
        }
        #expect(reason == "org.bluez.Error.InProgress: Operation already in progress")
        try await scene.theatre.close()
    }

    @Test("hang up when the link is lost, and have to be acquired again")
    func loss() async throws {
        let scene = try await Self.scene()
        try await scene.theatre.notify([0, 60])
        try await scene.theatre.act(.drop(strap: 0))
        #expect(
            await scene.client.hear("changed char000b NotifyAcquired=false") == [
                "changed \(Self.device) ServicesResolved=false Connected=false"
            ])
        #expect(scene.descriptor.packet() == [0, 60])
        #expect(scene.descriptor.isHungUp)
        #expect(scene.descriptor.packet() == nil)
        guard case .refused(let text) = try scene.owner.acquire(Name.measurement) else {
            Issue.record("Values were acquired without a link.")
            return
        }
        #expect(text == "org.bluez.Error.Failed: Not connected")
        try await scene.theatre.act(.advertise(strap: 0, true))
        try await scene.client.connect()
        try await scene.theatre.notify([0, 61])
        #expect(scene.theatre.reports.elements.last == "sent 2a37 003d 0")
        guard case .acquired(let descriptor, _) = try scene.owner.acquire(Name.measurement) else {
            Issue.record("The values were not to be had again.")
            return
        }
        try await scene.theatre.notify([0, 62])
        #expect(descriptor.packet() == [0, 62])
        try await scene.theatre.close()
    }

    @Test("that nobody reads are dropped without a word, and counted")
    func full() async throws {
        let scene = try await Self.scene()
        let values = (0..<2_000).map { [0, UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for value in values { try await scene.theatre.notify(value) }
        let kept = scene.theatre.reports.elements.filter { $0.hasSuffix(" 1") }.count
        #expect((1..<2_000).contains(kept))
        #expect(scene.theatre.reports.elements.count == 2_000)
        // The first ones are there, in order.
        #expect((0..<kept).map { _ in scene.descriptor.packet() } == Array(values.prefix(kept)))
        #expect(scene.descriptor.packet() == nil)
        // There is room again.
        try await scene.theatre.notify([0, 60])
        #expect(scene.descriptor.packet() == [0, 60])
        try await scene.theatre.close()
    }

    @Test("lose what comes before the socket is there")
    func early() async throws {
        var strap = Strap.heart
        strap.faults.earlyValues = [[0, 59]]
        let scene = try await Self.scene(strap)
        try await scene.theatre.notify([0, 60])
        #expect(scene.descriptor.packet() == [0, 60])
        #expect(scene.theatre.reports.elements == ["sent 2a37 003b 0", "sent 2a37 003c 1"])
        try await scene.theatre.close()
    }

    @Test("are free again when the program closes its end, or leaves")
    func left() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        do {
            let owner = try DescriptorClient(theatre.bus.socketAddress)
            // The descriptor is closed at once.
            guard case .acquired = try owner.acquire(Name.measurement) else {
                Issue.record("The values were not to be had.")
                return
            }
            guard case .acquired = try owner.acquire(Name.measurement) else {
                Issue.record("The values were not to be had again.")
                return
            }
        }
        await client.hear("changed char000b NotifyAcquired=true")
        await client.hear("changed char000b NotifyAcquired=false")
        try await client.subscribe()
        try await theatre.close()
    }
}
