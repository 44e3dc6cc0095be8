internal import ArgumentParser
internal import Text

/// What the parser says of arguments that it cannot use, with the command that was probably meant,
/// harmless in a terminal.
struct ParserComplaint {
    /// The lines, each with its end.
    let text: String
    /// What is wrong, in one sentence.
    let sentence: String

    /// Takes the parser's words over.
    ///
    /// - Parameters:
    ///   - message: Its full message.
    ///   - arguments: Those of the command line, without the program's name.
    ///   - root: The command that they were given to.
    init(_ message: String, _ arguments: [String], _ root: any ParsableCommand.Type) {
        var message = message
        for argument in arguments {
            let shown = printable(argument, limit: .max)
            // The parser quotes what it cannot use; a line end of its own stays one.
            if shown != argument {
                message = message.replacing("'\(argument)'", with: "'\(shown)'")
            }
        }
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { printable(String($0), limit: .max) }
        // An option is unknown also because its command is.
        if let first = lines.first,
            first.contains("nexpected argument") || first.contains("Unknown option"),
            !first.contains("Did you mean"), let meant = Self.meant(arguments, root)
        {
            lines[0] = first + ". Did you mean '\(meant)'?"
        }
        // The parser takes what begins with a minus sign for an option.
        let negative = zip(arguments, [""] + arguments).first { argument, before in
            // The one number that may be negative.
            before != "--by" && (before == "--zone" || Self.isNumber(argument.dropFirst()))
                && argument.hasPrefix("-") && argument.dropFirst().first?.isWholeNumber == true
        }
        if let (argument, before) = negative,
            lines[0].contains("Missing") || lines[0].contains("Unknown option")
        {
            let shown = printable(argument, limit: 40)
            lines[0] =
                before == "--zone"
                ? "Error: an offset west of UTC is joined to its option: `--zone=\(shown)`."
                : "Error: \(shown) is negative; a number must be 0 or more here."
        }
        lines[0] += Self.missingUnit(lines[0]).map { ": a unit is missing; write \($0)." } ?? ""
        let first = lines[0].hasPrefix("Error: ") ? lines[0].dropFirst(7) : lines[0][...]
        sentence = first.hasSuffix(".") || first.hasSuffix("?") ? String(first) : first + "."
        text = lines.joined(separator: "\n") + "\n"
    }

    /// The value with a unit, of a complaint about a distance or a duration that has none.
    private static func missingUnit(_ complaint: String) -> String? {
        let quoted = complaint.split(separator: "'", omittingEmptySubsequences: false)
        guard quoted.count == 5, complaint.contains("is invalid for") else { return nil }
        let value = quoted[1].split(separator: "=", omittingEmptySubsequences: false)
        let isNumber = value.last.map {
            !$0.isEmpty && $0.allSatisfy { "0123456789.,".contains($0) }
        }
        let kind = value.count == 2 ? String(value[0]) : String(quoted[3])
        let units = [
            "distance": "km", "--longer <distance>": "km", "--shorter <distance>": "km",
            "duration": "m", "--for <time>": "m",
        ]
        return isNumber == true ? units[kind].map { quoted[1] + $0 } : nil
    }

    /// Whether it is a whole number, a decimal or a duration, such as 5, 2.5 or 5s.
    private static func isNumber(_ text: Substring) -> Bool {
        text.allSatisfy { $0.isLetter || $0.isWholeNumber || $0 == "." }
    }

    /// The command whose name is one slip away from an argument that stands where it belongs.
    private static func meant(
        _ arguments: [String], _ root: any ParsableCommand.Type
    ) -> String? {
        var command = root
        // Commands stand before all options.
        for argument in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = command.configuration.subcommands
            if let next = subcommands.first(where: { $0._commandName == argument }) {
                command = next
            } else if let meant = subcommands.first(where: {
                isOneSlip(Array(argument.utf8), Array($0._commandName.utf8))
            }) {
                return meant._commandName
            }
        }
        return nil
    }

    /// Whether one byte too many, too few or wrong, or two that changed places, tell them apart.
    static func isOneSlip(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let begin = zip(left, right).prefix { $0 == $1 }.count
        let (left, right) = (left.dropFirst(begin), right.dropFirst(begin))
        let isSwapped = Array(left.prefix(2).reversed()) == Array(right.prefix(2))
        return left.dropFirst() == right || left == right.dropFirst()
            || left.dropFirst() == right.dropFirst()
            || isSwapped && left.dropFirst(2) == right.dropFirst(2)
    }
}
