internal import Text

/// A picture of values in a terminal: a column for each, in rows that are filled to an eighth.
struct Plot {
    /// A value for each column; nil where there is none.
    let values: [UInt64?]
    /// Where the lowest row begins.
    let bottom: UInt64
    /// How much a row is.
    let rowHeight: UInt64
    /// A value with a dotted line, or nil.
    var line: UInt64?

    /// The rows, the highest first: up to the greatest value or the line, and one more.
    ///
    /// - Parameters:
    ///   - labelColumns: The columns of the labels on the axis.
    ///   - label: What stands beside every other row.
    /// - Returns: The lines, without ends.
    func lines(labelColumns: Int, _ label: (UInt64) -> String) -> [String] {
        let most = max(values.lazy.compactMap(\.self).max() ?? bottom, line ?? bottom)
        let rows = (most - bottom) / rowHeight + 2
        return (0..<rows).reversed().map { row in
            let lower = bottom + row * rowHeight
            let isNamed = row > 0 && row % 2 == 0
            let axis = alignedRight(isNamed ? label(lower) : "", labelColumns)
            let dots = line.map { lower <= $0 && $0 < lower + rowHeight } ?? false
            let cells = values.map { cell($0, above: lower) ?? (dots ? "╌" : " ") }.joined()
            return axis + (isNamed ? " ┤" : " │") + cells
        }
    }

    /// What a value fills of a row, or nil: in the lowest row every value fills something.
    private func cell(_ value: UInt64?, above lower: UInt64) -> String? {
        guard let value else { return nil }
        let height = value > lower ? min(value - lower, rowHeight) : 0
        let eighths = (height * 8 + rowHeight / 2) / rowHeight
        guard eighths > 0 else { return lower == bottom ? "▁" : nil }
        return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][Int(eighths) - 1]
    }

    /// How much a row is, so that values up to `most` take so many rows at most: 1, 2 or 5, or that
    /// many tens, hundreds and so on.
    static func rowHeight(for most: UInt64, rows: UInt64) -> UInt64 {
        var power: UInt64 = 1
        while most / (power * 5) >= rows, power < .max / 50 { power *= 10 }
        return [1, 2, 5].map { $0 * power }.first { most / $0 < rows } ?? power * 5
    }

    /// The labels of a time axis below the columns: those that fit, in their order of importance.
    ///
    /// - Parameters:
    ///   - labels: A column and what begins there.
    ///   - columns: How many columns there are.
    /// - Returns: The line.
    static func axis(_ labels: [(column: Int, text: String)], columns: Int) -> String {
        var cells = [Character](repeating: " ", count: columns)
        for (column, text) in labels {
            let range = column..<column + text.count
            let room = max(0, column - 1)..<min(columns, range.upperBound + 1)
            guard column >= 0, range.upperBound <= columns,
                cells[room].allSatisfy({ $0 == " " })
            else { continue }
            cells.replaceSubrange(range, with: text)
        }
        return String(cells)
    }
}
