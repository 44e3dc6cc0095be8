import BluetoothCentral
import Clocks
import Deciding
import Events
import Projections
import TestSupport
import Testing

@testable import Recording

/// What becomes of the central's reports, and which devices are paired unasked.
@Suite("The intake of the central's reports")
struct CentralIntakeTests {
    static let one = BluetoothAddress(0xC400_0000_0001)
    static let two = BluetoothAddress(0xC400_0000_0002)
    static let three = BluetoothAddress(0xC400_0000_0003)

    /// What hears the reports, and the inputs that come of them.
    final class Listener {
        private var intake: CentralIntake
        private(set) var all: [Input] = []

        init(named address: BluetoothAddress? = nil) {
            intake = CentralIntake(paired: [], named: address?.value)
        }

        /// One that misses a strap from the beginning.
        static func searching(leaving left: Set<BluetoothAddress> = []) -> Listener {
            let listener = Listener()
            listener.search(isMissing: true, leaving: left, at: 0)
            return listener
        }

        var choice: BluetoothAddress? { intake.search.choice }

        func search(
            isMissing: Bool, leaving left: Set<BluetoothAddress> = [], at now: UInt64
        ) {
            intake.search.note(isMissing: isMissing, leaving: left, at: now)
        }
        func passTime(at now: UInt64) { intake.search.passTime(at: now) }
        func shun(_ address: BluetoothAddress, at now: UInt64) {
            intake.search.shun(address, at: now)
        }
        func announcement(of device: DeviceID, _ roles: Roles = .heart) -> String? {
            intake.announcement(of: DevicePaired(device: device, roles: roles), primary: [.heart])
        }
        func take(_ report: CentralReport, _ arrival: Arrival) {
            all += intake.take(report, at: arrival)
        }

        /// The addresses that it asks to pair.
        var paired: [UInt64] {
            all.compactMap {
                guard case .pair(let device, _, _) = $0.command else { return nil }
                return device.address
            }
        }
    }

    private func see(
        _ address: BluetoothAddress, _ bridge: Listener, rssi: Int16? = -60,
        _ services: Set<BluetoothUUID> = [.heartRate], isStale: Bool = false,
        isLinked: Bool = false, at milliseconds: UInt64 = 1
    ) {
        let sighting = DeviceSighting(
            address: address, name: "Strap", rssi: rssi, services: services, isStale: isStale,
            isLinked: isLinked)
        tell(.deviceSeen(sighting), bridge, at: milliseconds)
    }

    private func tell(
        _ report: CentralReport, _ bridge: Listener, at milliseconds: UInt64 = 1
    ) {
        bridge.take(
            report, Arrival(bootMilliseconds: milliseconds, wallMilliseconds: 1_000_000))
    }

    @Test("pairs the strongest strap that is there, once it notifies, and no other")
    func strongest() {
        let bridge = Listener.searching()
        see(Self.three, bridge, rssi: nil, isStale: true)
        bridge.passTime(at: 100_000)
        #expect(bridge.choice == nil, "it is only remembered")
        see(Self.one, bridge, rssi: -80, at: 100_000)
        bridge.passTime(at: 104_999)
        see(Self.two, bridge, rssi: -50, at: 104_999)
        #expect(bridge.choice == nil, "it still listens")
        bridge.passTime(at: 105_000)
        #expect(bridge.choice == Self.two)
        #expect(bridge.paired.isEmpty)
        tell(.subscribed(Self.two, .heartRateMeasurement), bridge)
        #expect(bridge.paired == [Self.two.value])
        #expect(bridge.announcement(of: DeviceID(address: 1, space: .random)) == nil)
        // It may take long to be durable.
        bridge.passTime(at: 120_000)
        let device = DeviceID(address: Self.two.value, space: .random)
        #expect(
            bridge.announcement(of: device)
                == "Paired Strap; it is primary. Also in range: Strap (C4:00:00:00:00:01). "
                + "Not yours? `pulselog devices forget C4:00:00:00:00:02`, and name yours: "
                + "`pulselog record --device ADDRESS`.")
        #expect(bridge.announcement(of: device, .watch) == nil, "that is another pairing")
        bridge.search(isMissing: false, at: 106_000)
        see(Self.one, bridge, rssi: -40)
        bridge.passTime(at: 200_000)
        #expect(bridge.choice == nil)
        #expect(bridge.paired == [Self.two.value])
    }

    @Test("records how strong the strap was that it chose, though BlueZ has forgotten it by then")
    func strengthOfTheChosen() {
        let bridge = Listener.searching()
        see(Self.one, bridge, rssi: -80)
        see(Self.two, bridge, rssi: -50)
        bridge.passTime(at: 5_001)
        let linked = DeviceSighting(
            address: Self.two, name: "Strap", services: [.heartRate], isStale: true, isLinked: true)
        tell(.linkUp(linked), bridge, at: 6_000)
        let seen = bridge.all.compactMap { input -> DeviceSeen? in
            guard case .record(.deviceSeen(let seen)) = input.command else { return nil }
            return seen
        }
        #expect(seen.map(\.device.address) == [Self.two.value])
        #expect(seen.map(\.rssi) == [-50])
    }

    @Test("leaves a device alone that is not to tell heart rate, until it is paired for it again")
    func declined() throws {
        var story = Story()
        let device = DeviceID(address: Self.two.value, space: .random)
        for roles: Roles in [[.heart, .watch], .watch] {
            try story.add(.devicePaired(DevicePaired(device: device, roles: roles)))
        }
        func choice() -> BluetoothAddress? {
            let bridge = Listener.searching(leaving: story.state.own.leftAlone(at: story.moment))
            see(Self.two, bridge, rssi: -40)
            see(Self.one, bridge, rssi: -80)
            bridge.passTime(at: 5_001)
            return bridge.choice
        }
        #expect(choice() == Self.one)
        try story.add(.devicePaired(DevicePaired(device: device, roles: [.heart, .watch])))
        #expect(choice() == Self.two)
    }

    @Test("leaves a strap alone for a day after it was forgotten, unless it is paired again")
    func forgottenForADay() throws {
        var story = Story()
        let device = DeviceID(address: Self.two.value, space: .random)
        try story.add(.devicePaired(DevicePaired(device: device, roles: .heart)))
        #expect(story.state.own.leftAlone(at: story.moment) == [])
        try story.add(.deviceForgotten(DeviceForgotten(device: device)))
        let forgotten = story.now
        let day = StrapSearch.forgottenMilliseconds
        for (age, isLeft) in [(0, true), (day - 1, true), (day, false)] {
            story.now = forgotten + age
            let left = story.state.own.leftAlone(at: story.moment)
            #expect(left.contains(Self.two) == isLeft, "also where nothing was recorded since")
        }
        try story.add(.deviceForgotten(DeviceForgotten(device: device)))
        #expect(story.state.own.leftAlone(at: story.moment) == [Self.two])
        try story.add(.devicePaired(DevicePaired(device: device, roles: .heart)))
        #expect(story.state.own.leftAlone(at: story.moment) == [])
    }

    @Test("finds a strap that is linked already, and so is silent")
    func linked() {
        let bridge = Listener.searching()
        see(Self.one, bridge, rssi: nil, isStale: true, isLinked: true)
        see(Self.two, bridge, rssi: -30)
        bridge.passTime(at: 5_001)
        #expect(bridge.choice == Self.one)
    }

    @Test("tries another strap when one does not answer, and the first one again if there is none")
    func another() {
        let bridge = Listener.searching()
        var now: UInt64 = 1_000
        for (heard, chosen) in [
            ([Self.one, Self.two], Self.one), ([Self.one, Self.two], Self.two),
            ([Self.one], Self.one), ([Self.two, Self.one], Self.one),
        ] {
            for strap in heard { see(strap, bridge, rssi: strap == Self.one ? -40 : -70, at: now) }
            now += 5_000
            bridge.passTime(at: now)
            #expect(bridge.choice == chosen)
            now += 45_000
            bridge.passTime(at: now)
            #expect(bridge.choice == nil)
        }
    }

    @Test("pairs no strap for what the one before it says too late")
    func late() {
        let bridge = Listener.searching()
        see(Self.one, bridge, at: 1_000)
        bridge.passTime(at: 6_000)
        #expect(bridge.choice == Self.one)
        bridge.passTime(at: 51_000)
        see(Self.one, bridge, at: 51_000)
        see(Self.two, bridge, at: 51_000)
        bridge.passTime(at: 56_000)
        #expect(bridge.choice == Self.two)
        tell(.subscribed(Self.one, .heartRateMeasurement), bridge, at: 57_000)
        tell(.valueNotified(Self.one, .heartRateMeasurement, [0, 60]), bridge, at: 57_000)
        #expect(bridge.paired.isEmpty)
        #expect(bridge.choice == Self.two)
        tell(.subscribed(Self.two, .heartRateMeasurement), bridge, at: 58_000)
        #expect(bridge.paired == [Self.two.value])
    }

    @Test("gives no strap up for what another device refuses")
    func refusalOfAnother() {
        let bridge = Listener.searching()
        see(Self.one, bridge, at: 1_000)
        bridge.passTime(at: 6_000)
        let refusal = CallFailure(name: "org.bluez.Error.AuthenticationFailed", message: "")
        tell(
            .connectFailed(Self.three, refusal, nextAttemptMilliseconds: 250), bridge, at: 7_000)
        let failed = CentralReport.subscribeFailed(
            Self.three, .heartRateMeasurement, refusal, nextAttemptMilliseconds: 250)
        tell(failed, bridge, at: 8_000)
        #expect(bridge.choice == Self.one)
        tell(.subscribed(Self.one, .heartRateMeasurement), bridge, at: 9_000)
        #expect(bridge.paired == [Self.one.value])
    }

    @Test("does not pair a strap again that was forgotten, though it advertises")
    func forgotten() {
        let bridge = Listener()
        bridge.search(isMissing: false, at: 0)
        bridge.shun(Self.one, at: 1_000)
        bridge.search(isMissing: true, at: 1_000)
        see(Self.one, bridge, at: 1_000)
        bridge.passTime(at: 60_000)
        #expect(bridge.choice == nil)
        see(Self.two, bridge, rssi: -90, at: 60_000)
        see(Self.one, bridge, at: 60_000)
        bridge.passTime(at: 65_000)
        #expect(bridge.choice == Self.two)
        // It is forgotten while it is tried.
        bridge.shun(Self.two, at: 65_000)
        #expect(bridge.choice == nil)
        tell(.subscribed(Self.two, .heartRateMeasurement), bridge)
        #expect(bridge.paired.isEmpty)
    }

    @Test("looks again when Bluetooth was off meanwhile")
    func poweredOff() {
        let bridge = Listener.searching()
        see(Self.one, bridge)
        tell(.adapterStateChanged(AdapterChange(.poweredOff, .switched)), bridge, at: 1_000)
        bridge.passTime(at: 60_000)
        #expect(bridge.choice == nil)
        tell(.adapterStateChanged(AdapterChange(.poweredOn, .switched)), bridge, at: 60_000)
        see(Self.one, bridge, at: 61_000)
        bridge.passTime(at: 66_000)
        #expect(bridge.choice == Self.one)
    }

    @Test("pairs the device that was named, once it is linked and shows what it can do")
    func named() {
        let bridge = Listener(named: Self.two)
        see(Self.two, bridge)
        #expect(bridge.paired.isEmpty, "it is only seen")
        tell(.linkUp(sighting(Self.one)), bridge)
        tell(.linkUp(DeviceSighting(address: Self.two)), bridge)
        #expect(bridge.paired.isEmpty, "it has not shown what it can do")
        for _ in 0..<2 { tell(.linkUp(sighting(Self.two)), bridge) }
        #expect(bridge.paired == [Self.two.value])
    }

    @Test("stamps a loss with the time at which it happened, not at which it was explained")
    func lossTime() throws {
        let bridge = Listener()
        tell(.linkLost(Self.one, LinkLoss(agoMilliseconds: 1_000)), bridge, at: 50_000)
        let arrival = try #require(bridge.all.last).arrival
        #expect(arrival.bootMilliseconds == 49_000)
        #expect(arrival.wallMilliseconds == 999_000)
    }

    /// The events that are recorded of reports.
    private func recorded(_ reports: [CentralReport]) -> [Event] {
        let bridge = Listener()
        for report in reports { tell(report, bridge) }
        return bridge.all.compactMap {
            if case .record(let event) = $0.command { event } else { nil }
        }
    }

    private func sighting(
        _ address: BluetoothAddress, _ type: AddressType = .random, name: String? = nil
    ) -> DeviceSighting {
        DeviceSighting(
            address: address, addressType: type, name: name, rssi: -60, services: [.heartRate])
    }

    @Test("records what a device tells of itself when a link stands, if that is news")
    func sightings() throws {
        let names = ["A", "A", "B", nil, "B"]
        let events = recorded(names.map { .linkUp(sighting(Self.one, name: $0)) })
        let told: [String?] = events.compactMap {
            if case .deviceSeen(let seen) = $0 { .some(seen.name) } else { nil }
        }
        #expect(told == ["A", "B", nil, "B"])
        #expect(events.count == names.count + told.count)
        guard case .deviceSeen(let seen) = events.first, case .linkUp = events[1] else {
            throw ProgramError("it is told before the link")
        }
        #expect(
            seen
                == DeviceSeen(
                    device: DeviceID(address: Self.one.value, space: .random), name: "A",
                    rssi: -60, roles: .heart))
    }

    @Test("records nothing of who is merely seen, and knows how each chose its address")
    func publicAddress() throws {
        // Each of many is seen twice, and calls itself otherwise.
        let crowd = (0..<3_000).map { number in
            CentralReport.deviceSeen(
                sighting(BluetoothAddress(0xC500_0000_0000 + number / 2), name: "\(number % 2)"))
        }
        #expect(recorded(crowd).isEmpty)
        let failure = CallFailure(name: "org.bluez.Error.Failed", message: "")
        let events = recorded(
            crowd + [
                .connecting(sighting(Self.one, .public), attempt: 1),
                .connectFailed(Self.one, failure, nextAttemptMilliseconds: 250),
            ])
        let failures = events.compactMap { if case .connectFailed(let it) = $0 { it } else { nil } }
        #expect(failures.map(\.device) == [DeviceID(address: Self.one.value, space: .public)])
    }
}
