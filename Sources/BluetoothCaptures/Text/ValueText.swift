internal import Events

/// A characteristic's value as people write it.
public struct ValueText: Hashable, Sendable {
    /// The value's bytes.
    public let bytes: [UInt8]

    /// The most characters of a value: more than 64 KiB have in any spelling.
    private static let limit = 512 * 1_024

    /// Reads a value; nil if it isn't one.
    ///
    /// Known are hexadecimal digits, with or without blanks, colons, dashes, commas or `0x` between
    /// the bytes (`1653b402`, `16:53:b4:02`, `0x16 0x53`), a list of decimal numbers in brackets
    /// (`[22, 83, 180, 2]`), and Python's bytes (`b'\\x16S\\xb4\\x02'`, `bytearray(b'…')`).
    public init?(_ text: some StringProtocol) {
        let characters = Array(text.utf8.prefix(Self.limit + 1)).trimmed
        guard characters.count <= Self.limit else { return nil }
        if characters.first == UInt8(ascii: "[") {
            guard let list = Self.decimalList(characters) else { return nil }
            bytes = list
        } else if let start = characters.pythonLiteral {
            guard let literal = Self.pythonBytes(characters[start...]) else { return nil }
            bytes = literal
        } else {
            guard let digits = Self.hexadecimal(characters) else { return nil }
            bytes = digits
        }
    }

    // MARK: - Spellings

    private static func hexadecimal(_ characters: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for word in characters.split(whereSeparator: { " \t:-,".utf8.contains($0) }) {
            let isPrefixed = word.starts(with: "0x".utf8) || word.starts(with: "0X".utf8)
            let digits = isPrefixed ? word.dropFirst(2) : word
            guard digits.count % 2 == 0, !isPrefixed || !digits.isEmpty else { return nil }
            var index = digits.startIndex
            while index < digits.endIndex {
                guard let high = digits[index].hexadecimalDigit,
                    let low = digits[index + 1].hexadecimalDigit
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
                index += 2
            }
        }
        return bytes
    }

    private static func decimalList(_ characters: [UInt8]) -> [UInt8]? {
        guard characters.last == UInt8(ascii: "]"), characters.count >= 2 else { return nil }
        let inside = Array(characters.dropFirst().dropLast()).trimmed
        guard !inside.isEmpty else { return [] }
        var bytes: [UInt8] = []
        for part in inside.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        {
            guard let byte = UInt8(String(decoding: Array(part).trimmed, as: UTF8.self)) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// Python Language Reference, 2.4.1: what is between the quotes of a bytes literal.
    private static func pythonBytes(_ characters: ArraySlice<UInt8>) -> [UInt8]? {
        guard let quote = characters.first else { return nil }
        let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13,
            UInt8(ascii: "\\"): 92, UInt8(ascii: "'"): 39, UInt8(ascii: "\""): 34,
        ]
        var bytes: [UInt8] = []
        var rest = characters.dropFirst()
        while let character = rest.popFirst() {
            if character == quote { return bytes }
            guard character == UInt8(ascii: "\\") else {
                bytes.append(character)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            if escape == UInt8(ascii: "x") {
                guard let high = rest.popFirst()?.hexadecimalDigit,
                    let low = rest.popFirst()?.hexadecimalDigit
                else { return nil }
                bytes.append(high << 4 | low)
            } else if let byte = escapes[escape] {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return nil
    }
}

extension [UInt8] {
    /// Without the white space around it.
    var trimmed: [UInt8] {
        let blanks = " \t\r\n".utf8
        guard let first = firstIndex(where: { !blanks.contains($0) }),
            let last = lastIndex(where: { !blanks.contains($0) })
        else { return [] }
        return Array(self[first...last])
    }

    /// Where the quote of Python's bytes stands, behind a `b`; nil if there are none.
    fileprivate var pythonLiteral: Int? {
        let isWrapped = starts(with: "bytearray(".utf8)
        let start = isWrapped ? 10 : 0
        guard count > start + 1, self[start] == UInt8(ascii: "b"),
            "'\"".utf8.contains(self[start + 1])
        else { return nil }
        return start + 1
    }
}
