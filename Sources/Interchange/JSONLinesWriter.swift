package import Events

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
package struct JSONLinesWriter: Sendable {
    private var fields = JSONFieldWriter()

    /// Makes a writer without a line.
    package init() {}

    /// The lines so far, each with a newline at its end; ASCII or UTF-8 without control characters.
    package var bytes: [UInt8] { fields.bytes }

    /// Forgets the lines, and keeps the room for them.
    package mutating func removeAll() {
        fields.rewind(to: 0)
    }

    /// Appends an event's line.
    ///
    /// - Parameter event: The event, decodable or not.
    /// - Throws: `FieldError` if the envelope or the payload's length is outside of the limits of
    ///   the record format; nothing is appended then. What a log holds never is.
    package mutating func append(_ event: borrowing EventView) throws(FieldError) {
        guard event.header.kind.isStorable else { throw FieldError(.outOfRange, field: "kind") }
        let start = fields.bytes.count
        let named: EventFlags = [.wallTrusted, .simulated]
        var header = event.header
        do throws(FieldError) {
            try header.codeEnvelope(&fields, flagsAsNumber: !header.flags.isSubset(of: named))
            try appendPayload(of: event)
            fields.end()
        } catch {
            fields.rewind(to: start)
            throw error
        }
    }

    /// Appends the payload's fields, or its bytes if they cannot be read.
    private mutating func appendPayload(of event: borrowing EventView) throws(FieldError) {
        let decoded = event.decoded
        guard case .unknown = decoded else { return try decoded.writeFields(to: &fields) }
        var payload = event.withPayload { [UInt8](copying: $0) }
        try fields.bytes("payload", &payload, limit: EventLimit.payloadBytes)
    }
}
