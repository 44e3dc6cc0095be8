/// The payload of one kind of event.
public protocol EventPayload: Hashable, Sendable {
    /// Passes every field, in the order of the record format, to a coder that writes or reads it.
    mutating func code(_ coder: inout some FieldCoder) throws(FieldError)
}

/// An event that is carried along unread.
public struct UnknownEvent: Hashable, Sendable {
    /// The kind's number.
    public var kind: EventKind
    /// The version of the payload's layout.
    public var version: UInt16
    /// The payload as it is in the log, at most ``EventLimit/payloadBytes``.
    public var payload: [UInt8]

    /// Makes an unread event.
    public init(kind: EventKind, version: UInt16, payload: [UInt8]) {
        (self.kind, self.version, self.payload) = (kind, version, payload)
    }
}

/// The sizes that no event exceeds.
public enum EventLimit {
    /// The most bytes of a payload.
    @inlinable public static var payloadBytes: Int { 2_048 }
    /// The most bytes of a characteristic's value: Bluetooth Core 5.4, Vol 3, Part F, 3.2.9.
    @inlinable public static var valueBytes: Int { 512 }
}

extension Event {
    /// The kind's number.
    public var kind: EventKind {
        if case .unknown(let unknown) = self { return unknown.kind }
        return EventOutline(of: self, withDevices: false).kind
    }

    /// The version that this program writes: 1 for every kind it knows.
    public var version: UInt16 {
        if case .unknown(let unknown) = self { return unknown.version }
        return 1
    }

    /// The payload's canonical bytes.
    ///
    /// - Throws: ``FieldError`` if a field is outside of its limits.
    public func encodedPayload() throws(FieldError) -> [UInt8] {
        var writer = PayloadWriter()
        try writePayload(to: &writer)
        return writer.bytes
    }

    /// Appends the payload's canonical bytes, of an unknown event those that it came with.
    ///
    /// - Throws: ``FieldError`` if a field is outside of its limits; what was written before it
    ///   stays.
    func writePayload(to writer: inout PayloadWriter) throws(FieldError) {
        guard case .unknown(let unknown) = self else { return try writeFields(to: &writer) }
        guard unknown.payload.count <= EventLimit.payloadBytes else {
            throw FieldError(.wrongLength, field: "payload")
        }
        writer.append(unknown.payload.span)
    }

    /// Reads an event from its envelope's kind and version and the payload's bytes; total.
    ///
    /// What cannot be decoded becomes ``unknown(_:)`` with the same bytes.
    public init(kind: EventKind, version: UInt16, payload: Span<UInt8>) {
        do {
            self = try Event(decoding: kind, version: version, payload: payload)
        } catch {
            self = .unknown(
                UnknownEvent(kind: kind, version: version, payload: [UInt8](copying: payload)))
        }
    }

    /// Reads an event of a known kind and version.
    ///
    /// - Throws: ``FieldError`` naming the field that cannot be read; `mismatch` of `kind` if
    ///   this program does not know the kind or the version.
    public init(
        decoding kind: EventKind, version: UInt16, payload: Span<UInt8>
    ) throws(FieldError) {
        guard version == 1 else { throw FieldError(.mismatch, field: "version") }
        var reader = PayloadReader(payload)
        guard let event = try Event(kind: kind, fields: &reader) else {
            throw FieldError(.mismatch, field: "kind")
        }
        try reader.finish()
        self = event
    }
}

extension FieldCoder {
    /// Codes a payload from a blank one, for reading.
    @inlinable
    mutating func read<Payload: EventPayload>(_ blank: Payload) throws(FieldError) -> Payload {
        var payload = blank
        try payload.code(&self)
        return payload
    }
}
