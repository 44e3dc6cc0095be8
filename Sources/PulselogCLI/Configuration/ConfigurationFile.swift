internal import ArgumentParser
internal import Files
internal import Glibc
internal import Sensors
internal import Stores
internal import Terminal
internal import Words

/// Options of `record` and `serve` that need not be typed each time: a table for each command, a
/// key for each option; and the broker that is told of walks.
///
/// They stand before the arguments of the command line, so those win.
struct ConfigurationFile {
    /// The commands that it is for.
    static let commands = types.map { CommandOptions(of: $0) }
    private static let types: [any ParsableCommand.Type] = [
        Record.self, Serve.self, BrokerOptions.self,
    ]

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
    /// - Throws: ``CommandFailure`` if it cannot be read, says what no command understands, or
    ///   has commands that others can write.
    init?() throws {
        guard let path = Self.usualPath,
            environment("PULSELOG_CONFIG") != nil || access(path, F_OK) == 0
        else { return nil }
        self.path = path
        let bytes = try FilePlace.contents(of: path, limitBytes: 1 << 16)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.configuration, "\(path) is not text in UTF-8.")
        }
        do throws(ConfigurationText.Complaint) {
            settings = try ConfigurationText(text).settings
            for setting in settings {
                guard let complaint = Self.complaint(of: setting) else { continue }
                throw ConfigurationText.Complaint(line: setting.line, text: complaint)
            }
        } catch {
            let end = error.text.hasSuffix("?") ? "" : "."
            throw CommandFailure(
                .configuration, "\(path), line \(error.line): \(error.text)\(end)")
        }
        // Whoever can write a command is the walker, and whoever names a broker is told of walks.
        if let setting = settings.first(where: { [Self.hookTable, "mqtt"].contains($0.table) }),
            let exposure = FilePath.exposure(of: path, home: environment("HOME"))
        {
            let what = setting.table == Self.hookTable ? "commands" : "broker"
            throw CommandFailure(
                .permission, "The \(what) of \(path) may be anybody's: \(exposure).")
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
    private static func complaint(of setting: ConfigurationText.Setting) -> String? {
        let (key, values) = (setting.key, setting.values)
        if setting.table == hookTable {
            let all = WalkHooks.Occasion.allCases.map(\.rawValue)
            let isCommand = all.contains(key) && values.count == 1 && !values[0].isFlag
            let names = all.joined(separator: ", ")
            return isCommand ? nil : "[on] takes \(names), each a command in quotation marks"
        }
        guard let command = commands.first(where: { $0.name == setting.table }) else {
            let tables = (commands.map(\.name) + [hookTable]).map { "[\($0)]" }
            return "\(key) must stand below one of \(tables.joined(separator: ", "))"
        }
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
        if option.isFlag {
            return values.count == 1 && values[0].isFlag ? nil : "\(key) is true or false"
        }
        if values.contains(where: \.isFlag) { return "\(key) takes a text or a number" }
        return values.count == 1 || option.isRepeating ? nil : "\(key) has one value"
    }

    /// The arguments that a command is given by the file.
    ///
    /// - Parameter command: The command's name.
    /// - Returns: The arguments.
    func arguments(of command: String) -> [String] {
        settings.filter { $0.table == command }.flatMap { setting in
            setting.values.filter { $0 != .flag(false) }.map { value in
                value.isFlag ? "--\(setting.key)" : "--\(setting.key)=\(value.words)"
            }
        }
    }

    /// What an option of a command is set to, as it stands after the equals sign; nil if it is not
    /// set.
    func value(of option: String, for command: String) -> String? {
        let setting = settings.first { $0.table == command && $0.key == option }
        return setting?.values.map(\.words).joined(separator: ", ")
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
        _ = try file.parsed(BrokerOptions.self)
        _ = try file.parsed(command)
        return [name] + file.arguments(of: name) + arguments.dropFirst()
    }

    /// What the file sets of a command, as it is parsed; nil if that is nothing.
    ///
    /// - Throws: ``CommandFailure`` if the command does not take it.
    func parsed<Options: ParsableCommand>(_ command: Options.Type) throws -> Options? {
        let (name, given) = (command._commandName, arguments(of: command._commandName))
        do {
            return given.isEmpty ? nil : try command.parse(given)
        } catch {
            let complaint = ParserComplaint(command.fullMessage(for: error), given, command)
            throw CommandFailure(
                .configuration, "\(path), below [\(name)]: \(complaint.sentence)")
        }
    }
}
