import TestSupport
import Testing

@testable import DBus

/// A service with the methods the tests need, on a bus and a connection of its own.
final class TestService: Sendable {
    static let name = "org.example.Service"

    let daemon: PrivateBus
    let bus: Bus

    init(mostPendingReplies: Int = 128) async throws {
        daemon = try PrivateBus(mostPendingReplies: mostPendingReplies)
        bus = try await Bus(daemon.address)
        try await bus.perform { (connection) throws(DBusError) in
            var put: [ReplyAddress] = []
            connection.onMethodCall = { [unowned connection] call, from, _ in
                switch call.member {
                case "Echo": return .values(call.arguments)
                case "Refuse":
                    return .refusal(name: "org.example.Error.No", message: "not today")
                case "Never": return .later
                case "Put":
                    put.append(from)
                    return .later
                case "TakeAll":
                    // The last caller is answered first.
                    for (index, caller) in put.enumerated().reversed() {
                        do {
                            try connection.answer(caller, with: .values([.int32(Int32(index))]))
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return .values([])
                default: return .unknownMethod(call)
                }
            }
        }
        try await bus.requestName(Self.name)
    }

    static func call(_ member: String, _ arguments: Value...) -> MethodCall {
        MethodCall(
            destination: name, path: "/org/example", interface: "org.example.Service",
            member: member, arguments: arguments)
    }

    static func signal(_ number: UInt32) -> Signal {
        Signal(
            path: "/org/example", interface: "org.example.Service", member: "Counted",
            arguments: [.uint32(number)])
    }
}

/// Closes connections, which have let go of every message then.
func close(_ connections: Bus...) async {
    for connection in connections {
        await connection.close()
        #expect(connection.messages.live == 0)
    }
}
