internal import ArgumentParser
internal import Interchange
internal import JSON
internal import Projections
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// Options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the store.",
            discussion: "Default: $PULSELOG_STORE, else $XDG_DATA_HOME/pulselog, else "
                + "~/.local/share/pulselog.", valueName: "dir"))
    var store: String?

    @Flag(help: "Write JSON to standard output.")
    var json = false

    @Option(help: "Colour: auto, always or never; NO_COLOR is honoured.")
    var color: ColorChoice = .auto

    /// The store's folder, from the option or the environment.
    ///
    /// - Throws: ``CommandFailure`` if neither names one and there is no home folder, or the option
    ///   is empty: what a script has left out is no other folder.
    func storeDirectory() throws(CommandFailure) -> String {
        if let store {
            try require(
                !store.isEmpty, .usage, "--store is empty; name a folder, or leave the option out.")
            return store
        }
        if let path = environment("PULSELOG_STORE") { return path }
        guard let folder = Surroundings.folder("XDG_DATA_HOME", orAtHome: ".local/share") else {
            throw CommandFailure(
                .configuration,
                "HOME is not set, so there is no folder for the store; name one with --store.")
        }
        return folder + "/pulselog"
    }

    /// What names the store's folder.
    var storeOrigin: String {
        if store != nil { return "--store" }
        return environment("PULSELOG_STORE") == nil ? "default" : "PULSELOG_STORE"
    }

    /// Opens the store.
    ///
    /// - Throws: ``CommandFailure`` in the words of the log, with its exit code.
    func open(_ access: Store.Access) throws -> Store {
        try Store.open(storeDirectory(), for: access)
    }

    /// Does what a command asks of a store, and says one sentence if it was good.
    ///
    /// - Parameters:
    ///   - access: Whether the store is made if it does not exist.
    ///   - request: Makes the request from the state after the last event of the log.
    ///   - sentence: Makes the sentence from the state after it.
    /// - Throws: ``CommandFailure``; for a refusal with the code for usage.
    func perform(
        _ access: Store.Access = .existing,
        _ request: @escaping @Sendable (LogState) throws -> Command,
        saying sentence: (LogState) throws -> String
    ) async throws {
        let (events, state) = try await open(access).perform(request)
        let words = try sentence(state)
        for event in events where json { Output.standard.write(event.jsonLine) }
        if !json { draw(words + "\n") }
    }

    /// As above, for a request that needs nothing of the state.
    func perform(
        _ command: Command, _ access: Store.Access = .existing,
        saying sentence: (LogState) throws -> String
    ) async throws {
        try await perform(access, { _ in command }, saying: sentence)
    }

    /// Writes lines for people, or one object.
    func write(_ text: @autoclosure () -> String, _ object: (inout JSONWriter) -> Void) {
        json ? Output.standard.write(object) : Output.standard.write(text())
    }

    /// Writes an answer that is a finding, and ends the command with its exit code.
    func find(_ answer: some Answer) -> ExitCode {
        write(answer)
        return .finding
    }

    /// Writes an answer as it is asked for.
    func write(_ answer: some Answer) {
        Output.standard.write(json ? answer.jsonLine : Array(answer.text.utf8))
    }

    /// Writes a list: its lines of JSON, or a table, or a sentence where it is empty.
    func write(
        list lines: some Collection<[UInt8]>, orElse sentence: String,
        _ table: () throws -> TextTable
    ) rethrows {
        guard !json else { return lines.forEach { Output.standard.write($0) } }
        Output.standard.write(lines.isEmpty ? sentence + "\n" : try table().text)
    }

    /// How wide lists may be: `COLUMNS`, from 60 to 80; else 80.
    var columns: Int {
        min(max(environment("COLUMNS").flatMap { Int($0) } ?? 80, 60), 80)
    }

    /// Writes lines whose signs are those of Unicode, or in ASCII where there is nothing else.
    func draw(_ text: String) {
        let isPlain = !isUTF8 || environment("PULSELOG_ASCII") == "1"
        guard isPlain else { return Output.standard.write(text) }
        let lines = text.signsInASCII.split(separator: "\n", omittingEmptySubsequences: false)
        Output.standard.write(
            lines.map { String.trimmed(String($0)) }.joined(separator: "\n"))
    }

    /// What the terminal can that a screen may be drawn on; nil without one.
    var screen: Look? {
        guard Output.standard.isTerminal, environment("TERM") != "dumb" else { return nil }
        return Look(isColored: isColored(.standard))
    }

    /// Whether to colour what goes to `output`.
    func isColored(_ output: Output) -> Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto:
            output.isTerminal && environment("NO_COLOR") == nil
                && environment("TERM") != "dumb"
        }
    }

    /// Who answers for what a person says, if nobody is named: the user.
    static var author: String { environment("USER") ?? environment("LOGNAME") ?? "walker" }
}

extension Output {
    /// Writes a JSON object on a line of its own.
    func write(_ object: (inout JSONWriter) -> Void) { write(JSONWriter.line(object)) }
}

extension ExitCode {
    /// A check found something.
    static let finding = ExitCode(CommandFailure.Code.finding.rawValue)
}

/// When to colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
