import Clocks
import TestSupport
import Testing

@testable import DBus

@Suite("Calls", .timeLimit(.minutes(5)))
struct CallTests {
    private let service: TestService
    private let bus: Bus

    init() async throws {
        service = try await TestService(mostPendingReplies: 2_000)
        bus = try await Bus(service.daemon.address)
    }

    @Test("are answered by the bus itself")
    func pings() async throws {
        let ping = MethodCall(
            destination: MethodCall.busName, path: "/", interface: "org.freedesktop.DBus.Peer",
            member: "Ping")
        #expect(try await bus.call(ping) == [])
        #expect(bus.uniqueName.hasPrefix(":1."))
        await close(bus)
    }

    @Test("reach a service by the thousand, each with its own answer")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: (UInt32, [Value]).self) { group in
            for number in UInt32(0)..<1_000 {
                group.addTask {
                    (number, try await bus.call(TestService.call("Echo", .uint32(number))))
                }
            }
            for try await (number, answer) in group { #expect(answer == [.uint32(number)]) }
        }
        await close(bus, service.bus)
    }

    @Test("hear the name and the text of a refusal")
    func refusals() async throws {
        await #expect(
            throws: DBusError(
                code: .refused, name: "org.example.Error.No", message: "not today",
                call: "org.example.Service.Refuse on /org/example")
        ) {
            try await bus.call(TestService.call("Refuse"))
        }
        let unknown = await #expect(throws: DBusError.self) {
            try await bus.call(TestService.call("Nonsense"))
        }
        #expect(unknown?.name == "org.freedesktop.DBus.Error.UnknownMethod")
    }

    @Test("of a service that does not exist are refused by the bus")
    func unknownService() async throws {
        let stranger = Unsendable("nobody") { $0.destination = "org.example.Nobody" }
        let error = await #expect(throws: DBusError.self) { try await bus.call(stranger.call) }
        #expect(error?.code == .refused)
        #expect(error?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("may be answered later, and in any order")
    func laterAnswers() async throws {
        let heard = Heard<Int32>()
        try bus.enqueue { connection in
            for index in Int32(0)..<3 {
                connection.send(TestService.call("Put")) { result, _ in
                    #expect(result == .success([.int32(index)]))
                    heard.append(index)
                }
            }
        }
        try await bus.call(TestService.call("TakeAll"))
        #expect(await heard.wait(for: 3) == [2, 1, 0])
    }

    @Test("fail after their time limit, in the order of their limits")
    func timeLimits() async throws {
        let clock = ManualClock()
        let bus = try await Bus(service.daemon.address, clock: clock.read)
        let heard = Heard<(UInt64, DBusError.Code?)>()
        try await bus.perform { (connection) throws(DBusError) in
            for limit: UInt64 in [500, 100, 300] {
                connection.send(
                    TestService.call("Never"), timeoutMilliseconds: limit
                ) { result, arrival in
                    #expect(arrival.bootMilliseconds == 1_400)
                    guard case .failure(let error) = result else { return }
                    heard.append((limit, error.code))
                }
            }
        }
        clock.advance(milliseconds: 400)
        try bus.enqueue { _ in }
        let early = await heard.wait(for: 2)
        #expect(early.map(\.0) == [100, 300])
        #expect(early.allSatisfy { $0.1 == .timedOut })
        await bus.close()
        #expect(heard.elements.last?.1 == .closed)
    }

    @Test("that D-Bus cannot express are refused before they are sent", arguments: unsendable)
    func refusesUnsendable(_ vector: Unsendable) async throws {
        let error = await #expect(throws: DBusError.self) { try await bus.call(vector.call) }
        #expect(error?.code == .invalidArgument)
        // The connection is as good as before.
        try await bus.call(.bus("GetId"))
        await close(bus)
    }

    @Test("answered by somebody who was not asked stay unanswered")
    func strayAnswers() async throws {
        let stranger = try await Bus(service.daemon.address)
        let heard = Heard<Bool>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.onSignal = { [unowned connection] signal, _, _ in
                guard signal == TestService.signal(1) else { return }
                #expect(connection.strayAnswerCount > 0)
                heard.append(connection.pending.count == 1)
            }
            var call = TestService.call("Never")
            call.destination = service.bus.uniqueName
            connection.send(call) { _, _ in }
        }
        let name = bus.uniqueName
        try await stranger.perform { (connection) throws(DBusError) in
            // Serial numbers are small; the stranger guesses them all.
            for serial in UInt32(1)...20 {
                let address = ReplyAddress(sender: name, serial: serial, isExpected: true)
                try connection.answer(address, with: .values([]))
            }
            try connection.emit(TestService.signal(1), to: name)
        }
        #expect(await heard.wait(for: 1) == [true])
    }

    struct Unsendable: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: MethodCall

        init(_ name: String, _ change: (inout MethodCall) -> Void) {
            testDescription = name
            var call = TestService.call("Echo")
            change(&call)
            self.call = call
        }

        init(_ name: String, _ argument: Value) {
            self.init(name) { $0.arguments = [argument] }
        }
    }

    static let unsendable: [Unsendable] = [
        Unsendable("bus name") { $0.destination = "no name" },
        Unsendable("path") { $0.path = "org/example" },
        Unsendable("path with NUL") { $0.path = "/org\0example" },
        Unsendable("interface") { $0.interface = "nodots" },
        Unsendable("member") { $0.member = "With.Dot" },
        Unsendable("NUL in a text", .string("a\0b")),
        Unsendable("object path", .objectPath("")),
        Unsendable("signature", .signature("a")),
        Unsendable("empty structure", .structure([])),
        Unsendable("array of two types", .array(elementSignature: "s", [.byte(1)])),
        Unsendable("array of nothing", .array(elementSignature: "", [])),
        Unsendable("array of two signatures", .array(elementSignature: "ss", [])),
        Unsendable("bytes as an array", .array(elementSignature: "y", [.byte(1)])),
        Unsendable("dictionary with a container as key", .dictionary(entrySignature: "{vs}", [])),
        Unsendable(
            "dictionary of other entries",
            .dictionary(entrySignature: "{sv}", [.init(key: .byte(1), value: .byte(2))])),
        Unsendable("too deep", (0..<33).reduce(.byte(0)) { value, _ in .variant(value) }),
        Unsendable("too long", .byteArray([UInt8](repeating: 0, count: (8 << 20) + 1))),
        Unsendable("too long a signature") {
            $0.arguments = [Value](repeating: .byte(0), count: 256)
        },
    ]
}
