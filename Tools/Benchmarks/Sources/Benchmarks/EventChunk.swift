import CReference
import Events

/// Events in both forms: a batch for the Swift log, flat arrays for the reference.
struct EventChunk: Sendable {
    private(set) var batch = EventBatch()
    /// The envelopes; each says where its payload stands in ``payloads``.
    private(set) var references: [ref_event] = []
    private(set) var payloads: [UInt8] = []

    var count: Int { references.count }

    init() {}

    mutating func append(_ event: Event, at stamp: Stamp) throws {
        let header = EventHeader(
            position: 0, source: 0, stamp: stamp, flags: .wallTrusted, kind: event.kind,
            version: event.version)
        try append(header, payload: event.encodedPayload())
    }

    mutating func append(_ header: EventHeader, payload: [UInt8]) throws {
        try batch.append(header, payload: payload.span)
        references.append(
            ref_event(
                boot_ms: header.stamp.bootMilliseconds, wall_ms: header.stamp.wallMilliseconds,
                boot_number: header.stamp.bootNumber, source: header.source,
                payload_offset: UInt32(payloads.count), payload_size: UInt16(payload.count),
                version: header.version, flags: header.flags.rawValue,
                kind: header.kind.rawValue))
        payloads.append(contentsOf: payload)
    }
}
