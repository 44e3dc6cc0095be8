/// Text from a stranger, harmless in a terminal: controls, escapes and direction marks become
/// `\u{…}`, and long text is cut.
func printable(_ text: String, limit: Int = 64) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < limit else { return result + "…" }
        count += 1
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Bytes as lowercase hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
