import Foundation
import TestSupport
import Testing

/// What one test works with: a folder of its own, a store in it, and our programs.
final class Workbench: Sendable {
    /// The folder's path.
    var folder: String { directory.path }
    private let directory: TemporaryDirectory
    /// How many events our programs fold between two snapshots; nil for as many as usual.
    private let snapshotEvents: Int?

    /// Makes the folder.
    ///
    /// - Parameter snapshotEvents: How many events our programs fold between two snapshots; at 1
    ///   every command begins with one, nil is as many as usual, so that the logs of tests have
    ///   none.
    init(snapshotEvents: Int? = 1) {
        self.snapshotEvents = snapshotEvents
        do {
            directory = try TemporaryDirectory()
        } catch {
            fatalError("A test has no folder: \(error)")
        }
    }

    deinit {
        do {
            try directory.remove()
        } catch {
            Issue.record("\(folder) cannot be removed: \(error)")
        }
    }

    /// A place for a store, where nothing is yet.
    var store: String { folder + "/store" }

    /// An environment that tells nothing of this machine; the store is the test's own.
    func environment(_ others: [String: String] = [:]) -> [String: String] {
        var own = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder, "PULSELOG_STORE": store,
            "TZ": "UTC", "LC_ALL": "C", "PULSELOG_RFKILL": "\(folder)/no-switches",
            "PULSELOG_GPSD": "none",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder)/no-bus",
        ]
        own["PULSELOG_SNAPSHOT_EVENTS"] = snapshotEvents.map { "\($0)" }
        return own.merging(others) { $1 }
    }

    // MARK: - pulselog

    /// Starts `pulselog`.
    func start(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            RunningProgram.pulselog, arguments, environment: environment(variables))
    }

    /// Starts a shell that runs a script, in which `$0` is `pulselog` and `$@` its arguments.
    func shell(
        _ script: String, _ arguments: [String] = [], _ variables: [String: String] = [:],
        limitSeconds: UInt64 = 180
    ) throws -> RunningProgram {
        try RunningProgram(
            "/bin/bash", ["-c", script, RunningProgram.pulselog] + arguments,
            environment: environment(variables), limitSeconds: limitSeconds)
    }

    /// Runs `pulselog` to its end.
    func run(
        _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> RunningProgram.End {
        try await start(arguments, variables).end.withoutFrame(arguments)
    }

    /// Runs `pulselog` to an end that must be as it is expected.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - status: Its exit code.
    ///   - words: What it must say: in its answer, which a finding is as well, or in its complaint.
    ///   - warning: What its messages must say besides its answer.
    ///   - variables: What its environment has besides.
    ///   - location: The line of the test.
    /// - Returns: How it ended.
    /// - Throws: ``ProgramError`` if it cannot be started.
    @discardableResult
    func expect(
        _ arguments: String..., status: Int32 = 0, says words: String...,
        warns warning: String = "", variables: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram.End {
        try await expect(
            arguments, status, says: words, warns: warning, variables: variables, at: location)
    }

    @discardableResult
    func expect(
        _ arguments: [String], status: Int32 = 0, says words: String...,
        warns warning: String = "", variables: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram.End {
        try await expect(
            arguments, status, says: words, warns: warning, variables: variables, at: location)
    }

    private func expect(
        _ arguments: [String], _ status: Int32, says words: [String], warns warning: String = "",
        variables: [String: String] = [:], at location: SourceLocation
    ) async throws -> RunningProgram.End {
        let end = try await start(arguments, variables).end.withoutFrame(arguments)
        #expect(
            end.status == status, "\(arguments): \(end.text)\(end.messages)",
            sourceLocation: location)
        let said = [0, 1].contains(status) ? end.text : end.messages
        for words in words {
            #expect(said.contains(words), "\(arguments): \(said)", sourceLocation: location)
        }
        #expect(
            warning.isEmpty || end.messages.contains(warning), "\(arguments): \(end.messages)",
            sourceLocation: location)
        return end
    }

    /// Runs commands that must fail: each has an exit code, and words of its one complaint.
    func expectComplaints(
        _ complaints: [(arguments: String, status: Int32, words: String)],
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        for (text, status, words) in complaints {
            let end = try await expect(text.arguments, status, says: [words], at: location)
            #expect(end.output.isEmpty, "\(text): \(end.text)", sourceLocation: location)
            #expect(end.messages.hasSuffix("\n"), "\(text)", sourceLocation: location)
        }
    }

    /// Runs `pulselog` to an end that must be good, and gives what it wrote.
    func output(
        _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> [UInt8] {
        try await good(arguments, variables).output
    }

    /// What `pulselog` wrote, as text.
    func text(
        _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> String {
        try await good(arguments, variables).text
    }

    private func good(
        _ arguments: [String], _ variables: [String: String]
    ) async throws -> RunningProgram.End {
        let end = try await start(arguments, variables).end.withoutFrame(arguments)
        guard end.status == 0 else {
            throw ProgramError("\(arguments) ended with \(end.status): \(end.messages)")
        }
        return end
    }

    /// The object that `pulselog` writes with `--json`, however it ends.
    func object(
        _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> Line {
        try Line(await start(arguments + ["--json"], variables).end.text)
    }

    /// The objects that `pulselog` writes with `--json`, however it ends.
    func objects(
        _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> [Line] {
        try await start(arguments + ["--json"], variables).end.lines.map { try Line($0) }
    }

    /// Ends a recording, as in another terminal; it must end well.
    func stop(_ record: RunningProgram) async throws -> RunningProgram.End {
        try await expect("stop")
        let end = await record.end
        #expect(end.status == 0, "\(end.messages)")
        return end
    }

    /// Takes a capture of `Replays/` into the store.
    func load(_ name: String) async throws { try await expect("import", ReplayCase(name).capture) }

    // MARK: - Files

    /// A file in the folder, with these bytes; folders on the way are made.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = "\(folder)/\(name)"
        let around = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: around, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// A file in the folder, with this text.
    @discardableResult
    func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// A new folder in the folder.
    @discardableResult
    func folder(_ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The names in a folder, that of the test unless told, in order.
    func names(in folder: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder ?? self.folder).sorted()
    }

    // MARK: - FakeStrap

    /// Lets FakeStrap play, and ends it after `body`, however that ends.
    ///
    /// A capture's values come with a jitter: nothing may hang on their regular times.
    ///
    /// - Parameters:
    ///   - arguments: What it plays, and how.
    ///   - body: Gets the play; straps are in range.
    /// - Throws: What `body` throws, with what FakeStrap said.
    func playing(
        _ arguments: String..., body: (StrapPlay) async throws -> Void
    ) async throws {
        let sent = "\(folder)/sent.jsonl"
        let jitter = arguments.contains("--capture") ? ["--jitter", "15"] : []
        let program = try RunningProgram(
            RunningProgram.builtPrograms + "/FakeStrap", arguments + jitter + ["--sent", sent],
            environment: environment())
        let ready = try await program.line { $0.contains(#""ready":true"#) }
        let play = StrapPlay(
            program: program, address: try Line(ready.text).text("address"), sentFile: sent)
        do {
            try await body(play)
        } catch {
            program.signal(SIGTERM)
            let messages = await program.end.messages
            throw ProgramError("\(error) FakeStrap said: \(messages)")
        }
        await program.finish(by: SIGTERM)
    }

    /// Lets FakeStrap play a scenario, given as JSON.
    func playing(
        scenario: String, body: (StrapPlay) async throws -> Void
    ) async throws {
        let path = try file("scenario.json", Array(scenario.utf8))
        try await playing("--scenario", path, body: body)
    }
}

extension RunningProgram.End {
    /// The events of an export that came to its end, without the lines around them, which
    /// `ExportFrameTests` look at; the same of any other command.
    fileprivate func withoutFrame(_ arguments: [String]) -> RunningProgram.End {
        guard arguments.first == "export", status == 0,
            output.starts(with: #"{"export":"#.utf8)
        else { return self }
        let lines = output.split(separator: 0x0A)
        let body = lines.dropFirst().dropLast().flatMap { $0 + [0x0A] }
        return RunningProgram.End(status: status, output: body, messages: messages)
    }
}

/// A play of FakeStrap.
struct StrapPlay: Sendable {
    let program: RunningProgram
    /// Where its bus is.
    let address: String
    /// Where it says what it sent.
    let sentFile: String

    /// The environment in which the system bus is FakeStrap's.
    var variables: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    /// Waits until the play is over.
    func waitForEnd() async throws {
        try await program.line { $0.contains(#""ended":true"#) }
    }

    /// Waits until the strap has sent so many values.
    func waitForLines(_ count: Int) async throws {
        let tail = try RunningProgram(
            "/usr/bin/tail", ["--lines=+1", "--follow", sentFile], environment: [:])
        for _ in 0..<count { try await tail.line { _ in true } }
    }

    /// What the strap sent so far, in order.
    func sent() throws -> [Line] {
        try String(contentsOf: URL(filePath: sentFile), encoding: .utf8)
            .split(separator: "\n").map { try Line(String($0)) }
    }

    /// The heart-rate values that somebody was subscribed to, in order, in hexadecimal.
    func deliveredHeartRates() throws -> [String] {
        try sent().filter {
            $0.flag("delivered") && $0.fields["characteristic"] as? String == "2a37"
        }.map { try $0.text("value") }
    }
}

/// A line of JSON, read by Foundation and not by our own reader.
struct Line {
    let fields: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let fields = value as? [String: Any] else {
            throw ProgramError("This is no object: \(text)")
        }
        self.fields = fields
    }

    func text(_ name: String) throws -> String { try value(name) }

    func integer(_ name: String) throws -> Int { try value(name) }

    func flag(_ name: String) -> Bool { fields[name] as? Bool == true }

    func objects(_ name: String) throws -> [Line] {
        let objects: [[String: Any]] = try value(name)
        return objects.map { Line(fields: $0) }
    }

    func object(_ name: String) throws -> Line { Line(fields: try value(name)) }

    private func value<Value>(_ name: String) throws -> Value {
        guard let value = fields[name] as? Value else {
            throw ProgramError("There is no \(Value.self) \(name) in \(fields)")
        }
        return value
    }

    /// The object in one form, without the fields of some names, wherever they stand.
    func text(without isLeftOut: (String) -> Bool) throws -> String {
        func stripped(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(stripped) }
            guard let object = value as? [String: Any] else { return value }
            return object.filter { !isLeftOut($0.key) }.mapValues(stripped)
        }
        let data = try JSONSerialization.data(
            withJSONObject: stripped(fields), options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    init(fields: [String: Any]) { self.fields = fields }
}
