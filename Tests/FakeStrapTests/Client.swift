import DBus
import Synchronization

@testable import FakeStrap

/// A program that uses org.bluez, and writes down what it hears: signals, answers, owners.
///
/// Each line names the last part of the object's path, as in
/// `changed dev_C4_00_00_00_00_01 Connected=true`.
final class Client: Sendable {
    let bus: Bus
    private let transcript = Transcript()

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
    var lines: [String] { transcript.lines }

    /// Waits until a line was heard, after those heard by the last call.
    ///
    /// Returns what came before it.
    @discardableResult
    func hear(_ line: String) async -> [String] {
        await transcript.hear { $0 == line }.dropLast()
    }

    /// Waits for a line that begins so, and returns it.
    func hear(beginning prefix: String) async -> String {
        await transcript.hear { $0.hasPrefix(prefix) }.last ?? ""
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
        _ answer: @escaping @Sendable (MethodCall) -> Answer
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
        case .byteArray(let bytes): hexadecimal(bytes)
        default: "?"
        }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Lines that come from one thread and are waited for on others.
final class Transcript: Sendable {
    private struct State {
        var lines: [String] = []
        /// Up to where lines were heard.
        var heard = 0
        var waiter: Waiter?

        /// Hears up to a line that fits, if there is one.
        mutating func take(_ fits: (String) -> Bool) -> [String]? {
            guard let index = lines[heard...].firstIndex(where: fits) else { return nil }
            defer { heard = index + 1 }
            return Array(lines[heard...index])
        }
    }

    private struct Waiter: Sendable {
        let fits: @Sendable (String) -> Bool
        let continuation: CheckedContinuation<[String], Never>
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func append(_ line: String) {
        let woken: (Waiter, [String])? = state.withLock { state in
            state.lines.append(line)
            guard let waiter = state.waiter, let lines = state.take(waiter.fits) else { return nil }
            state.waiter = nil
            return (waiter, lines)
        }
        if let (waiter, lines) = woken { waiter.continuation.resume(returning: lines) }
    }

    /// Waits for a line that fits; gives the lines up to and with it, or none when the test's
    /// time is over.
    func hear(_ fits: @escaping @Sendable (String) -> Bool) async -> [String] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let lines: [String]? = state.withLock { state in
                    if let lines = state.take(fits) { return lines }
                    if Task.isCancelled { return [] }
                    state.waiter = Waiter(fits: fits, continuation: continuation)
                    return nil
                }
                if let lines { continuation.resume(returning: lines) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.continuation.resume(returning: [])
        }
    }
}
