import Clocks
import DBus
import TestSupport

@testable import FakeStrap

/// A private bus with a play on it and a clock that can be put forward.
final class Theatre: Sendable {
    let bus: PrivateBus
    let playback: Playback
    let reports = Heard<String>()
    private let clock = ShiftedClock()

    init(
        _ scenario: Scenario = .strap, timing: Timing = .short, speed: Double = 1
    ) async throws {
        bus = try PrivateBus()
        let reports = reports
        playback = try await Playback(
            scenario, on: bus.address, timing: timing, speed: speed, clock: clock.read
        ) { report in
            switch report {
            case .sent(let sent):
                let value = hex(sent.value)
                let name = sent.characteristic.shortText
                reports.append("sent \(name) \(value) \(sent.signalCount)")
            case .problem(let sentence): reports.append("problem \(sentence)")
            case .busLost: reports.append("bus lost")
            case .ended:
                // A play without steps is over at once.
                if !scenario.parts.isEmpty { reports.append("ended") }
            }
        }
    }

    func client() async throws -> Client {
        try await Client(bus.socketAddress)
    }

    func act(_ actions: Scenario.Action...) async throws {
        for action in actions { try await playback.act(action) }
    }

    func notify(_ values: [UInt8]...) async throws {
        for value in values {
            try await act(.notify(strap: 0, .heartRateMeasurement, value))
        }
    }

    /// Puts the clock of the play forward.
    func advance(milliseconds: UInt64) async throws {
        clock.advance(milliseconds: milliseconds)
        // Wakes the bus thread, which then looks at the clock.
        try await playback.flush()
    }

    func close() async throws {
        await playback.close()
        try bus.close()
    }
}

// MARK: - Straps

extension Scenario {
    /// One strap, and nothing that happens by itself.
    static var strap: Scenario {
        Scenario(straps: [.heart], parts: [])
    }
}

extension Strap {
    static func make(_ number: Int, _ name: String?, _ services: String...) -> Strap {
        Strap(
            id: "strap\(number)", name: name, address: "C4:00:00:00:00:0\(number)",
            services: services.compactMap { GattService.named($0) })
    }

    static var heart: Strap { make(1, "Strap One", "hr", "battery", "dis") }
}

/// Names on the bus.
enum Name {
    static let adapter = "/org/bluez/hci0"
    static let adapter1 = "org.bluez.Adapter1"
    static let device1 = "org.bluez.Device1"
    static let characteristic1 = "org.bluez.GattCharacteristic1"
    static let properties = "org.freedesktop.DBus.Properties"

    static let strap = "/org/bluez/hci0/dev_C4_00_00_00_00_01"
    /// 2A37, 2A38, 2A19 and 2A29 of ``Strap/heart``.
    static let measurement = strap + "/service000a/char000b"
    static let location = strap + "/service000a/char000e"
    static let battery = strap + "/service0010/char0011"
    static let manufacturer = strap + "/service0014/char0015"
}

extension Client {
    /// Scans until the strap is seen, stops, and connects; until the services are there.
    func reach() async throws {
        try await call(Name.adapter, Name.adapter1, "StartDiscovery")
        await hear("added dev_C4_00_00_00_00_01 Device1")
        try await call(Name.adapter, Name.adapter1, "StopDiscovery")
        try await connect()
    }

    /// Connects to a strap with a battery, whose interface is the last thing to come.
    func connect() async throws {
        try await call(Name.strap, Name.device1, "Connect")
        await hear("changed dev_C4_00_00_00_00_01 ServicesResolved=true")
        await hear("added dev_C4_00_00_00_00_01 Battery1")
    }

    func subscribe() async throws {
        try await call(Name.measurement, Name.characteristic1, "StartNotify")
        await hear("answer StartNotify")
    }

    /// The objects that there are, but for the one where agents register: their paths.
    func objects() async throws -> [String] {
        let tree = try await call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        let paths = tree.first?.asEntries?.compactMap { $0.key.asObjectPath } ?? []
        return paths.filter { $0 != "/org/bluez" }
    }
}
