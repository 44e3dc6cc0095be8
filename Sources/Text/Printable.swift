/// Text from a stranger, harmless in a terminal: controls, escapes, direction marks and marks that
/// stand on nothing become `\u{…}`, and long text is cut.
///
/// - Parameters:
///   - text: What a device or a file says.
///   - limit: The most columns that it may take; a `…` after them stands for what is cut off.
/// - Returns: One line.
public func printable(_ text: String, limit: Int = 64) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    // More marks than two on one character hide what is around it.
    var marks = 2
    for scalar in text.unicodeScalars {
        let shown = marks < 2 && scalar.isMark ? [scalar] : scalar.shown
        marks = scalar.isMark ? marks + 1 : shown.count == 1 ? 0 : 2
        let width = shown.reduce(0) { $0 + $1.columns }
        guard count + width <= limit else { return String(result) + "…" }
        count += width
        result.append(contentsOf: shown)
    }
    return String(result)
}

/// Text that somebody chose, in quotes that nothing in it ends, and otherwise as
/// ``printable(_:limit:)`` has it: whatever looks like a double quote in it is an apostrophe.
///
/// - Parameters:
///   - text: A name or a reason.
///   - limit: The most columns between the quotes, but for a `…`.
/// - Returns: One line.
public func quoted(_ text: String, limit: Int = 64) -> String {
    let inner = String.UnicodeScalarView(text.unicodeScalars.map { $0.isQuote ? "'" : $0 })
    return "“\(printable(String(inner), limit: limit))”"
}

/// What a device is called, harmless in a terminal: its name, or its address if it has none.
public func deviceTitle(_ name: String?, _ address: some CustomStringConvertible) -> String {
    printable(named(name) ?? address.description, limit: 24)
}

/// A device's name, or nil if it has none that anybody could see.
public func named(_ name: String?) -> String? {
    name.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
}

extension Unicode.Scalar {
    /// Whether it is a quotation mark, or could be taken for one.
    fileprivate var isQuote: Bool {
        let name = properties.name ?? ""
        return ["QUOTATION MARK", "DOUBLE PRIME", "DOUBLE APOSTROPHE", "DITTO MARK", "GERSHAYIM"]
            .contains { name.contains($0) }
    }

    /// Whether it stands on the character before.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// What stands for it where nothing stands before it: itself, or its number.
    fileprivate var shown: [Unicode.Scalar] {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned, .nonspacingMark, .enclosingMark, .spacingMark:
            Array("\\u{\(String(value, radix: 16))}".unicodeScalars)
        default: [self]
        }
    }
}

/// Bytes as lowercase hexadecimal digits.
public func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
