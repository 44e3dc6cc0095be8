/// An event in place, in a block or a batch: its envelope and its payload's bytes.
///
/// It is lent for the time of a call and cannot be kept: the compiler refuses every copy of it.
/// Whoever needs the event for longer takes ``decoded`` or the payload's bytes. Kinds that come
/// often have their fields read in place, without the event between: ``heartFields``,
/// ``pedometerFields``.
///
/// ```swift
/// try BlockReader.forEach(in: block) { event in
///     guard let fields = event.heartFields else { return true }
///     event.withBytes(fields.value) { show(fields.device, $0) }
///     return true
/// }
/// ```
@frozen
public struct EventView: ~Copyable {
    @usableFromInline let place: RecordPlace

    /// Only for whoever lends the view, while the record stays where it is.
    @inlinable
    @inline(__always)
    init(_ place: RecordPlace) {
        self.place = place
    }

    /// The envelope; in a batch the position counts from the first one that the lender gives.
    @inlinable
    public var header: EventHeader {
        @inline(__always)
        _read { yield place.record.header }
    }

    /// Lends an event whose parts are at hand.
    ///
    /// - Parameters:
    ///   - header: The envelope.
    ///   - payload: The payload's bytes, decodable or not.
    ///   - body: Called with the event, valid during the call.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    @inline(__always)
    public static func lend<Result, Failure: Error>(
        _ header: EventHeader, payload: Span<UInt8>,
        _ body: (borrowing EventView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try payload.read { (source) throws(Failure) -> Result in
            try EventRecord(header, source.all).lend(body)
        }
    }

    /// The payload's bytes; of a dense body they are written now.
    @inlinable
    @inline(__always)
    var payload: BytesInPlace {
        place.record.form == .payload ? place.record.bytes : place.record.written
    }

    /// How many bytes the payload takes.
    @inlinable
    @inline(__always)
    public var payloadCount: Int { payload.count }

    /// Hands the payload's bytes to `body`, valid during the call.
    @inlinable
    @inline(__always)
    public func withPayload<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try payload.lend(body)
    }

    /// Hands a part of the payload to `body`, valid during the call.
    ///
    /// - Parameters:
    ///   - place: A place within the payload, as the fields of this event name it.
    ///   - body: Called with the bytes.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    @inline(__always)
    public func withBytes<Result, Failure: Error>(
        _ place: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try self.place.record.bytes.part(place).lend(body)
    }

    /// The event as a value; total: what cannot be decoded is ``Event/unknown(_:)``.
    public var decoded: Event {
        withPayload { Event(kind: header.kind, version: header.version, payload: $0) }
    }

    /// Decodes an event of a known kind and version.
    ///
    /// - Throws: ``FieldError`` naming the field that cannot be read; `mismatch` of `kind` or
    ///   `version` if this program does not know it.
    public func decode() throws(FieldError) -> Event {
        try withPayload { (payload) throws(FieldError) -> Event in
            try Event(decoding: header.kind, version: header.version, payload: payload)
        }
    }

    /// The event in its place in the log, as a value.
    public var recorded: RecordedEvent { RecordedEvent(header: header, event: decoded) }

    /// Reads fields in place, from the payload's first byte to its last; nil where decoding throws.
    @inlinable
    @inline(__always)
    func fields<Fields: FieldsInPlace>(_ blank: Fields) -> Fields? {
        guard header.version == 1 else { return nil }
        return payload.source.fields(blank)
    }
}

/// The fields of a payload whose bytes stay where they are.
@usableFromInline
protocol FieldsInPlace {
    /// Passes every field, in the order of the record format, to a coder that writes or reads it.
    mutating func code(_ coder: inout some LayoutCoder<Range<Int>>) throws(FieldError)
}

extension ByteSource {
    /// Reads all fields of a payload that begins here and ends with the source; nil if malformed.
    @inlinable
    @inline(__always)
    func fields<Fields: FieldsInPlace>(_ blank: Fields) -> Fields? {
        var source = self
        var fields = blank
        do throws(FieldError) {
            try fields.code(&source)
        } catch {
            return nil
        }
        return source.isFailed || source.offset != source.end ? nil : fields
    }
}

// MARK: - Fields in place

/// Reads fields in place, as strictly as ``PayloadReader``; what it refuses fails the source.
extension ByteSource: LayoutCoder {
    @inlinable
    @inline(__always)
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) {
        value = varint()
        if !range.contains(value) { isFailed = true }
    }

    @inlinable
    @inline(__always)
    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) {
        value = signed()
        if !range.contains(value) { isFailed = true }
    }

    @inlinable
    @inline(__always)
    mutating func bytes(_ name: StaticString, _ value: inout Range<Int>, limit: Int) {
        let count = varint()
        guard count <= UInt64(limit), count <= UInt64(end &- offset) else {
            isFailed = true
            return
        }
        let start = offset
        offset &+= Int(truncatingIfNeeded: count)
        value = start..<offset
    }

    @inlinable
    @inline(__always)
    mutating func code<Code: CodedName>(_ name: StaticString, _ value: inout Code) {
        guard let code = Code(rawValue: byte()) else {
            isFailed = true
            return
        }
        value = code
    }

    @inlinable
    @inline(__always)
    mutating func device(_ name: StaticString, _ value: inout DeviceID) {
        guard let device = DeviceID(word: sevenBytes()) else {
            isFailed = true
            return
        }
        value = device
    }

    @inlinable
    @inline(__always)
    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) {
        let byte = byte()
        if byte > 1 { isFailed = true }
        isPresent = byte == 1
    }
}

/// Writes fields; the bytes of a value are left room for, and whoever has them fills them in.
extension ByteSink: LayoutCoder {
    @inlinable
    @inline(__always)
    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) { varint(value) }

    @inlinable
    @inline(__always)
    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) { signed(value) }

    /// Takes a range of the right length, and gives the one at which the bytes belong.
    @inlinable
    @inline(__always)
    mutating func bytes(_ name: StaticString, _ value: inout Range<Int>, limit: Int) {
        varint(UInt64(value.count))
        let start = offset
        offset &+= value.count
        value = start..<offset
    }

    @inlinable
    @inline(__always)
    mutating func code<Code: CodedName>(_ name: StaticString, _ value: inout Code) {
        byte(value.rawValue)
    }

    @inlinable
    @inline(__always)
    mutating func device(_ name: StaticString, _ value: inout DeviceID) { sevenBytes(value.word) }

    @inlinable
    @inline(__always)
    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) {
        byte(isPresent ? 1 : 0)
    }
}
