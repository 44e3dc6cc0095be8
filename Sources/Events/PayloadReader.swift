/// Reads a payload's fields from canonical bytes, strictly.
///
/// It refuses what ``PayloadWriter`` would not have written, so bytes and values correspond one to
/// one.
public struct PayloadReader: FieldCoder, Sendable {
    private var payload: [UInt8]
    private var offset = 0

    /// Makes a reader at the start of `payload`.
    public init(_ payload: Span<UInt8>) {
        self.payload = [UInt8](copying: payload)
    }

    /// Goes to the start of another payload; the room for its bytes is used again.
    public mutating func begin(_ payload: Span<UInt8>) {
        self.payload.removeAll(keepingCapacity: true)
        self.payload.append(copying: payload)
        offset = 0
    }

    /// Ends the reading.
    ///
    /// - Throws: ``FieldError`` `trailingBytes` if the payload continues.
    public func finish() throws(FieldError) {
        guard offset == payload.count else { throw FieldError(.trailingBytes, field: "end") }
    }

    /// Reads with a source of the payload that starts at this reader's offset.
    ///
    /// - Throws: ``FieldError`` `truncated` if the payload ends inside of what is read, and
    ///   otherwise `refusal` if the source failed.
    @inline(__always)
    private mutating func read<Value>(
        _ name: StaticString, orThrow refusal: FieldError.Code,
        _ body: (inout ByteSource) -> Value
    ) throws(FieldError) -> Value {
        var error: FieldError.Code?
        var end = offset
        let value = payload.span.read(from: offset) { source in
            let value = body(&source)
            if source.isFailed { error = source.isCut ? .truncated : refusal }
            end = source.offset
            return value
        }
        if let error { throw FieldError(error, field: "\(name)") }
        offset = end
        return value
    }

    /// Passes over bytes, and gives their place.
    private mutating func take(
        _ count: Int, _ name: StaticString
    ) throws(FieldError) -> Range<Int> {
        let start = offset
        _ = try read(name, orThrow: .truncated) { $0.part(UInt64(count)) }
        return start..<offset
    }

    private mutating func varint(_ name: StaticString) throws(FieldError) -> UInt64 {
        try read(name, orThrow: .notCanonical) { $0.varint() }
    }

    /// Passes over bytes after their number, and gives their place.
    private mutating func place(
        _ name: StaticString, limit: Int
    ) throws(FieldError) -> Range<Int> {
        let count = try varint(name)
        guard count <= UInt64(limit) else { throw FieldError(.wrongLength, field: "\(name)") }
        return try take(Int(count), name)
    }

    /// Reads an unsigned number.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        value = try varint(name)
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
    }

    /// Reads a signed number.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        value = unzigzag(try varint(name))
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
    }

    /// Reads one byte.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        value = try read(name, orThrow: .truncated) { $0.byte() }
        guard range.contains(value) else { throw FieldError(.outOfRange, field: "\(name)") }
    }

    /// Reads text.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        let place = try place(name, limit: limit)
        guard let text = String(validating: payload[place], as: UTF8.self) else {
            throw FieldError(.invalidUTF8, field: "\(name)")
        }
        value = text
    }

    /// Reads bytes.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        value = Array(payload[try place(name, limit: limit)])
    }

    /// Reads a fixed number of bytes.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        value = Array(payload[try take(count, name)])
    }

    /// Reads a device's identity.
    ///
    /// - Throws: ``FieldError`` if it is outside of its limits, or not canonical.
    public mutating func device(
        _ name: StaticString, _ value: inout DeviceID
    ) throws(FieldError) {
        var device = value
        try read(name, orThrow: .outOfRange) { $0.device(name, &device) }
        value = device
    }
}
