/// A list for people: a heading, and a line for each thing, in columns as wide as what is in them.
public struct TextTable {
    /// What is above a column, and on which side it is aligned.
    public struct Column {
        let title: String
        let isNumber: Bool

        /// A column of words, aligned on the left.
        public static func words(_ title: String) -> Column {
            Column(title: title, isNumber: false)
        }
        /// A column of numbers, aligned on the right.
        public static func numbers(_ title: String) -> Column {
            Column(title: title, isNumber: true)
        }
    }

    private let shown: [Column]
    private var rows: [[String]]

    /// Makes a table without rows.
    public init(_ columns: Column...) {
        shown = columns
        rows = [columns.map(\.title)]
    }

    /// Adds a row: a cell for each column, harmless in a terminal.
    public mutating func add(_ cells: String...) {
        precondition(cells.count == shown.count, "Not one cell for each column.")
        rows.append(cells)
    }

    /// The heading and the rows, without line ends and without spaces before them.
    public var lines: [String] {
        let widths = shown.indices.map { index in
            rows.reduce(0) { max($0, columns(of: $1[index])) }
        }
        return rows.map { row in
            let cells = shown.indices.map { index in
                shown[index].isNumber
                    ? alignedRight(row[index], widths[index])
                    : padded(row[index], to: widths[index])
            }
            return String.trimmed(cells.joined(separator: "  "))
        }
    }

    /// The lines, each with its end.
    public var text: String { lines.joined(separator: "\n") + "\n" }
}
