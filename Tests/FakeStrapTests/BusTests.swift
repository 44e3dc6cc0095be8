import BluetoothCentral
import DBus
import Foundation
import TestSupport
import Testing

@testable import DaemonModel
@testable import FakeStrap

@Suite("org.bluez on a bus", .timeLimit(.minutes(5)))
struct BusTests {
    /// A program on the bus, which writes down what it hears of bluetoothd and of its name.
    private final class Client: Sendable {
        let bus: Bus
        let heard = Heard<String>()

        init(_ address: String) async throws {
            bus = try await Bus(.address(address))
            let heard = heard
            try await bus.perform { (connection) throws(DBusError) in
                connection.onSignal = { signal, _, _ in
                    heard.append(Transcript.line(for: signal))
                }
                connection.onMethodCall = { _, _, _ in .values([]) }
            }
            for sender in ["org.bluez", "org.freedesktop.DBus"] {
                try await bus.call(.addMatch("type='signal',sender='\(sender)'"))
            }
        }

        @discardableResult
        func call(_ member: String, on path: String = Name.strap, _ arguments: Value...)
            async throws -> [Value]
        {
            try await bus.call(
                MethodCall(
                    destination: "org.bluez", path: path, interface: Name.interface(of: path),
                    member: member, arguments: arguments))
        }

        /// Waits for a line, and gives all up to it since the last time.
        @discardableResult
        func hear(_ line: String) async -> [String] { await heard.next { $0 == line } }

        /// Scans, connects, and subscribes to the measurement.
        func subscribe() async throws {
            try await call("StartDiscovery", on: Name.adapter)
            await hear("added \(DaemonTests.device) Device1")
            try await call("StopDiscovery", on: Name.adapter)
            try await call("Connect")
            await hear("changed \(DaemonTests.device) ServicesResolved=true")
            try await call("StartNotify", on: Name.measurement)
        }
    }

    @Test("brings values, everything malformed and a new life, and asks an agent")
    func life() async throws {
        let bus = try PrivateBus()
        let reports = Heard<Report>()
        var strap = Strap.heart
        strap.isEncrypted = true
        let playback = try await Playback(Scenario(straps: [strap]), on: bus.address) {
            reports.append($0)
        }
        let client = try await Client(bus.socketAddress)
        let agent = [Value.objectPath("/agent"), .string("NoInputNoOutput")]
        try await client.call("RegisterAgent", on: "/org/bluez", agent[0], agent[1])
        try await client.subscribe()
        for malformation in Malformation.allCases {
            let size = malformation == .valueOversized ? Malformation.mostBytes : 0
            try await playback.act(
                .malform(strap: 0, .heartRateMeasurement, malformation, sizeBytes: size))
        }
        try await playback.act(
            .spoof(
                strap: 0, Scenario.Spoof(claim: .value(.heartRateMeasurement, [9]), isDirect: true))
        )
        try await playback.flush()
        try await playback.act(.notify(strap: 0, .heartRateMeasurement, [0, 60]))
        let lines = await client.hear("changed char000b Value=003c")
        #expect(lines.contains("changed char000b Value=09"))
        let other = try await Client(bus.socketAddress)
        let name = MethodCall.bus("GetNameOwner", .string("org.bluez"))
        let owner = try await other.bus.call(name)
        await client.bus.close()
        await other.hear("changed char000b Notifying=false")
        // Killed and started at once: the old connection ends before the new one begins.
        try await playback.act(.daemon(isRunning: false))
        try await playback.act(.daemon(isRunning: true))
        await other.hear("added \(DaemonTests.device) Device1")
        #expect(try await other.bus.call(name) != owner)
        // A stranger's words reach everybody, and are of no bluetoothd.
        #expect(reports.elements.allSatisfy { if case .sent = $0 { true } else { $0 == .ended } })
        await playback.close()
        try bus.close()
    }
}
