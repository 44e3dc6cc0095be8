/// Events that are about to be appended, in order, their payloads encoded.
///
/// Limits are checked when an event is added, so that what a batch holds can be appended.
public struct EventBatch: Sendable {
    /// The envelopes; their positions are 0-based within the batch until the log places them.
    public private(set) var headers: [EventHeader] = []
    /// The payloads, one after the other.
    @usableFromInline private(set) var payloads = PayloadWriter()
    /// Where each payload ends in `payloads`.
    @usableFromInline private(set) var ends: [Int] = []

    /// Makes an empty batch.
    public init() {}

    /// The number of events.
    public var count: Int { headers.count }

    /// Whether there is no event.
    public var isEmpty: Bool { headers.isEmpty }

    /// How many bytes the payloads take.
    public var payloadBytes: Int { payloads.bytes.count }

    /// Adds an event.
    ///
    /// - Throws: ``FieldError`` if a field is outside of its limits; nothing is added then.
    public mutating func append(
        _ event: Event, source: UInt32 = 0, stamp: Stamp, flags: EventFlags
    ) throws(FieldError) {
        let header = EventHeader(
            position: 0, source: source, stamp: stamp, flags: flags, kind: event.kind,
            version: event.version)
        try append(header) { (writer) throws(FieldError) in try event.writePayload(to: &writer) }
    }

    /// Makes all events those of a source, which an import learns late.
    ///
    /// - Parameter source: 0 for the live recorder, n for the n-th import.
    public mutating func setSource(_ source: UInt32) {
        for index in headers.indices { headers[index].source = source }
    }

    /// Adds an event that stands elsewhere, known or not.
    ///
    /// - Throws: ``FieldError`` as ``append(_:payload:)``; of what a log holds never.
    public mutating func append(_ event: borrowing EventView) throws(FieldError) {
        let header = event.header
        try event.withPayload { (payload) throws(FieldError) in
            try append(header, payload: payload)
        }
    }

    /// Adds an event whose payload is encoded already, known or not.
    ///
    /// - Throws: ``FieldError`` if the envelope or the payload's size is outside of its limits.
    public mutating func append(
        _ header: EventHeader, payload: Span<UInt8>
    ) throws(FieldError) {
        try append(header) { (writer) in writer.append(payload) }
    }

    /// Adds an event whose payload `write` appends.
    ///
    /// - Throws: ``FieldError`` of `write`, or of the envelope or the payload's size.
    @inline(__always)
    private mutating func append(
        _ header: EventHeader, write: (inout PayloadWriter) throws(FieldError) -> Void
    ) throws(FieldError) {
        let start = payloads.bytes.count
        do throws(FieldError) {
            try write(&payloads)
            try header.check()
            guard payloads.bytes.count - start <= EventLimit.payloadBytes else {
                throw FieldError(.wrongLength, field: "payload")
            }
        } catch {
            payloads.keep(first: start)
            throw error
        }
        var placed = header
        placed.position = UInt64(headers.count)
        headers.append(placed)
        ends.append(payloads.bytes.count)
    }

    /// Lends the event at an index to `body`.
    ///
    /// - Parameters:
    ///   - index: Which event, 0 to ``count`` - 1.
    ///   - first: The position of the batch's first event.
    ///   - body: Called with the event, valid during the call.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    @inline(__always)
    public func withEvent<Result, Failure: Error>(
        at index: Int, from first: Position = 0,
        _ body: (borrowing EventView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = index == 0 ? 0 : ends[index - 1]
        var header = headers[index]
        header.position = first + UInt64(index)
        return try EventView.lend(
            header, payload: payloads.bytes.span.extracting(start..<ends[index]), body)
    }

    /// The event at `index`, decoded.
    public func event(at index: Int) -> Event {
        withEvent(at: index) { $0.decoded }
    }
}

extension EventHeader {
    /// Refuses an envelope that is outside of its limits.
    fileprivate func check() throws(FieldError) {
        guard kind.isStorable else { throw FieldError(.outOfRange, field: "kind") }
        guard version > 0 else { throw FieldError(.outOfRange, field: "version") }
        guard FieldRange.unsigned.contains(stamp.bootMilliseconds) else {
            throw FieldError(.outOfRange, field: "bootMilliseconds")
        }
        guard FieldRange.signed.contains(stamp.wallMilliseconds) else {
            throw FieldError(.outOfRange, field: "wallMilliseconds")
        }
    }
}
