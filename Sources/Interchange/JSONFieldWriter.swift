internal import Events
internal import JSON
internal import Text

/// Writes the fields of events as members of JSON objects, each on a line of its own.
///
/// The lines stand one after the other in a buffer whose room is used again.
struct JSONFieldWriter: LineCoder {
    /// The lines so far, and the one under way.
    private(set) var bytes: [UInt8] = []

    /// What comes before the next key.
    private var separator = UInt8(ascii: "{")
    private var names = CodeNames()

    /// Ends a line.
    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        separator = UInt8(ascii: "{")
    }

    /// Forgets what was written after a place at which a key or a line began.
    mutating func rewind(to count: Int) {
        bytes.removeLast(bytes.count - count)
        let isLineStart = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
        separator = isLineStart ? UInt8(ascii: "{") : UInt8(ascii: ",")
    }

    // MARK: - Fields

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        write(name, room: decimalRoom) { $0.appendDecimal(value) }
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        write(name, room: 1 + decimalRoom) { text in
            if value < 0 { text.append(UInt8(ascii: "-")) }
            text.appendDecimal(value.magnitude)
        }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        writeWord(name, value ? "true" : "false")
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        guard value.utf8.count <= limit else { throw FieldError(.wrongLength, field: "\(name)") }
        write(name, room: 0) { _ in }
        bytes.appendJSONString(value)
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        guard value.count <= limit else { throw FieldError(.wrongLength, field: "\(name)") }
        writeHexadecimal(name, value)
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        guard value.count == count else { throw FieldError(.wrongLength, field: "\(name)") }
        writeHexadecimal(name, value)
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
            write(name, room: decimalRoom) { $0.appendDecimal(UInt64(value.rawValue)) }
        }
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        write(name, room: 2 + DeviceID.textRoom) { text in
            text.append(UInt8(ascii: "\""))
            value.appendText(to: &text)
            text.append(UInt8(ascii: "\""))
        }
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        writeQuoted(name, Array(value.description.utf8))
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        if !isPresent { writeWord(name, "null") }
    }

    mutating func kind(_ name: StaticString, _ kind: inout EventKind) throws(FieldError) {
        if let known = NameTable.kinds.name(of: kind.rawValue) {
            writeQuoted(name, known)
        } else {
            writeQuoted(name, Array("0x\(hexadecimal([kind.rawValue]))".utf8))
        }
    }

    // MARK: - Bytes

    /// Writes a key, which needs no escapes, and the value that the closure appends.
    ///
    /// One call finds room for both.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - room: The most bytes of the value.
    ///   - value: Appends it.
    @inline(__always)
    private mutating func write(
        _ name: StaticString, room: Int, _ value: (inout OutputSpan<UInt8>) -> Void
    ) {
        let separator = separator
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4 + room) { text in
            text.append(separator)
            text.append(UInt8(ascii: "\""))
            name.withUTF8Buffer { for byte in $0 { text.append(byte) } }
            text.append(UInt8(ascii: "\""))
            text.append(UInt8(ascii: ":"))
            value(&text)
        }
        self.separator = UInt8(ascii: ",")
    }

    private mutating func writeHexadecimal(_ name: StaticString, _ value: [UInt8]) {
        write(name, room: 2 + 2 * value.count) { text in
            text.append(UInt8(ascii: "\""))
            text.appendHexadecimal(value)
            text.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a field whose text needs no escapes.
    private mutating func writeQuoted(_ name: StaticString, _ text: [UInt8]) {
        write(name, room: 2 + text.count) { $0.appendQuoted(text) }
    }

    private mutating func writeWord(_ name: StaticString, _ word: StaticString) {
        write(name, room: word.utf8CodeUnitCount) { text in
            word.withUTF8Buffer { for byte in $0 { text.append(byte) } }
        }
    }
}
