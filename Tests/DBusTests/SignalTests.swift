import Clocks
import TestSupport
import Testing

@testable import DBus

@Suite("Signals", .timeLimit(.minutes(5)))
struct SignalTests {
    private static let rule = "type='signal',interface='org.example.Service'"

    private let service: TestService

    init() async throws {
        service = try await TestService()
    }

    /// A bus, and the signals that it hears.
    private func listener(
        limits: Limits = Limits()
    ) async throws -> (bus: Bus, heard: Heard<(signal: Signal, sender: String)>) {
        let heard = Heard<(signal: Signal, sender: String)>()
        let bus = try await Bus(service.daemon.address, limits: limits)
        try await bus.perform { (connection) throws(DBusError) in
            connection.onSignal = { signal, sender, _ in
                guard signal.interface == "org.example.Service" else { return }
                heard.append((signal, sender))
            }
        }
        try await bus.call(.addMatch(Self.rule))
        return (bus, heard)
    }

    @Test("arrive all and in order, also when they are alike")
    func order() async throws {
        let (bus, heard) = try await listener()
        try await service.bus.perform { (connection) throws(DBusError) in
            for number in UInt32(0)..<2_000 { try connection.emit(TestService.signal(number / 2)) }
        }
        let signals = await heard.wait(for: 2_000)
        #expect(signals.map { $0.signal.arguments } == (0..<2_000).map { [.uint32($0 / 2)] })
        await close(bus, service.bus)
    }

    @Test("tell their true sender, also those sent past the match rules")
    func sender() async throws {
        let (bus, heard) = try await listener()
        let stranger = try await Bus(service.daemon.address)
        let name = bus.uniqueName
        try await stranger.perform { (connection) throws(DBusError) in
            try connection.emit(TestService.signal(1), to: name)
        }
        try await stranger.call(.bus("GetId"))
        try await service.bus.perform { (connection) throws(DBusError) in
            try connection.emit(TestService.signal(1))
        }
        let signals = await heard.wait(for: 2)
        #expect(signals.map(\.signal) == [TestService.signal(1), TestService.signal(1)])
        #expect(signals.map(\.sender) == [stranger.uniqueName, service.bus.uniqueName])
    }

    @Test("are stamped by the connection's clock")
    func stamps() async throws {
        let clock = ManualClock()
        let bus = try await Bus(service.daemon.address, clock: clock.read)
        let heard = Heard<Arrival>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.onSignal = { signal, _, arrival in
                if signal == TestService.signal(1) { heard.append(arrival) }
            }
            try connection.emit(TestService.signal(1), to: connection.uniqueName)
        }
        #expect(await heard.wait(for: 1).last == clock.read())
    }

    @Test("beyond the limits are dropped and counted, the next one is heard", arguments: hostile)
    func dropsHostile(_ value: Value) async throws {
        let limits = Limits(depth: 8, values: 100, bytes: 1_000)
        let (bus, heard) = try await listener(limits: limits)
        let dropped = Heard<DBusError>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.onDropped = { error, _, _ in dropped.append(error) }
        }
        try await service.bus.perform { (connection) throws(DBusError) in
            var signal = TestService.signal(1)
            signal.arguments = [value]
            try connection.emit(signal)
            try connection.emit(TestService.signal(2))
        }
        #expect(await heard.wait(for: 1).map(\.signal) == [TestService.signal(2)])
        #expect(dropped.elements.map(\.code) == [.undecodable])
        let count = try await bus.perform { (connection) throws(DBusError) in
            connection.droppedMessageCount
        }
        #expect(count == 1)
    }

    @Test("beyond the limits fail the call that they answer")
    func hostileAnswer() async throws {
        let bus = try await Bus(service.daemon.address, limits: Limits(bytes: 10))
        let error = await #expect(throws: DBusError.self) {
            try await bus.call(.bus("GetId"))
        }
        #expect(error?.code == .undecodable)
        #expect(try await bus.call(TestService.call("Echo", .byte(1))) == [.byte(1)])
    }

    static let hostile: [Value] = [
        (0..<9).reduce(.byte(0)) { value, _ in .variant(value) },
        (0..<9).reduce(.byte(0)) { value, _ in .structure([value]) },
        (0..<32).reduce(.byte(0)) { value, _ in .variant(value) },
        .strings([String](repeating: "", count: 100)),
        .array(elementSignature: "u", [Value](repeating: .uint32(1), count: 1_000)),
        .byteArray([UInt8](repeating: 0, count: 1_001)),
        .string(String(repeating: "a", count: 1_001)),
        .strings([String](repeating: String(repeating: "a", count: 20), count: 51)),
    ]
}
