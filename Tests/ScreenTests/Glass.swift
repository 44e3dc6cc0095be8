/// As much of a terminal as the drawings use: what would be seen.
struct Glass {
    private(set) var rows: [[Character]]
    private let columns: Int
    private var row = 0
    private var column = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The lines without the spaces at their ends.
    var lines: [String] {
        rows.map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    mutating func write(_ bytes: [UInt8]) {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = text.popFirst() {
            guard character == "\u{1B}" else {
                put(character)
                continue
            }
            precondition(text.popFirst() == "[", "only CSI is used")
            let parameters = text.prefix { $0.isNumber || $0 == ";" || $0 == "?" }
            text = text.dropFirst(parameters.count)
            obey(text.popFirst() ?? " ", parameters.split(separator: ";").map { Int($0) ?? 0 })
        }
    }

    private mutating func put(_ character: Character) {
        precondition(column < columns && row < rows.count, "\(character) is drawn outside")
        rows[row][column] = character
        column += 1
    }

    private mutating func obey(_ final: Character, _ parameters: [Int]) {
        switch final {
        case "H": (row, column) = (parameters[0] - 1, parameters[1] - 1)
        case "J": rows = rows.map { $0.map { _ in " " } }
        case "K":
            for index in column..<columns { rows[row][index] = " " }
        case "m", "h", "l": break
        default: preconditionFailure("\(final) is not used")
        }
    }
}
