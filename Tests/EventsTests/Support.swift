public import Events
public import Testing

extension EventKind: CustomTestStringConvertible {
    /// The name, for the lists of test cases.
    public var testDescription: String { name ?? "0x" + String(rawValue, radix: 16) }
}

/// The bytes that a row of hexadecimal digits stands for; spaces may group them.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }
    var rest = digits[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
        guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else {
            preconditionFailure("\(hex) is not a row of hexadecimal digits")
        }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// The row of hexadecimal digits that stands for the bytes, for failure texts.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The event or the error that a payload gives, as a value.
func decoded(_ kind: EventKind, _ payload: [UInt8]) -> Result<Event, FieldError> {
    Result { () throws(FieldError) in
        try Event(decoding: kind, version: 1, payload: payload.span)
    }
}
