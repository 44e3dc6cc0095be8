internal import ArgumentParser
internal import JSON

/// The options of a command, as its help has them.
struct CommandOptions {
    /// An option.
    struct Option: Hashable, Sendable {
        /// Its long name, without the hyphens.
        var name: String
        /// What it is without being set, in words; nil for nothing.
        var usual: String?
        /// Whether it has no value.
        var isFlag: Bool
        /// Whether it can be given more than once.
        var isRepeating: Bool
    }

    /// The command's name.
    let name: String
    /// All but those that only print something.
    let all: [Option]

    /// Asks a command's parser.
    ///
    /// - Parameter command: The command.
    init(of command: any ParsableCommand.Type) {
        let description = JSONValue(parsing: Array(command._dumpHelp().utf8))
        guard let arguments = description?["command"]?["arguments"]?.elements else {
            preconditionFailure("The parser describes \(command) in another way.")
        }
        name = command._commandName
        all = arguments.compactMap { argument in
            guard let name = argument["preferredName"]?["name"]?.text,
                argument["kind"]?.text != "positional", !["help", "version"].contains(name)
            else { return nil }
            let isFlag = argument["kind"]?.text == "flag"
            return Option(
                name: name, usual: argument["defaultValue"]?.text ?? (isFlag ? "false" : nil),
                isFlag: isFlag, isRepeating: argument["isRepeating"] == .bool(true))
        }
    }
}
