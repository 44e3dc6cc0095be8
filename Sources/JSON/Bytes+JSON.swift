extension [UInt8] {
    /// Appends text in quotes, as JSON and as harmless as ``JSONWritable`` promises.
    package mutating func appendJSONString(_ text: String) {
        append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(\.isPlainInJSON) {
            append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { appendJSONScalar(scalar) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendJSONScalar(_ scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            append(UInt8(ascii: "\\"))
            append(UInt8(ascii: scalar))
        } else if scalar.isObeyedByTerminals {
            append(contentsOf: "\\u".utf8)
            // All of them lie in the basic plane: four digits, no surrogates.
            appendHexadecimal([
                UInt8(truncatingIfNeeded: scalar.value >> 8),
                UInt8(truncatingIfNeeded: scalar.value),
            ])
        } else {
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Appends the decimal digits of a number.
    package mutating func appendDecimal(_ number: UInt64) {
        append(addingCapacity: decimalRoom) { $0.appendDecimal(number) }
    }
}

/// The most digits of a number of 64 bits.
package let decimalRoom = 20

extension OutputSpan<UInt8> {
    /// Appends the decimal digits of a number, at most ``decimalRoom``.
    package mutating func appendDecimal(_ number: UInt64) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = digits.count
        var rest = number
        while rest >= 10 {
            let pair = rest % 100
            rest /= 100
            first &-= 2
            digits[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair / 10)
            digits[first &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair % 10)
        }
        if rest > 0 || first == digits.count {
            first &-= 1
            digits[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
        for index in first..<digits.count { append(digits[index]) }
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func appendHexadecimal(_ bytes: [UInt8]) {
        for byte in bytes {
            append(hexadecimalDigit(byte >> 4))
            append(hexadecimalDigit(byte & 15))
        }
    }

    /// Appends text in quotes that needs no escapes.
    package mutating func appendQuoted(_ text: [UInt8]) {
        append(UInt8(ascii: "\""))
        for byte in text { append(byte) }
        append(UInt8(ascii: "\""))
    }
}

extension UInt8 {
    /// Whether the byte is ASCII that a JSON string holds as it is.
    package var isPlainInJSON: Bool {
        self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

extension Unicode.Scalar {
    /// Whether a terminal or an editor would act on the character instead of showing it: the
    /// general categories Cc, Zl and Zp, and the property Bidi_Control (Unicode 16, PropList).
    ///
    /// The list is written out so that the bytes of an export do not move with Unicode's tables.
    fileprivate var isObeyedByTerminals: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
