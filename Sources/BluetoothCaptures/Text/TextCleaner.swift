/// Makes plain lines of the bytes of a text: of UTF-16 or UTF-8, with a terminal's colours, and
/// quoted or indented as in a mail.
struct TextCleaner {
    private enum Encoding {
        case utf8, littleEndian, bigEndian
    }

    private var encoding: Encoding?
    /// The first bytes, which tell the encoding, or the first half of a UTF-16 unit.
    private var held: [UInt8] = []

    /// Takes the next byte.
    ///
    /// - Returns: The character's byte; nil if there is none yet. What is not ASCII in UTF-16
    ///   becomes a question mark: nothing that is read here is.
    mutating func take(_ byte: UInt8) -> [UInt8] {
        guard let encoding else {
            held.append(byte)
            switch held {
            case [0xFF, 0xFE]: begin(.littleEndian)
            case [0xFE, 0xFF]: begin(.bigEndian)
            case [0xFF], [0xFE], [0xEF], [0xEF, 0xBB]: break
            case [0xEF, 0xBB, 0xBF]: begin(.utf8)
            default:
                defer { begin(.utf8) }
                return held
            }
            return []
        }
        guard encoding != .utf8 else { return [byte] }
        held.append(byte)
        guard held.count == 2 else { return [] }
        let (high, low) = encoding == .bigEndian ? (held[0], held[1]) : (held[1], held[0])
        held.removeAll(keepingCapacity: true)
        if high == 0, low == 0xA0 { return [UInt8(ascii: " ")] }
        return [high == 0 && low < 0x80 ? low : UInt8(ascii: "?")]
    }

    private mutating func begin(_ encoding: Encoding) {
        self.encoding = encoding
        held.removeAll()
    }

    /// A line without what terminals and mails add to it.
    static func plain(_ line: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var rest = line[...]
        while let byte = rest.popFirst() {
            // ECMA-48, 5.4: parameters, then one letter; the escape itself may have been lost.
            let isEscape = byte == 0x1B
            if isEscape || byte == UInt8(ascii: "[") {
                let sequence = isEscape && rest.first == UInt8(ascii: "[") ? rest.dropFirst() : rest
                let parameters = sequence.prefix { (0x30...0x3F).contains($0) }
                let after = sequence.dropFirst(parameters.count)
                let hasBracket = !isEscape || rest.first == UInt8(ascii: "[")
                if hasBracket, let final = after.first, (0x40...0x7E).contains(final),
                    isEscape || final == UInt8(ascii: "m") && !parameters.isEmpty
                {
                    rest = after.dropFirst()
                    continue
                }
            }
            if byte >= 0x20 || byte == 0x09 { bytes.append(byte) }
        }
        return unquoted(String(decoding: bytes, as: UTF8.self))
    }

    /// Takes off the marks of a quotation, which headings of btmon look like.
    private static func unquoted(_ line: String) -> String {
        var text = line[...]
        while true {
            let trimmed = text.drop { " \t".contains($0) }
            guard trimmed.first == ">" else { return String(text) }
            let rest = trimmed.dropFirst()
            let inner = rest.drop { " \t>".contains($0) }
            let isHeading = ["ACL", "HCI", "SCO", "ISO"].contains { inner.hasPrefix($0) }
            // The last mark before a packet is its direction.
            if isHeading, !rest.drop(while: { " \t".contains($0) }).hasPrefix(">") {
                return String(trimmed)
            }
            text = rest
        }
    }
}
