// The signs of lists and plots, and what stands for each where there is only ASCII.

extension Unicode.Scalar {
    /// What stands for a sign of ours where there is only ASCII; nil for any other character.
    ///
    /// A part of a bar becomes whole columns, a column of a plot shows its quarters.
    public var signInASCII: String? {
        switch self {
        case "█", "▋", "▊", "▉", "▆", "▇": "#"
        case "▏", "▎", "▍", "▌": " "
        case "▁", "░": "."
        case "▂", "▃", "▄", "▅": ":"
        case "▒", "╌", "─", "–": "-"
        case "▓": "="
        case "│", "┤": "|"
        case "└": "+"
        case "·": "?"
        case "◆": "^"
        case "○": "o"
        case "■": "x"
        case "…": "~"
        case "→": ">"
        default: nil
        }
    }
}

extension String {
    /// The text with its signs in ASCII; letters stay as they are.
    public var signsInASCII: String {
        unicodeScalars.reduce(into: "") { $0 += $1.signInASCII ?? String($1) }
    }
}

/// A bar for a value: as long as all columns for the greatest, to an eighth of a column.
///
/// - Parameters:
///   - value: The value.
///   - most: The greatest one, not 0.
///   - width: The columns of the greatest.
/// - Returns: The bar; empty for what is less than a sixteenth of a column.
public func bar(_ value: UInt64, of most: UInt64, to width: Int) -> String {
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let eighths = (UInt128(value) * UInt128(width * 8) + UInt128(most) / 2) / UInt128(most)
    let count = Int(min(eighths, UInt128(width * 8)))
    return String(repeating: "█", count: count / 8) + parts[count % 8]
}

/// A stranger's text as `printable(_:limit:)` gives it, in at most so many columns with its `…`.
public func shortened(_ text: String, to width: Int) -> String {
    let whole = printable(text, limit: width)
    return columns(of: whole) <= width ? whole : printable(text, limit: max(width - 1, 0))
}
