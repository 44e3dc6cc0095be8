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
    static let commands: [any ParsableCommand.Type] = [Record.self, Serve.self]

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

    /// Reads the file that the environment names; nil if there is none.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be read, or says what no command understands.
    init?() throws {
        guard let path = Self.usualPath, access(path, F_OK) == 0 else { return nil }
        try self.init(at: path)
    }

    private init(at path: String) throws {
        self.path = path
        let bytes = try InputFile.contents(of: path, limitBytes: 1 << 16)
        do throws(ConfigurationText.Complaint) {
            settings = try ConfigurationText(String(decoding: bytes, as: UTF8.self)).settings
        } catch {
            throw Self.failure(path, error.line, error.text)
        }
        for setting in settings {
            let command = Self.commands.first { $0._commandName == setting.table }
            guard let command else {
                let names = Self.commands.map { "[\($0._commandName)]" }.joined(separator: ", ")
                throw Self.failure(
                    path, setting.line, "\(setting.key) must stand below one of \(names)")
            }
            try check(setting, of: command)
        }
    }

    private func check(
        _ setting: ConfigurationText.Setting, of command: any ParsableCommand.Type
    ) throws(CommandFailure) {
        let known = CommandOptions(of: command).names
        guard !known.contains(setting.key) else { return }
        let meant = known.first {
            ParserComplaint.isOneSlip(Array($0.utf8), Array(setting.key.utf8))
        }
        throw Self.failure(
            path, setting.line,
            "`\(command._commandName)` has no option \(setting.key)"
                + (meant.map { ". Did you mean \($0)?" } ?? ""))
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
        let isHelp = arguments.contains { ["--help", "-h", "--version"].contains($0) }
        guard let name = arguments.first, !isHelp,
            let command = commands.first(where: { $0._commandName == name }),
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
