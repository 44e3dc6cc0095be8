/// Events by themselves, one after the other, as ``EventHeader/canonicalBytes(laneIndex:payload:)``
/// gives them: those of a day in a proof.
public enum CanonicalEvents {
    /// Hands each event to `body`, in order; its position is its index within its lane.
    ///
    /// - Parameters:
    ///   - bytes: Canonical bytes of any number of events.
    ///   - body: Called with the event, valid during the call.
    /// - Throws: ``FieldError`` naming the part of an event that cannot be read; the events before
    ///   it have been handed over.
    public static func forEach(
        in bytes: Span<UInt8>, _ body: (borrowing EventView) -> Void
    ) throws(FieldError) {
        try bytes.read { (source) throws(FieldError) in
            while source.offset < source.end {
                let header = try source.header()
                let count = source.varint()
                guard !source.isFailed, count <= UInt64(EventLimit.payloadBytes) else {
                    throw FieldError(.wrongLength, field: "payload")
                }
                let payload = source.part(count)
                guard !source.isFailed else { throw FieldError(.truncated, field: "payload") }
                EventRecord(header, payload).lend(body)
            }
        }
    }
}

extension ByteSource {
    fileprivate mutating func header() throws(FieldError) -> EventHeader {
        let limit = UInt64(BlockCursor.numberLimit)
        let (index, source, boot) = (varint(), varint(), varint())
        let (wall, bootNumber) = (signed(), varint())
        let (flags, kind, version) = (byte(), byte(), varint())
        guard !isFailed, index < limit, boot < limit, wall.magnitude < limit,
            let source = UInt32(exactly: source), let bootNumber = UInt32(exactly: bootNumber),
            let version = UInt16(exactly: version), version > 0
        else { throw FieldError(isCut ? .truncated : .outOfRange, field: "envelope") }
        return EventHeader(
            position: index, source: source,
            stamp: Stamp(
                bootMilliseconds: boot, wallMilliseconds: wall, bootNumber: bootNumber),
            flags: EventFlags(rawValue: flags), kind: EventKind(rawValue: kind), version: version)
    }
}
