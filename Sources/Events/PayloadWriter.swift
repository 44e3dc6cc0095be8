/// Writes a payload's fields as canonical bytes.
public struct PayloadWriter: FieldCoder, Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer.
    public init() {}

    /// Appends a payload that is encoded already.
    mutating func append(_ payload: Span<UInt8>) {
        bytes.append(copying: payload)
    }

    /// Takes back what was written after the first `count` bytes.
    mutating func keep(first count: Int) {
        bytes.removeLast(bytes.count - count)
    }

    /// Writes an unsigned number.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        bytes.appendVarint(value)
    }

    /// Writes a signed number.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        bytes.appendVarint(zigzag(value))
    }

    /// Writes one byte.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
        bytes.append(value)
    }

    /// Writes text.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        guard value.utf8.count <= limit else {
            throw FieldError(.wrongLength, field: "\(name)", limitBytes: limit)
        }
        bytes.appendVarint(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Writes bytes.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        guard value.count <= limit else { throw FieldError(.wrongLength, field: "\(name)") }
        bytes.appendVarint(UInt64(value.count))
        bytes.append(copying: value.span)
    }

    /// Writes a fixed number of bytes.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        guard value.count == count else { throw FieldError(.wrongLength, field: "\(name)") }
        bytes.append(contentsOf: value)
    }

    /// Writes a device's identity.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits.
    public mutating func device(
        _ name: StaticString, _ value: inout DeviceID
    ) throws(FieldError) {
        bytes.fixed(value.word, 7)
    }
}
