/// Takes comma-separated values apart (RFC 4180), also with semicolons or tabs between them.
struct CSVRows {
    /// The most bytes of a cell, and the most cells of a row.
    private static let cellLimit = 4_096
    private static let rowLimit = 256

    /// Why nothing can be read any further.
    private(set) var damage: String?
    private var cells: [String] = []
    private var cell: [UInt8] = []
    private var isQuoted = false
    /// Whether the byte before was a quote within quotes: the end of them, or the first of two.
    private var isAfterQuote = false
    private var line = 1
    /// What stands between cells: the first of these that comes outside of quotes.
    private(set) var separator: UInt8?

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: They may be cut anywhere.
    ///   - body: Called with the cells of each row that is not empty.
    mutating func push(_ bytes: Span<UInt8>, _ body: ([String]) -> Void) {
        for index in bytes.indices where damage == nil { take(bytes[index], body) }
    }

    /// Says that no bytes follow.
    mutating func finish(_ body: ([String]) -> Void) {
        if isQuoted, !isAfterQuote {
            damage = "It ends within quotes that begin before line \(line)."
        }
        if damage == nil { endRow(body) }
    }

    private mutating func take(_ byte: UInt8, _ body: ([String]) -> Void) {
        if byte == 0x0A { line += 1 }
        if isAfterQuote {
            isAfterQuote = false
            if byte != UInt8(ascii: "\"") { isQuoted = false }
        } else if byte == UInt8(ascii: "\""), isQuoted || cell.isEmpty {
            isAfterQuote = isQuoted
            isQuoted = true
            return
        }
        switch byte {
        case _ where isQuoted: cell.append(byte)
        case 0x0D: break
        case 0x0A: endRow(body)
        case _ where byte == separator ?? byte && (separator != nil || ",;\t".utf8.contains(byte)):
            separator = byte
            endCell()
        default: cell.append(byte)
        }
        guard cell.count <= Self.cellLimit, cells.count < Self.rowLimit else {
            return damage = "Line \(line) has more, or longer, cells than any table of a walk."
        }
    }

    private mutating func endCell() {
        cells.append(String(decoding: cell, as: UTF8.self).withoutSpace)
        cell.removeAll(keepingCapacity: true)
    }

    private mutating func endRow(_ body: ([String]) -> Void) {
        endCell()
        let row = cells
        cells.removeAll(keepingCapacity: true)
        if row.contains(where: { !$0.isEmpty }) { body(row) }
    }
}
