package import Events
public import JSON

extension RecordedEvent {
    /// The event as a line of JSON Lines.
    package var jsonLine: [UInt8] {
        do throws(FieldError) {
            return try withView { (event) throws(FieldError) in try JSONLines.encode(event) }
        } catch {
            // What a log holds is within its limits: it was checked when it was appended.
            preconditionFailure("Event \(header.position): \(error)")
        }
    }
}

extension RecordedEvent: JSONWritable {
    /// Writes the event as an object, as it is in a line of JSON Lines.
    package func write(to json: inout JSONWriter) {
        json.word(String(decoding: jsonLine.dropLast(), as: UTF8.self))
    }
}
