public import Events

/// Writes events as JSON Lines, one after the other, into a buffer whose room is used again.
///
/// ```swift
/// var writer = JSONLinesWriter()
/// for event in log {
///     try writer.append(event)
///     if writer.bytes.count >= limit {
///         output.write(writer.bytes)
///         writer.removeAll()
///     }
/// }
/// ```
public struct JSONLinesWriter: Sendable {
    private var fields: Transcoder<PayloadReader, JSONFieldWriter>
    /// The nature of the last event of each kind, by the kind's number.
    private var natures = [EventNature?](repeating: nil, count: 256)

    /// Makes a writer without a line.
    public init() {
        let nothing: [UInt8] = []
        fields = Transcoder(source: PayloadReader(nothing.span), target: JSONFieldWriter())
    }

    /// The lines so far, each with a newline at its end; ASCII or UTF-8 without control characters.
    public var bytes: [UInt8] { fields.target.bytes }

    /// Forgets the lines, and keeps the room for them.
    public mutating func removeAll() {
        fields.target.rewind(to: 0)
    }

    /// Appends an event's line.
    ///
    /// - Parameter event: The event, decodable or not.
    /// - Throws: `FieldError` if the envelope or the payload's length is outside of the limits of
    ///   the record format; nothing is appended then. What a log holds never is.
    public mutating func append(_ event: borrowing EventView) throws(FieldError) {
        guard event.header.kind.isStorable else { throw FieldError(.outOfRange, field: "kind") }
        let start = fields.target.bytes.count
        do throws(FieldError) {
            try appendEnvelope(event.header)
            try appendPayload(of: event)
            fields.target.end()
        } catch {
            fields.target.rewind(to: start)
            throw error
        }
    }

    private mutating func appendEnvelope(_ header: EventHeader) throws(FieldError) {
        let number = Int(header.kind.rawValue)
        var header = header
        try header.codePlace(&fields.target)
        if let nature = natures[number], nature.isOf(header) {
            fields.target.repeatMembers(nature.members)
            return
        }
        let named: EventFlags = [.wallTrusted, .simulated]
        let start = fields.target.bytes.count
        try header.codeNature(&fields.target, flagsAsNumber: !header.flags.isSubset(of: named))
        natures[number] = EventNature(of: header, members: Array(fields.target.bytes[start...]))
    }

    /// Appends the payload's fields, or its bytes if they cannot be read.
    private mutating func appendPayload(of event: borrowing EventView) throws(FieldError) {
        let start = fields.target.bytes.count
        if event.header.version == 1 {
            event.withPayload { fields.source.begin($0) }
            do throws(FieldError) {
                if try Event(kind: event.header.kind, fields: &fields) != nil {
                    return try fields.source.finish()
                }
            } catch {
                fields.target.rewind(to: start)
            }
        }
        var payload = event.withPayload { [UInt8](copying: $0) }
        try fields.target.bytes("payload", &payload, limit: EventLimit.payloadBytes)
    }
}
