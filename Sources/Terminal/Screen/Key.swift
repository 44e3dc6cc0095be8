/// A key that was pressed.
package enum Key: Hashable, Sendable {
    /// A character.
    case character(Character)
    /// Return, or Enter.
    case enter
    /// Escape, by itself.
    case escape
    /// Backspace, or Delete.
    case backspace
    /// Any other one: an arrow, a function key.
    case other
}

/// Makes keys of the bytes that a terminal sends (ECMA-48, 5.4; UTF-8).
package struct KeyReader: Sendable {
    /// Bytes of a character whose end has not come yet.
    private var rest: [UInt8] = []

    /// Makes a reader that has read nothing.
    package init() {}

    /// Reads what one read(2) gave.
    ///
    /// An escape sequence comes in one piece: an Escape at the end of one was pressed by itself.
    ///
    /// - Parameter bytes: What came.
    /// - Returns: The keys, in order.
    package mutating func keys(of bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var input = (rest + bytes)[...]
        rest = []
        while let byte = input.first {
            switch byte {
            case 0x1B: keys.append(Self.escape(&input))
            case 0x0A, 0x0D: Self.take(.enter, from: &input, to: &keys)
            case 0x08, 0x7F: Self.take(.backspace, from: &input, to: &keys)
            case 0..<0x20: Self.take(.other, from: &input, to: &keys)
            default:
                let count = Self.byteCount(after: byte)
                guard input.count >= count else {
                    rest = Array(input)
                    return keys
                }
                let text = String(validating: input.prefix(count), as: UTF8.self)
                input = input.dropFirst(text == nil ? 1 : count)
                keys.append(text?.first.map { .character($0) } ?? .other)
            }
        }
        return keys
    }

    private static func take(_ key: Key, from input: inout ArraySlice<UInt8>, to keys: inout [Key])
    {
        input = input.dropFirst()
        keys.append(key)
    }

    /// How many bytes a character takes that begins with a byte.
    private static func byteCount(after byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// A sequence: CSI with its parameters and final byte, SS3 with one byte, or one byte; and the
    /// Linux console's first function keys, CSI with `[` and one byte.
    private static func escape(_ input: inout ArraySlice<UInt8>) -> Key {
        input = input.dropFirst()
        guard let second = input.first else { return .escape }
        input = input.dropFirst()
        if second == UInt8(ascii: "[") {
            input = input.drop { (0x20...0x3F).contains($0) }
            if input.first == UInt8(ascii: "[") { input = input.dropFirst() }
            input = input.dropFirst()
        } else if second == UInt8(ascii: "O") {
            input = input.dropFirst()
        }
        return .other
    }
}
