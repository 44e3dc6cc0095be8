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
    }

    /// All but those that only print something.
    let all: [Option]

    var names: [String] { all.map(\.name) }

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
                        usual: argument["defaultValue"]?.text ?? (isFlag ? "false" : nil)))
            }
        } catch {
            preconditionFailure("The parser's description of \(command) is no JSON: \(error)")
        }
        self.all = all
    }

    private static let printing: Set = ["help", "version"]
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [JSONValue] { if case .array(let all) = self { all } else { [] } }
}
