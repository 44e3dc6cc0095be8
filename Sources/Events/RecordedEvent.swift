/// An event in its place in the log.
public struct RecordedEvent: Hashable, Sendable {
    /// The envelope.
    public var header: EventHeader
    /// The fact.
    public var event: Event

    /// Puts a fact into its envelope.
    public init(header: EventHeader, event: Event) {
        self.header = header
        self.event = event
    }

    /// Encodes the event, and lends it as it would stand in a log.
    ///
    /// - Parameter body: Called with the event, valid during the call.
    /// - Returns: What `body` returns.
    /// - Throws: ``FieldError`` if a field is outside of its limits; what `body` throws.
    public func withView<Result>(
        _ body: (borrowing EventView) throws(FieldError) -> Result
    ) throws(FieldError) -> Result {
        let payload = try event.encodedPayload()
        return try EventView.lend(header, payload: payload.span, body)
    }
}

extension EventHeader {
    /// The canonical bytes of an event: what is hashed when it is named by itself.
    ///
    /// They hold the index within the lane and not the position, because gaps between positions
    /// would tell how many other events there were (<doc:RecordFormat>).
    ///
    /// - Parameters:
    ///   - laneIndex: The event's index within its lane, over the whole log.
    ///   - payload: The payload's bytes.
    /// - Returns: The bytes, in the order that the page gives.
    public func canonicalBytes(laneIndex: UInt64, payload: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + payload.count)
        bytes.appendVarint(laneIndex)
        bytes.appendVarint(UInt64(source))
        bytes.appendVarint(stamp.bootMilliseconds)
        bytes.appendVarint(zigzag(stamp.wallMilliseconds))
        bytes.appendVarint(UInt64(stamp.bootNumber))
        bytes.append(flags.rawValue)
        bytes.append(kind.rawValue)
        bytes.appendVarint(UInt64(version))
        bytes.appendVarint(UInt64(payload.count))
        bytes.append(copying: payload)
        return bytes
    }
}
