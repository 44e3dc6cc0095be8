import DBus
import Events
import TestSupport
import Testing

@testable import BlueZ
@testable import BluetoothCentral
@testable import DaemonModel
@testable import FakeStrap

@Suite("Central", .timeLimit(.minutes(5)))
struct CentralTests {
    private let strap = BluetoothAddress(0xC4_00_00_00_00_01)
    private let daemonGone = CentralReport.adapterStateChanged(
        AdapterChange(.resetting, .daemonGone))
    private let wanted = CentralDesire(
        devices: [WantedDevice(address: BluetoothAddress(0xC4_00_00_00_00_01))])

    private func isLinkUp(_ report: CentralReport) -> Bool {
        if case .linkUp = report { true } else { false }
    }

    /// Plays bluetoothd with a strap that sends a value before it has answered a subscription, to a
    /// central that wants it.
    private func playing(
        isEncrypted: Bool = false,
        _ body: (PrivateBus, Playback, Heard<CentralReport>) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let heart = try #require(GattService.named("hr"))
        var strap = Strap(
            id: "strap", name: "Strap", address: strap.description, services: [heart])
        strap.faults.earlyValues = [[0, 60]]
        strap.isEncrypted = isEncrypted
        let playback = try await Playback(Scenario(straps: [strap]), on: bus.address) { _ in }
        try await withCentral(bus.address) { central, reports in
            central.want(wanted)
            try await body(bus, playback, reports)
        }
        await playback.close()
    }

    private func notify(_ value: UInt8...) -> Scenario.Action {
        .notify(strap: 0, .heartRateMeasurement, value)
    }

    private func notified(_ value: UInt8...) -> CentralReport {
        .valueNotified(strap, .heartRateMeasurement, value)
    }

    /// Runs a central for as long as the body does, then lets it leave.
    private func withCentral(
        _ address: Bus.Address, _ body: (Central, Heard<CentralReport>) async throws -> Void
    ) async throws {
        let reports = Heard<CentralReport>()
        let central = Central(address: address) { report, _ in reports.append(report) }
        let running = Task { await central.run() }
        try await body(central, reports)
        running.cancel()
        await running.value
    }

    @Test("finds, connects, pairs, subscribes, passes values on, and leaves")
    func wholeLife() async throws {
        let location = CentralReport.valueRead(strap, .bodySensorLocation, [1])
        try await playing(isEncrypted: true) { _, playback, reports in
            await reports.wait { $0.contains(location) }
            try await playback.act(notify(0, 61))
            try await playback.act(notify(0, 61))
            let value = notified(0, 61)
            let heard = await reports.wait { $0.last == value && $0.dropLast().last == value }
            let subscribed = CentralReport.subscribed(strap, .heartRateMeasurement)
            let news = heard.drop { !isLinkUp($0) }.filter {
                if case .servicesFound = $0 { false } else { !isLinkUp($0) }
            }
            #expect(news == [notified(0, 60), subscribed, location, value, value])
        }
    }

    @Test("does not believe signals of others, whether broadcast or sent to it alone")
    func spoofed() async throws {
        try await playing { _, playback, reports in
            let strap = strap
            await reports.wait { $0.contains(.subscribed(strap, .heartRateMeasurement)) }
            for isDirect in [false, true] {
                let claim = Scenario.Spoof.Claim.value(.heartRateMeasurement, [0, 99])
                let spoof = Scenario.Spoof(claim: claim, isDirect: isDirect)
                try await playback.act(.spoof(strap: 0, spoof))
            }
            try await playback.flush()
            try await playback.act(notify(0, 61))
            let value = notified(0, 61)
            let heard = await reports.wait { $0.contains(value) }
            #expect(heard.contains(.intakeFinding(.spoofedSignal, count: 1)))
            #expect(!heard.contains(notified(0, 99)))
        }
    }

    @Test("agrees to nothing that another program asks")
    func stranger() async throws {
        try await playing { bus, _, reports in
            let stranger = try await Bus(bus.address)
            await reports.wait { $0.contains(where: isLinkUp) }
            let names = try await stranger.call(.bus("ListNames")).first?.asStrings ?? []
            for name in names where name.hasPrefix(":") && name != stranger.uniqueName {
                var call = Self.question("RequestAuthorization", Self.device)
                call.destination = name
                await #expect(throws: DBusError.self) { try await stranger.call(call) }
            }
        }
    }

    private static let device = "/org/bluez/hci0/dev_C4_00_00_00_00_01"

    private static func question(
        _ member: String, _ device: String, _ more: Value...
    ) -> MethodCall {
        MethodCall(
            destination: "", path: PairingAgent.path, interface: "org.bluez.Agent1",
            member: member, arguments: [.objectPath(device)] + more)
    }

    private static func service(_ text: String, _ device: String = device) -> MethodCall {
        question("AuthorizeService", device, .string(text))
    }

    /// What bluetoothd asks; whether that is agreed to.
    static let questions: [(call: MethodCall, isAgreed: Bool)] = [
        (question("RequestAuthorization", device), true),
        (question("RequestAuthorization", "/other"), false),
        (question("RequestConfirmation", device, .uint32(123_456)), false),
        (question("RequestPinCode", device), false),
        (service(BluetoothUUID.heartRate.text), true),
        (service(BluetoothUUID.heartRate.text, "/other"), false),
        (service(BluetoothUUID(0x1124).text), false), (service("heart rate"), false),
    ]

    @Test("agrees to pair with a wanted device, and to nothing else", arguments: questions)
    func agent(_ row: (call: MethodCall, isAgreed: Bool)) {
        let reply = PairingAgent.answer(row.call) { $0 == Self.device }
        guard !row.isAgreed else { return #expect(reply == .values([])) }
        if case .refusal(let name, _) = reply {
            #expect(name == "org.bluez.Error.Rejected")
        } else {
            Issue.record("\(row.call) is answered \(reply)")
        }
    }

    @Test("survives bluetoothd, and takes up with its successor")
    func successor() async throws {
        try await playing { _, playback, reports in
            let (strap, daemonGone) = (strap, daemonGone)
            await reports.wait { $0.contains(.subscribed(strap, .heartRateMeasurement)) }
            try await playback.act(.daemon(isRunning: false))
            await reports.wait { $0.last == daemonGone }
            try await playback.act(.daemon(isRunning: true))
            let subscribed = CentralReport.subscribed(strap, .heartRateMeasurement)
            await reports.wait { $0.filter { $0 == subscribed }.count == 2 }
            try await playback.act(notify(0, 62))
            let value = notified(0, 62)
            await reports.wait { $0.contains(value) }
        }
    }

    @Test("says that the bus is gone, and stops when told")
    func busGone() async throws {
        try await playing { bus, _, reports in
            await reports.wait { $0.contains(where: isLinkUp) }
            bus.kill()
            let heard = await reports.wait { reports in
                if case .busUnavailable(_, nextAttemptMilliseconds: 1_000) = reports.last {
                    true
                } else {
                    false
                }
            }
            #expect(heard.contains(.linkLost(strap, LinkLoss(.daemonLost))))
            #expect(heard.contains(.adapterStateChanged(AdapterChange(.resetting, .busClosed))))
        }
    }

    @Test("without a bus it goes on trying until it is told to stop")
    func noBus() async throws {
        try await withCentral(.address("unix:path=/nonexistent/bus")) { _, reports in
            let heard = await reports.wait { $0.count >= 2 }
            #expect(heard.first == .adapterStateChanged(AdapterChange(.resetting, .busClosed)))
        }
    }
}
