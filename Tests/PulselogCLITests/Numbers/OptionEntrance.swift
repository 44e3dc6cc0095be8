import Foundation
import TestSupport

extension NumberEntrances {
    /// What becomes of a command: its options are parsed, and it runs where that takes no time.
    static func option(_ text: String) async throws -> Fate {
        guard CommandLineTrial(text.arguments).complaint == nil else { return .refused }
        let waits = ["record", "serve", "scan", "devices"].contains(text.arguments[0])
        guard !waits, !text.contains("--rate") else { return .taken }
        let bench = Workbench()
        _ = try await bench.output("health", "1", "--day", "2026-03-01")
        return try await bench.start(text.arguments).end.status == 64 ? .refused : .taken
    }

    /// The options and arguments of all commands, as `record --for` and `sessions show ?`.
    static func options() async throws -> Set<String> {
        let help = try await Workbench().output("--experimental-dump-help")
        let tree = try JSONSerialization.jsonObject(with: Data(help)) as? [String: Any]
        var options: Set<String> = []
        func walk(_ command: [String: Any], _ path: String) {
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                let kind = argument["kind"] as? String
                if kind == "positional" { options.insert("\(path) ?") }
                guard kind == "option", let name = argument["preferredName"] as? [String: Any],
                    let text = name["name"] as? String
                else { continue }
                options.insert("\(path) \(text.count == 1 ? "-" : "--")\(text)")
            }
            for subcommand in command["subcommands"] as? [[String: Any]] ?? [] {
                let name = subcommand["commandName"] as? String ?? ""
                walk(subcommand, path.isEmpty ? name : "\(path) \(name)")
            }
        }
        walk(tree?["command"] as? [String: Any] ?? [:], "")
        return options
    }

    /// Which option a line of the table is about, in the form of ``options()``.
    static func option(of line: String) -> String {
        let words = line.arguments
        let place = words.firstIndex { $0.contains("‹") } ?? words.count - 1
        if words[place].hasPrefix("-") { return line }
        // A command's words are letters alone, up to the first of another kind.
        let path = words.prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } && $0.first != "-" }
        let isOption = place > 0 && words[place - 1].hasPrefix("-")
        let command = path.prefix(isOption ? place - 1 : place)
        return (command + [isOption ? words[place - 1] : "?"]).joined(separator: " ")
    }
}
