import DBus
import Synchronization
import TestSupport

@testable import FakeStrap

/// A program that uses org.bluez, and writes down what it hears: signals, answers, owners.
///
/// Each line names the last part of the object's path, as in
/// `changed dev_C4_00_00_00_00_01 Connected=true`.
final class Client: Sendable {
    let bus: Bus
    private let transcript = Heard<String>()

    init(_ address: String) async throws {
        bus = try await Bus(.address(address))
        let transcript = transcript
        try await bus.perform { (connection) throws(DBusError) in
            connection.onSignal = { signal, _, _ in
                if let line = Client.line(for: signal) { transcript.append(line) }
            }
        }
        try await bus.call(.addMatch("type='signal',sender='org.bluez'"))
        let owner = "member='NameOwnerChanged',arg0='org.bluez'"
        try await bus.call(.addMatch("type='signal',sender='org.freedesktop.DBus',\(owner)"))
    }

    /// Everything that was heard so far.
    var lines: [String] { transcript.elements }

    /// Waits until a line was heard, after those heard by the last call.
    ///
    /// Returns what came before it.
    @discardableResult
    func hear(_ line: String) async -> [String] {
        await transcript.next { $0 == line }.dropLast()
    }

    /// Waits for a line that begins so, and returns it.
    func hear(beginning prefix: String) async -> String {
        await transcript.next { $0.hasPrefix(prefix) }.last ?? ""
    }

    // MARK: - Calls

    /// Calls a method and waits; its answer stands in the transcript where it came.
    @discardableResult
    func call(_ path: String, _ interface: String, _ member: String, _ arguments: Value...)
        async throws -> [Value]
    {
        let call = MethodCall(
            destination: "org.bluez", path: path, interface: interface, member: member,
            arguments: arguments)
        let answer: Result<[Value], DBusError> = await withCheckedContinuation { continuation in
            send(call) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Calls a method, and does not wait.
    func begin(_ path: String, _ interface: String, _ member: String) {
        send(
            MethodCall(
                destination: "org.bluez", path: path, interface: interface, member: member)
        ) { _ in }
    }

    /// Answers the calls that come, and writes them down.
    func answerCalls(
        _ answer: @escaping @Sendable (MethodCall) -> MethodReply
    ) async throws {
        let transcript = transcript
        try await bus.perform { (connection) throws(DBusError) in
            connection.onMethodCall = { call, _, _ in
                transcript.append("call \(call.member)")
                return answer(call)
            }
        }
    }

    /// The refusal of a call, as `name: text`, or `done`.
    func refusal(_ path: String, _ interface: String, _ member: String, _ arguments: Value...)
        async throws -> String
    {
        let call = MethodCall(
            destination: "org.bluez", path: path, interface: interface, member: member,
            arguments: arguments)
        do {
            try await bus.call(call)
            return "done"
        } catch {
            return "\(error.name): \(error.message)"
        }
    }

    private func send(
        _ call: MethodCall, then: @escaping @Sendable (Result<[Value], DBusError>) -> Void
    ) {
        let transcript = transcript
        do {
            try bus.enqueue { connection in
                connection.send(call, timeoutMilliseconds: 120_000) { result, _ in
                    switch result {
                    case .success: transcript.append("answer \(call.member)")
                    case .failure(let error):
                        transcript.append("refusal \(call.member) \(error.message)")
                    }
                    then(result)
                }
            }
        } catch {
            then(.failure(error))
        }
    }
}

// MARK: - Lines

extension Client {
    private static func line(for signal: Signal) -> String? {
        let object = last(signal.arguments.first?.asObjectPath ?? signal.path)
        switch signal.member {
        case "InterfacesAdded", "InterfacesRemoved", "PropertiesChanged":
            guard signal.arguments.count > 1 else { return "\(signal.member) \(object)" }
        default: break
        }
        switch signal.member {
        case "InterfacesAdded":
            let interfaces = signal.arguments[1].asEntries ?? []
            let names = interfaces.compactMap { $0.key.asString }
            let own = names.filter { $0.hasPrefix("org.bluez.") }
            return "added \(object) " + own.map { last($0) }.joined(separator: " ")
        case "InterfacesRemoved":
            let names = signal.arguments[1].asStrings ?? []
            let own = names.filter { $0.hasPrefix("org.bluez.") }
            return "removed \(object) " + own.map { last($0) }.joined(separator: " ")
        case "PropertiesChanged":
            let changes = signal.arguments[1].asEntries ?? []
            let absent = signal.arguments.last?.asStrings ?? []
            let words =
                changes.filter { $0.key.asString != "UUIDs" }.map {
                    "\($0.key.asString ?? "")=\(text($0.value.unwrapped))"
                } + absent.map { "!\($0)" }
            return "changed \(object) " + words.joined(separator: " ")
        case "Disconnected":
            return "disconnected \(object) \(last(signal.arguments.first?.asString ?? ""))"
        case "NameOwnerChanged":
            let isThere = signal.arguments.last?.asString?.isEmpty == false
            return isThere ? "owner came" : "owner left"
        default: return nil
        }
    }

    private static func last(_ name: String) -> String {
        String(name.split { $0 == "/" || $0 == "." }.last ?? "")
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .byte(let byte): "\(byte)"
        case .int16(let number): "\(number)"
        case .string(let text): text
        case .byteArray(let bytes): hex(bytes)
        default: "?"
        }
    }
}
