internal import Events

/// Writes the fields of an event as members of a JSON object.
struct JSONFieldWriter: FieldCoder {
    /// The object under way; swapped in and out, so that its bytes are never copied.
    var json = JSONWriter(reserving: 0)

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, value)
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, value)
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, value)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        json.field(plain: name, value)
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        guard value.utf8.count <= limit else { throw FieldError(.wrongLength, field: "\(name)") }
        json.field(plain: name, value)
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        guard value.count <= limit else { throw FieldError(.wrongLength, field: "\(name)") }
        json.field(plain: name, HexadecimalBytes(value))
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        guard value.count == count else { throw FieldError(.wrongLength, field: "\(name)") }
        json.field(plain: name, HexadecimalBytes(value))
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        json.field(plain: name, value.name)
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        if let known = value.known {
            json.field(plain: name, known.name)
        } else {
            json.field(plain: name, value.rawValue)
        }
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        json.field(plain: name, value.description)
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        json.field(plain: name, value.description)
    }

    mutating func optional<Value>(
        _ name: StaticString, _ value: inout Value?, initial: Value,
        _ code: (inout JSONFieldWriter, inout Value) throws(FieldError) -> Void
    ) throws(FieldError) {
        guard var present = value else {
            json.field(plain: name, nil as Int?)
            return
        }
        try code(&self, &present)
    }
}
