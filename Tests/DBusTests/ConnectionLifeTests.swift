import TestSupport
import Testing

@testable import DBus

@Suite("Connection life", .timeLimit(.minutes(5)))
struct ConnectionLifeTests {
    private let service: TestService
    private let bus: Bus

    init() async throws {
        service = try await TestService()
        bus = try await Bus(service.daemon.address)
    }

    @Test("a bus that is not there cannot be connected to")
    func noBus() async throws {
        let error = await #expect(throws: DBusError.self) {
            _ = try await Bus(.address("unix:path=/nonexistent/bus"))
        }
        #expect(error?.code == .cannotConnect)
        await #expect(throws: DBusError.self) { _ = try await Bus(.address("nonsense")) }
    }

    @Test("a daemon killed in mid-call fails every call and every later one")
    func killedDaemon() async throws {
        let failed = Heard<DBusError.Code>()
        let told = Heard<Void>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.onDisconnected = { _ in told.append(()) }
            for _ in 0..<100 {
                connection.send(TestService.call("Never")) { result, _ in
                    guard case .failure(let error) = result else { return }
                    failed.append(error.code)
                }
            }
        }
        service.daemon.kill()
        #expect(
            await failed.wait(for: 100) == [DBusError.Code](repeating: .disconnected, count: 100))
        let later = await #expect(throws: DBusError.self) {
            try await bus.call(TestService.call("Echo"))
        }
        #expect(later?.code == .disconnected)
        let job = await #expect(throws: DBusError.self) {
            try await bus.perform { (connection) throws(DBusError) in () }
        }
        #expect(job?.code == .disconnected)
        #expect(await told.wait(for: 1).count == 1)
        await bus.close()
        #expect(told.elements.count == 1)
        #expect(bus.messages.live == 0)
    }

    @Test("closing fails what is unanswered and refuses what comes later")
    func closing() async throws {
        let waiting = Task { try await bus.call(TestService.call("Never")) }
        let failed = Heard<DBusError.Code>()
        try bus.enqueue { connection in
            // A completion that tries again hears of it as well.
            connection.send(TestService.call("Never")) { [unowned connection] _, _ in
                connection.send(TestService.call("Never")) { result, _ in
                    guard case .failure(let error) = result else { return }
                    failed.append(error.code)
                }
            }
        }
        await bus.close()
        let error = await #expect(throws: DBusError.self) { try await waiting.value }
        #expect(error?.code == .closed)
        #expect(failed.elements == [.closed])
        await bus.close()
        #expect(throws: DBusError.self) { try bus.enqueue { _ in } }
        let later = await #expect(throws: DBusError.self) {
            try await bus.call(TestService.call("Echo"))
        }
        #expect(later?.code == .closed)
        #expect(bus.messages.live == 0)
    }

    @Test("what was sent before closing arrives")
    func flushing() async throws {
        let heard = Heard<Value>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.onSignal = { signal, _, _ in
                guard let value = signal.arguments.first, signal.member == "Counted" else { return }
                heard.append(value)
            }
        }
        let leaving = try await Bus(service.daemon.address)
        let name = bus.uniqueName
        try leaving.enqueue { connection in
            for number in UInt32(0)..<5_000 {
                do {
                    try connection.emit(TestService.signal(number), to: name)
                } catch {
                    Issue.record(error)
                }
            }
        }
        await leaving.close()
        #expect(await heard.wait(for: 5_000) == (0..<5_000).map { .uint32($0) })
    }

    @Test("a name belongs to one program at a time")
    func names() async throws {
        let other = try await Bus(service.daemon.address)
        let error = await #expect(throws: DBusError.self) {
            try await other.requestName(TestService.name)
        }
        #expect(error?.code == .refused)
        try await service.bus.call(.bus("ReleaseName", .string(TestService.name)))
        try await other.requestName(TestService.name)
        try await other.requestName(TestService.name)
    }

    @Test("an abandoned bus ends by itself")
    func abandoned() async throws {
        let watcher = try await Bus(service.daemon.address)
        let gone = Heard<Void>()
        var bus: Bus? = try await Bus(service.daemon.address)
        let name = bus?.uniqueName ?? ""
        try await watcher.perform { (connection) throws(DBusError) in
            connection.onSignal = { signal, _, _ in
                let isLoss =
                    signal.member == "NameOwnerChanged"
                    && signal.arguments == [.string(name), .string(name), .string("")]
                if isLoss { gone.append(()) }
            }
        }
        try await watcher.call(.addMatch("type='signal',member='NameOwnerChanged'"))
        bus = nil
        #expect(await gone.wait(for: 1).count == 1)
    }

    @Test("errors read as sentences that say what to do")
    func descriptions() {
        let error = DBusError.timedOut("org.bluez.Device1.Connect on /a", afterMilliseconds: 5)
        #expect(
            error.description == """
                org.bluez.Device1.Connect on /a got no answer in time. The service may be busy; \
                look at its own log.
                """)
    }
}
