public import Events
public import Testing

extension EventKind: CustomTestStringConvertible {
    /// The name, for the lists of test cases.
    public var testDescription: String { name ?? "0x" + String(rawValue, radix: 16) }
}

/// The event or the error that a payload gives, as a value.
func decoded(_ kind: EventKind, _ payload: [UInt8]) -> Result<Event, FieldError> {
    Result { () throws(FieldError) in
        try Event(decoding: kind, version: 1, payload: payload.span)
    }
}
