internal import Events

/// Writes the fields of an event as members of a JSON object.
struct JSONFieldWriter: LineCoder {
    /// The object under way.
    var json = JSONWriter()
    private var names = CodeNames()

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, room: decimalRoom) { $0.appendDecimal(value) }
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, room: 1 + decimalRoom) { text in
            if value < 0 { text.append(UInt8(ascii: "-")) }
            text.appendDecimal(value.magnitude)
        }
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        json.field(plain: name, room: decimalRoom) { $0.appendDecimal(UInt64(value)) }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        writeWord(name, value ? "true" : "false")
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
        json.field(plain: name, room: 2 + 2 * value.count) { text in
            text.append(UInt8(ascii: "\""))
            text.appendHexadecimal(value)
            text.append(UInt8(ascii: "\""))
        }
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        guard value.count == count else { throw FieldError(.wrongLength, field: "\(name)") }
        json.field(plain: name, room: 2 + 2 * value.count) { text in
            text.append(UInt8(ascii: "\""))
            text.appendHexadecimal(value)
            text.append(UInt8(ascii: "\""))
        }
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        writeQuoted(name, names.name(of: value))
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        if let known = value.known {
            writeQuoted(name, names.name(of: known))
        } else {
            json.field(plain: name, room: decimalRoom) {
                $0.appendDecimal(UInt64(value.rawValue))
            }
        }
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        json.field(plain: name, room: 2 + DeviceID.textRoom) { text in
            text.append(UInt8(ascii: "\""))
            value.appendText(to: &text)
            text.append(UInt8(ascii: "\""))
        }
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        json.field(plain: name, value.description)
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        if !isPresent { writeWord(name, "null") }
    }

    mutating func kind(_ name: StaticString, _ kind: inout EventKind) throws(FieldError) {
        if let known = NameTable.kinds.name(of: kind.rawValue) {
            writeQuoted(name, known)
        } else {
            json.field(plain: name, "0x\(HexadecimalBytes([kind.rawValue]))")
        }
    }
    /// Writes a field whose text needs no escapes.
    private mutating func writeQuoted(_ name: StaticString, _ text: [UInt8]) {
        json.field(plain: name, room: 2 + text.count) { $0.appendQuoted(text) }
    }

    private mutating func writeWord(_ name: StaticString, _ word: StaticString) {
        json.field(plain: name, room: word.utf8CodeUnitCount) { text in
            word.withUTF8Buffer { for byte in $0 { text.append(byte) } }
        }
    }
}
