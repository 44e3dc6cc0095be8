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

    let command: any ParsableCommand.Type
    /// All but those that only print something.
    let all: [Option]

    /// The command's name.
    var name: String { command._commandName }

    /// Asks a command's parser.
    ///
    /// - Parameter command: The command.
    init(of command: any ParsableCommand.Type) {
        let dump = Array(command._dumpHelp().utf8)
        var all: [Option] = []
        do throws(JSONError) {
            let arguments = try JSONParser.parse(dump)["command"]?["arguments"]
            for case let argument in arguments?.elements ?? [] {
                guard let name = argument["preferredName"]?["name"]?.text,
                    argument["kind"]?.text != "positional", !Self.printing.contains(name)
                else { continue }
                let isFlag = argument["kind"]?.text == "flag"
                all.append(
                    Option(
                        name: name,
                        usual: argument["defaultValue"]?.text ?? (isFlag ? "false" : nil),
                        isFlag: isFlag, isRepeating: argument["isRepeating"] == .bool(true)))
            }
        } catch {
            preconditionFailure("The parser's description of \(command) is no JSON: \(error)")
        }
        (self.command, self.all) = (command, all)
    }

    private static let printing: Set = ["help", "version"]
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [JSONValue] { if case .array(let all) = self { all } else { [] } }
}
