import DBus
import Synchronization
import Testing

/// A service with the methods the tests need, on a connection of its own.
final class TestService: Sendable {
    static let name = "org.example.Service"

    let bus: Bus

    init(_ address: Bus.Address) async throws {
        bus = try await Bus(address)
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

/// What a connection has heard, waited for without sleeping.
final class Heard<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func append(_ element: Element) {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            state.elements.append(element)
            guard let waiter = state.waiter, state.elements.count >= waiter.count else {
                return nil
            }
            state.waiter = nil
            return waiter.continuation
        }
        continuation?.resume()
    }

    var elements: [Element] {
        state.withLock { $0.elements }
    }

    /// Waits until at least so many were heard, or the test's time is over.
    func wait(for count: Int) async -> [Element] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.elements.count < count, !Task.isCancelled else { return false }
                    state.waiter = (count, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.continuation.resume()
        }
        return elements
    }
}
