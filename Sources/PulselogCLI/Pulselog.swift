internal import ArgumentParser
internal import Files
internal import Glibc
internal import JSON
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// The command line: every command, and the one place where adapters are wired together.
struct Pulselog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulselog",
        abstract:
            "Records walks: heart rate, steps and what the walker did, never losing a reading.",
        discussion: """
            Every input is appended to a log as it came; every number shown is computed from the \
            log and can be computed again. Exit codes follow sysexits(3).
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Walking",
                subcommands: [
                    Record.self, Pause.self, Resume.self, Finish.self, Mark.self, Lap.self,
                    Refresh.self, Status.self, Serve.self, MapCommand.self,
                ]),
            CommandGroup(
                name: "Devices and profile",
                subcommands: [
                    Scan.self, DevicesCommand.self, ProfileCommand.self, Health.self, Doctor.self,
                    Bug.self, ConfigCommand.self, Paths.self,
                ]),
            CommandGroup(
                name: "Looking back",
                subcommands: [
                    SessionsCommand.self, Steps.self, TrendsCommand.self, RecordsCommand.self,
                    AuditCommand.self, Replay.self, Bisect.self, LogCommand.self,
                    Import.self, Export.self, Decode.self,
                ]),
        ])

    /// Runs a command; its failure becomes one sentence on standard error.
    ///
    /// - Parameter typed: The arguments of the command line, without the program's name.
    /// - Returns: The exit code; the parser ends the process itself.
    static func run(_ typed: [String]) async -> Int32 {
        var arguments = typed
        let logs = OpenedLogs()
        defer { logs.endWriting() }
        do {
            arguments = try ConfigurationFile.completing(typed)
            var command = try parseAsRoot(arguments)
            guard var asynchronous = command as? any AsyncParsableCommand else {
                try command.run()
                return EXIT_SUCCESS
            }
            let snapshot = LateSnapshot()
            try await OpenedLogs.$ofCommand.withValue(logs) {
                try await LateSnapshot.$ofCommand.withValue(snapshot) {
                    try await asynchronous.run()
                }
            }
            await snapshot.keep()
            return EXIT_SUCCESS
        } catch let code as ExitCode {
            // The command has said why.
            return code.rawValue
        } catch {
            // The parser's own errors and exit codes; all others are the command's.
            let code = exitCode(for: error)
            if code == .validationFailure {
                let complaint = ParserComplaint(fullMessage(for: error), arguments, self)
                // What nobody has typed is explained.
                let file = arguments == typed ? nil : ConfigurationFile.usualPath
                let also = file.map { "Some options were set in \(printable($0, limit: .max))." }
                let failure = CommandFailure(
                    .usage, [complaint.sentence, also].compactMap(\.self).joined(separator: " "))
                let text = complaint.text + (also.map { $0 + "\n" } ?? "")
                await complain(failure, as: Array(text.utf8), to: arguments)
                return code.rawValue
            }
            if code == .success {
                let more = defaultHelp(arguments, of: self) ?? ""
                Output.standard.write(fullMessage(for: error) + "\n" + more)
                return EXIT_SUCCESS
            }
            guard code == .failure else { exit(withError: error) }
            let failure = CommandFailure(error)
            await complain(
                failure, as: Array("pulselog: \(failure.message)\n".utf8), to: arguments)
            return failure.exitCode.rawValue
        }
    }

    /// Says why a command failed, as JSON to whoever asked for that.
    ///
    /// The process ends also if nobody reads it.
    private static func complain(
        _ failure: CommandFailure, as text: [UInt8], to arguments: [String]
    ) async {
        let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
        let fields = ["PULSELOG_ERROR": "\(failure.exitCode)"]
        if !isJSON, Output.standardError.journal?.put(failure.message, .error, fields) ?? false {
            return
        }
        let line = JSONWriter.line { json in
            json.object("error") { json in
                json.field("code", "\(failure.exitCode)")
                json.field("message", failure.message)
            }
        }
        await StreamWriter.sentences().finish(with: isJSON ? line : text)
    }
}
