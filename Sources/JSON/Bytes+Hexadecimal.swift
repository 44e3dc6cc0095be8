extension [UInt8] {
    /// Reads pairs of hexadecimal digits of either case, or gives nil for any other text.
    public init?(hexadecimal text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = digit.hexadecimalValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func appendHexadecimal(_ bytes: [UInt8]) {
        append(addingCapacity: 2 * bytes.count) { $0.appendHexadecimal(bytes) }
    }
}

/// The lowercase hexadecimal digit in ASCII of 0 to 15.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

extension UInt8 {
    /// What the byte stands for as a hexadecimal digit in ASCII, or nil if it isn't one.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
