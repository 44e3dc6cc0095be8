package import Events
internal import JSON

/// The event log as JSON Lines: one event, one object, one line.
///
/// What stands on a line and what is accepted: <doc:JSONLinesFormat>.
package enum JSONLines {
    /// The most bytes of a line that is read, its end not counted; no event needs more.
    package static let lineLimitBytes = 16 * 1_024

    /// Writes an event as a line.
    ///
    /// - Parameter event: The event, decodable or not.
    /// - Returns: The line, ASCII or UTF-8 without control characters, with a newline at its end.
    /// - Throws: `FieldError` if the envelope or the payload's length is outside of the limits of
    ///   the record format. What a log holds never is.
    package static func encode(_ event: borrowing EventView) throws(FieldError) -> [UInt8] {
        var writer = JSONLinesWriter()
        try writer.append(event)
        return writer.bytes
    }

    /// Reads an event from a line.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line, with or without its end.
    ///   - number: The line's number in its file, from 1, for the error.
    /// - Returns: The envelope, and the payload encoded as the log holds it.
    /// - Throws: ``JSONLinesError`` naming line, key, reason and remedy.
    package static func decode(
        line: [UInt8], number: Int
    ) throws(JSONLinesError) -> EventLine {
        var reader = JSONFieldReader()
        return try event(of: try members(of: line, number: number), number: number, &reader)
    }

    /// Reads an event from a line's members.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - number: The line's number, for the error.
    ///   - reader: Reads the fields; it keeps what it found out about names for the next line.
    /// - Returns: The event.
    /// - Throws: ``JSONLinesError``.
    static func event(
        of members: [JSONMember], number: Int, _ reader: inout JSONFieldReader
    ) throws(JSONLinesError) -> EventLine {
        do throws(FieldError) {
            reader.begin(members)
            return try event(from: &reader)
        } catch {
            throw JSONLinesError(reader.problem ?? .invalidValue, line: number, field: error)
        }
    }

    /// Reads the members of the object on a line.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line, with or without its end.
    ///   - number: The line's number, for the error.
    /// - Returns: The members in their order.
    /// - Throws: ``JSONLinesError`` if the line is not one object of JSON.
    static func members(
        of line: [UInt8], number: Int
    ) throws(JSONLinesError) -> [JSONMember] {
        let value: JSONValue
        do throws(JSONError) {
            let limits = JSONParser.Limits(bytes: lineLimitBytes + lineEndBytes)
            value = try JSONParser.parse(line, limits: limits)
        } catch {
            let code: JSONLinesError.Code = error.code == .tooLarge ? .lineTooLong : .invalidJSON
            throw JSONLinesError(code, line: number, reason: error.description)
        }
        guard case .object(let members) = value else {
            throw JSONLinesError(
                .notAnObject, line: number, reason: "The line is not a JSON object.")
        }
        return members
    }

    /// The bytes of the longest end of a line, CR LF.
    static let lineEndBytes = 2

    private static func event(
        from reader: inout JSONFieldReader
    ) throws(FieldError) -> EventLine {
        var header = EventHeader.blank
        try header.codeEnvelope(&reader, flagsAsNumber: reader.has("flags"))
        let payload = try payload(of: header, from: &reader)
        try reader.finish()
        return EventLine(header: header, payload: payload)
    }

    /// The payload from its fields, or from its bytes where a line gives those.
    private static func payload(
        of header: EventHeader, from reader: inout JSONFieldReader
    ) throws(FieldError) -> [UInt8] {
        if reader.hasNamedKind, header.version == 1, !reader.has("payload"),
            let event = try Event(kind: header.kind, fields: &reader)
        {
            return try event.encodedPayload()
        }
        var payload: [UInt8] = []
        try reader.bytes("payload", &payload, limit: EventLimit.payloadBytes)
        return payload
    }
}
