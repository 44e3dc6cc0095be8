import DBus
import Events
import TestSupport
import Testing

@testable import BluetoothCentral
@testable import BlueZ

@Suite("Central", .timeLimit(.minutes(5)))
struct CentralTests {
    private let strap = BluetoothAddress(0xC4_00_00_00_00_01)
    private let daemonGone = CentralReport.adapterStateChanged(
        AdapterChange(.resetting, .daemonGone))
    private let wanted = CentralDesire(
        devices: [WantedDevice(address: BluetoothAddress(0xC4_00_00_00_00_01))])

    private func sighting(isLinked: Bool = false) -> DeviceSighting {
        DeviceSighting(address: strap, name: "Strap", isStale: true, isLinked: isLinked)
    }

    private var linkUp: CentralReport { .linkUp(sighting(isLinked: true)) }

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

    @Test("finds, connects, subscribes, passes values on, and leaves")
    func wholeLife() async throws {
        let daemon = try PrivateBus()
        let bluez = try await TinyBluez(daemon.address)
        let all = Heard<CentralReport>()
        try await withCentral(daemon.address) { central, reports in
            central.want(wanted)
            let strap = strap
            await reports.wait { $0.contains(.valueRead(strap, .bodySensorLocation, [1])) }
            try await bluez.notify([0, 61])
            try await bluez.notify([0, 61])
            let heard = await reports.wait {
                $0.last == .valueNotified(strap, .heartRateMeasurement, [0, 61])
                    && $0.dropLast().last == $0.last
            }
            for report in heard { all.append(report) }
        }
        let expected: [CentralReport] = [
            .adapterStateChanged(AdapterChange(.poweredOn, .switched, adapter: "hci0")),
            .connecting(sighting(), attempt: 1),
            linkUp,
            .valueNotified(strap, .heartRateMeasurement, [0, 60]),
            .subscribed(strap, .heartRateMeasurement),
            .valueRead(strap, .bodySensorLocation, [1]),
            .valueNotified(strap, .heartRateMeasurement, [0, 61]),
            .valueNotified(strap, .heartRateMeasurement, [0, 61]),
        ]
        let heard = await all.wait { _ in true }
        #expect(heard.filter { $0 != daemonGone } == expected)
        await bluez.bus.close()
    }

    @Test("does not believe signals of others, whether broadcast or sent to it alone")
    func spoofed() async throws {
        let daemon = try PrivateBus()
        let bluez = try await TinyBluez(daemon.address)
        let stranger = try await Bus(daemon.address)
        try await withCentral(daemon.address) { central, reports in
            central.want(wanted)
            let strap = strap
            await reports.wait { $0.contains(.subscribed(strap, .heartRateMeasurement)) }
            let names = try await stranger.call(.bus("ListNames")).first?.asStrings ?? []
            try await stranger.perform { (connection) throws(DBusError) in
                try connection.emit(TinyBluez.valueSignal([0, 99]))
                for name in names where name.hasPrefix(":") {
                    try connection.emit(TinyBluez.valueSignal([0, 99]), to: name)
                }
            }
            try await stranger.call(.bus("GetId"))
            try await bluez.notify([0, 61])
            let heard = await reports.wait {
                $0.contains(.valueNotified(strap, .heartRateMeasurement, [0, 61]))
            }
            #expect(heard.contains(.intakeFinding(.spoofedSignal, count: 1)))
            #expect(!heard.contains(.valueNotified(strap, .heartRateMeasurement, [0, 99])))
        }
        await bluez.bus.close()
    }

    @Test("agrees to pair with a wanted device when bluetoothd itself asks, and to nothing else")
    func agent() async throws {
        let daemon = try PrivateBus()
        let bluez = try await TinyBluez(daemon.address)
        let stranger = try await Bus(daemon.address)
        try await withCentral(daemon.address) { central, reports in
            central.want(wanted)
            await reports.wait { $0.contains(linkUp) }
            let name = try #require(bluez.agentOwner)
            func ask(
                _ bus: Bus, _ member: String, _ device: String, _ more: Value...
            ) async -> String? {
                do throws(DBusError) {
                    try await bus.call(
                        MethodCall(
                            destination: name, path: PairingAgent.path,
                            interface: "org.bluez.Agent1", member: member,
                            arguments: [.objectPath(device)] + more))
                    return nil
                } catch {
                    return error.name
                }
            }
            let other = "/org/bluez/hci0/dev_C4_00_00_00_00_99"
            let rejected = "org.bluez.Error.Rejected"
            #expect(await ask(bluez.bus, "RequestAuthorization", TinyBluez.device) == nil)
            #expect(await ask(bluez.bus, "RequestAuthorization", other) == rejected)
            let number = Value.uint32(123_456)
            #expect(
                await ask(bluez.bus, "RequestConfirmation", TinyBluez.device, number) == rejected)
            let services: [(BluetoothUUID?, String, String?)] = [
                (.heartRate, TinyBluez.device, nil), (.heartRate, other, rejected),
                (BluetoothUUID(0x1124), TinyBluez.device, rejected),
                (nil, TinyBluez.device, rejected),
            ]
            for (service, device, answer) in services {
                let text = Value.string(service?.text ?? "heart rate")
                #expect(await ask(bluez.bus, "AuthorizeService", device, text) == answer)
            }
            #expect(await ask(bluez.bus, "RequestPinCode", TinyBluez.device) == rejected)
            let unknown = "org.freedesktop.DBus.Error.UnknownMethod"
            #expect(await ask(stranger, "RequestAuthorization", TinyBluez.device) == unknown)
        }
        await bluez.bus.close()
    }

    @Test("survives bluetoothd, and takes up with its successor")
    func successor() async throws {
        let daemon = try PrivateBus()
        let first = try await TinyBluez(daemon.address)
        try await withCentral(daemon.address) { central, reports in
            central.want(wanted)
            let strap = strap
            await reports.wait { $0.contains(.subscribed(strap, .heartRateMeasurement)) }
            await first.bus.close()
            let daemonGone = daemonGone
            await reports.wait { $0.last == daemonGone }
            let second = try await TinyBluez(daemon.address)
            await reports.wait { $0.filter { $0 == linkUp }.count == 2 }
            try await second.notify([0, 62])
            await reports.wait {
                $0.contains(.valueNotified(strap, .heartRateMeasurement, [0, 62]))
            }
            await second.bus.close()
        }
    }

    @Test("says that the bus is gone, and stops when told")
    func busGone() async throws {
        let daemon = try PrivateBus()
        let bluez = try await TinyBluez(daemon.address)
        try await withCentral(daemon.address) { central, reports in
            central.want(wanted)
            await reports.wait { $0.contains(linkUp) }
            daemon.kill()
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
        await bluez.bus.close()
    }

    @Test("without a bus it goes on trying until it is told to stop")
    func noBus() async throws {
        try await withCentral(.address("unix:path=/nonexistent/bus")) { _, reports in
            let heard = await reports.wait { $0.count >= 2 }
            #expect(heard.first == .adapterStateChanged(AdapterChange(.resetting, .busClosed)))
        }
    }
}
