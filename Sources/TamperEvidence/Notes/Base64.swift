/// Base64 with the standard alphabet and padding (RFC 4648, 4), strict: each byte string has
/// exactly one text.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character, or 64.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

    /// The text of bytes.
    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - part.count))
            for index in 0..<4 {
                let value = Int(word >> (18 - 6 * index) & 63)
                text.append(index <= part.count ? alphabet[value] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil if it is no base64, or not as ``text(of:)`` would write it.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        let isPadding = { (character: UInt8) in character == UInt8(ascii: "=") }
        let padding = characters.reversed().prefix(while: isPadding).count
        guard characters.count % 4 == 0, padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var (word, bits): (UInt32, UInt32) = (0, 0)
        for character in characters.dropLast(padding) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        }
        // What is left of the last character must be zeros.
        let isWhole = word & (1 << bits - 1) == 0
        return isWhole ? bytes : nil
    }
}
