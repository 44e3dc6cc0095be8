internal import ArgumentParser
internal import Glibc
internal import Sensors
internal import Stores
internal import Terminal
internal import Words

/// Options of `record` and `serve` that need not be typed each time: a table for each command, a
/// key for each option.
///
/// They stand before the arguments of the command line, so those win.
struct ConfigurationFile {
    /// The commands that it is for.
    static let commands = types.map { CommandOptions(of: $0) }
    private static let types: [any ParsableCommand.Type] = [Record.self, Serve.self]

    /// Where it is, or would be.
    let path: String
    private let settings: [ConfigurationText.Setting]

    /// Where it is looked for; nil without a home.
    static var usualPath: String? {
        if let path = environment("PULSELOG_CONFIG") { return path }
        return Surroundings.folder("XDG_CONFIG_HOME", orAtHome: ".config").map {
            "\($0)/pulselog/config.toml"
        }
    }

    /// Reads the file; nil if there is none, and nobody has named one.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be read, or says what no command understands.
    init?() throws {
        guard let path = Self.usualPath,
            environment("PULSELOG_CONFIG") != nil || access(path, F_OK) == 0
        else { return nil }
        try self.init(at: path)
    }

    private init(at path: String) throws {
        self.path = path
        let bytes = try InputFile.contents(of: path, limitBytes: 1 << 16)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.configuration, "\(path) is not text in UTF-8.")
        }
        do throws(ConfigurationText.Complaint) {
            settings = try ConfigurationText(text).settings
        } catch {
            throw Self.failure(path, error.line, error.text)
        }
        for setting in settings where setting.table != Self.hookTable {
            guard let command = Self.commands.first(where: { $0.name == setting.table }) else {
                let tables = Self.commands.map(\.name) + [Self.hookTable]
                let names = tables.map { "[\($0)]" }.joined(separator: ", ")
                throw Self.failure(
                    path, setting.line, "\(setting.key) must stand below one of \(names)")
            }
            if let complaint = Self.complaint(of: setting, command) {
                throw Self.failure(path, setting.line, complaint)
            }
        }
        for setting in settings where setting.table == Self.hookTable {
            guard WalkHooks.Occasion(rawValue: setting.key) != nil,
                setting.values.count == 1, case .text = setting.values.first
            else {
                let all = WalkHooks.Occasion.allCases.map(\.rawValue).joined(separator: ", ")
                throw Self.failure(
                    path, setting.line, "[on] takes \(all), each a command in quotation marks")
            }
        }
    }

    /// The table of the walker's commands.
    static let hookTable = "on"

    /// The walker's commands, by what they are for.
    ///
    /// - Throws: ``CommandFailure`` if the file is wrong.
    static func hooks() throws -> [WalkHooks.Occasion: String] {
        let file = try ConfigurationFile()
        return WalkHooks.Occasion.allCases.reduce(into: [:]) { commands, occasion in
            commands[occasion] = file?.value(of: occasion.rawValue, for: hookTable)
        }
    }

    /// What is wrong with a setting; nil if nothing is.
    private static func complaint(
        of setting: ConfigurationText.Setting, _ command: CommandOptions
    ) -> String? {
        let key = setting.key
        guard let option = command.all.first(where: { $0.name == key }) else {
            let meant = command.all.first {
                ParserComplaint.isOneSlip(Array($0.name.utf8), Array(key.utf8))
            }
            return "`\(command.name)` has no option \(key)"
                + (meant.map { ". Did you mean \($0.name)?" } ?? "")
        }
        if key == "store" {
            return "every command needs the store; PULSELOG_STORE names it for all of them"
        }
        let flags = setting.values.count {
            if case .flag = $0 { true } else { false }
        }
        if option.isFlag {
            return flags == 1 && setting.values.count == 1 ? nil : "\(key) is true or false"
        }
        guard flags == 0 else { return "\(key) takes a text or a number" }
        let isOne = setting.values.count == 1 || option.isRepeating
        return isOne ? nil : "\(key) has one value"
    }

    private static func failure(_ path: String, _ line: Int, _ text: String) -> CommandFailure {
        CommandFailure(
            .configuration, "\(path), line \(line): \(text)" + (text.hasSuffix("?") ? "" : "."))
    }

    /// The arguments that a command is given by the file.
    ///
    /// - Parameter command: The command's name.
    /// - Returns: The arguments.
    func arguments(of command: String) -> [String] {
        settings.filter { $0.table == command }.flatMap { setting in
            setting.values.compactMap { value in
                switch value {
                case .text(let text): "--\(setting.key)=\(text)"
                case .flag(true): "--\(setting.key)"
                case .flag(false): nil
                }
            }
        }
    }

    /// What an option of a command is set to, as it stands after the equals sign; nil if it is not
    /// set.
    func value(of option: String, for command: String) -> String? {
        let setting = settings.first { $0.table == command && $0.key == option }
        return setting?.values.map {
            switch $0 {
            case .text(let text): text
            case .flag(let isSet): "\(isSet)"
            }
        }.joined(separator: ", ")
    }

    /// The arguments of a command line, with those of the file before them.
    ///
    /// - Parameter arguments: Those of the command line, without the program's name.
    /// - Returns: The arguments.
    /// - Throws: ``CommandFailure`` if the file is wrong. Whoever asks for help is helped all the
    ///   same.
    static func completing(_ arguments: [String]) throws -> [String] {
        let helping = ["--help", "--help-hidden", "-h", "--version"]
        let isHelp = arguments.contains(where: helping.contains)
        guard let name = arguments.first, !isHelp,
            let command = types.first(where: { $0._commandName == name }),
            // A phone can be kept out also while the file is wrong.
            !command.configuration.subcommands.contains(where: { type in
                arguments.dropFirst().first == type._commandName
            }),
            let file = try ConfigurationFile()
        else { return arguments }
        let given = file.arguments(of: name)
        do {
            _ = try command.parse(given)
        } catch {
            let complaint = ParserComplaint(command.fullMessage(for: error), given, command)
            throw CommandFailure(
                .configuration, "\(file.path), below [\(name)]: \(complaint.sentence)")
        }
        return [name] + given + arguments.dropFirst()
    }
}
