/// The settings in the text of a configuration file: of TOML 1.0 tables, bare keys, comments, and
/// strings, whole numbers, booleans and lists of them that fit on a line.
///
/// A library for the rest of TOML brings Foundation with it, four times the size of the program.
struct ConfigurationText {
    /// A key and its value.
    struct Setting: Hashable, Sendable {
        /// What stands in the brackets above it; empty above the first ones.
        var table: String
        var key: String
        var values: [Value]
        /// Counted from 1.
        var line: Int
    }

    /// What a key is set to.
    enum Value: Hashable, Sendable {
        case text(String)
        case flag(Bool)

        /// As it stands after the equals sign.
        var words: String {
            switch self {
            case .text(let text): text
            case .flag(let isSet): "\(isSet)"
            }
        }

        /// Whether it is true or false.
        var isFlag: Bool { if case .flag = self { true } else { false } }
    }

    /// What is wrong, and where.
    struct Complaint: Error, Hashable {
        var line: Int
        var text: String
    }

    private(set) var settings: [Setting] = []

    /// Reads a text.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``Complaint``.
    init(_ text: String) throws(Complaint) {
        var table = ""
        // Two characters that end a line are one in Swift.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            var line = Line(line, number: index + 1)
            guard line.next != nil else { continue }
            if line.take("[") {
                table = try line.name(
                    before: "]", else: "a table is a name in brackets, such as [record]")
            } else {
                let key = try line.name(
                    before: "=", else: "a setting is a key, an equals sign and a value")
                guard !settings.contains(where: { ($0.table, $0.key) == (table, key) }) else {
                    throw line.complaint("\(key) is set twice")
                }
                settings.append(
                    Setting(table: table, key: key, values: try line.values(), line: index + 1))
            }
            guard line.next == nil else {
                throw line.complaint("nothing can follow here but a comment")
            }
        }
    }

    /// What is left of a line.
    private struct Line {
        private var rest: Substring
        private let number: Int

        init(_ text: Substring, number: Int) {
            (rest, self.number) = (text, number)
        }

        func complaint(_ text: String) -> Complaint { Complaint(line: number, text: text) }

        /// The next character that is neither a space nor in a comment; nil at the end.
        var next: Character? {
            mutating get {
                rest = rest.drop { $0 == " " || $0 == "\t" }
                return rest.first == "#" ? nil : rest.first
            }
        }

        /// Takes a character, if it is the next one.
        mutating func take(_ character: Character) -> Bool {
            guard next == character else { return false }
            rest.removeFirst()
            return true
        }

        /// Takes letters, digits, `_` and `-`.
        private mutating func word() -> String {
            _ = next
            let word = rest.prefix {
                $0.isASCII && ($0.isLetter || $0.isWholeNumber || $0 == "_" || $0 == "-")
            }
            rest = rest.dropFirst(word.count)
            return String(word)
        }

        /// Takes a name, and the character after it.
        mutating func name(
            before mark: Character, else words: String
        ) throws(Complaint) -> String {
            let name = word()
            guard !name.isEmpty, take(mark) else { throw complaint(words) }
            return name
        }

        mutating func values() throws(Complaint) -> [Value] {
            guard take("[") else { return [try value()] }
            var values: [Value] = []
            while !take("]") {
                values.append(try value())
                guard take(",") || next == "]" else {
                    throw complaint("a list ends on its line, with commas between its values")
                }
            }
            return values
        }

        private mutating func value() throws(Complaint) -> Value {
            if let mark = next, mark == "\"" || mark == "'" {
                return .text(try text(endingWith: mark))
            }
            let word = word()
            if let flag = Bool(word) { return .flag(flag) }
            guard Int64(word) != nil else {
                throw complaint(
                    "a value is a text in quotation marks, a whole number, true or false")
            }
            return .text(word)
        }

        private static let escapes: [Character: Character] = [
            "\"": "\"", "\\": "\\", "t": "\t", "n": "\n",
        ]

        private mutating func text(endingWith mark: Character) throws(Complaint) -> String {
            rest.removeFirst()
            var text = ""
            while var character = rest.popFirst() {
                if character == mark { return text }
                if character == "\\", mark == "\"" {
                    guard let meant = rest.popFirst().flatMap({ Self.escapes[$0] }) else {
                        throw complaint("after a backslash comes \\, \", t or n")
                    }
                    character = meant
                }
                text.append(character)
            }
            throw complaint("the text has no quotation mark at its end")
        }
    }
}
