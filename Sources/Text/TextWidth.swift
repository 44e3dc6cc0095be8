/// How many columns a terminal gives to text, and text made to fit.
extension Unicode.Scalar {
    /// 0 for marks that stand on the character before, 2 for wide ones, else 1.
    ///
    /// By Unicode Standard Annex 11, with the ranges of the East Asian scripts and of the pictures
    /// taken whole: a terminal may differ by a column, and nothing worse comes of it.
    public var columns: Int {
        // Nearly all of it; what else there is costs a look into a table.
        if (0x20...0x7E).contains(value) { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}

/// The columns of a text without escape codes.
public func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + $1.columns }
}

/// The text with spaces after it, so that it takes so many columns at least.
public func padded(_ text: String, to count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - columns(of: text)))
}

/// The text with spaces before it, so that it takes so many columns at least.
public func alignedRight(_ text: String, _ count: Int) -> String {
    String(repeating: " ", count: max(0, count - columns(of: text))) + text
}

extension String {
    /// A line without the spaces at its end.
    public static func trimmed(_ line: String) -> String {
        var line = line
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }
}

/// The beginning of a line that fits into so many columns; colour codes are kept and count nothing.
public func cut(_ line: String, to limit: Int) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var isCode = false
    for scalar in line.unicodeScalars {
        if scalar == "\u{1B}" { isCode = true }
        if !isCode {
            count += scalar.columns
            if count > limit { continue }
        }
        result.append(scalar)
        if isCode && scalar == "m" { isCode = false }
    }
    return String(result)
}

/// A sentence broken at spaces into lines of so many columns; a longer word, such as a path, is
/// whole on a line of its own.
public func wrapped(_ sentence: String, to limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in sentence.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : line + " " + word
        if columns(of: longer) <= limit {
            line = longer
        } else {
            if !line.isEmpty { lines.append(line) }
            line = String(word)
        }
    }
    return line.isEmpty ? lines : lines + [line]
}
