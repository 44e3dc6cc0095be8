import Text

/// As much of a terminal as the drawings use: what would be seen, and what is wrong with it.
///
/// After the last column the next character waits to wrap, as in xterm: until then the cursor
/// stands on the last cell, and what is erased from there on takes that cell along.
struct Glass {
    private(set) var rows: [[Character]]
    /// What a drawing must not do, and did.
    private(set) var complaints: [String] = []
    private let columns: Int
    private var row = 0
    private var column = 0
    private var isWrapPending = false

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
            guard text.popFirst() == "[" else {
                complaints.append("An escape is no CSI.")
                continue
            }
            let parameters = text.prefix { $0.isNumber || $0 == ";" || $0 == "?" }
            text = text.dropFirst(parameters.count)
            obey(text.popFirst() ?? " ", parameters.split(separator: ";").map { Int($0) ?? 0 })
        }
    }

    /// A wide character takes two cells; the second one is empty, and nothing of it is seen.
    private mutating func put(_ character: Character) {
        let width = Text.columns(of: String(character))
        guard !isWrapPending, column + width <= columns, rows.indices.contains(row) else {
            complaints.append("\(character) is drawn outside, in row \(row).")
            return
        }
        rows[row][column] = character
        column += width
        isWrapPending = column == columns
        if isWrapPending { column -= 1 }
    }

    private mutating func obey(_ final: Character, _ parameters: [Int]) {
        switch final {
        case "H":
            guard parameters.count == 2, (1...rows.count).contains(parameters[0]),
                (1...columns).contains(parameters[1])
            else {
                complaints.append("The cursor goes to \(parameters).")
                return
            }
            (row, column) = (parameters[0] - 1, parameters[1] - 1)
            isWrapPending = false
        case "J": rows = rows.map { $0.map { _ in " " } }
        case "K":
            for index in column..<columns { rows[row][index] = " " }
            isWrapPending = false
        case "m", "h", "l": break
        default: complaints.append("\(final) is not used.")
        }
    }
}
