package import Events
package import JSON
internal import Text

/// What became of a Bluetooth capture that was imported.
package struct CaptureImportText: Answer, JSONObject {
    /// How many of its values are heart rates, and how many are something else.
    package typealias Counts = (heartRates: UInt64, others: UInt64)

    private let file: String
    private let format: String
    private let counts: Counts
    private let beganAtMilliseconds: Int64
    private let endedAtMilliseconds: Int64
    private let source: UInt32?
    private let session: Position?
    private let isNew: Bool
    private let isPartial: Bool

    /// Tells an import.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - format: The name of its form.
    ///   - counts: What it holds.
    ///   - events: What was made of it.
    ///   - source: The source that its events are of; nil after a dry run.
    ///   - session: The event that began its session, if it has one.
    ///   - isNew: Whether the log did not have it already.
    ///   - isPartial: Whether only a part of the file could be read.
    package init(
        file: String, format: String, counts: Counts, events: EventBatch, source: UInt32?,
        session: Position?, isNew: Bool, isPartial: Bool
    ) {
        (self.file, self.format, self.counts) = (file, format, counts)
        (self.source, self.session) = (source, session)
        (self.isNew, self.isPartial) = (isNew, isPartial)
        var (start, end): (Int64?, Int64?)
        events.forEach { event in
            let wall = event.header.stamp.wallMilliseconds
            if event.header.kind == .sessionStarted { start = start ?? wall }
            if event.header.kind == .sessionEnded { end = wall }
        }
        (beganAtMilliseconds, endedAtMilliseconds) = (start ?? 0, end ?? 0)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("file", file)
        json.field("format", format)
        json.field("heartRates", counts.heartRates)
        json.field("otherValues", counts.others)
        json.field("source", source)
        json.field("session", session)
        json.field("new", isNew)
        json.field("partial", isPartial)
    }

    /// Some lines.
    package var text: String {
        let place =
            session.map { "session \($0)" } ?? source.map { "import \($0)" } ?? "another file"
        guard isNew else {
            return "\(printable(file)): already imported, as \(place). Nothing was recorded.\n"
        }
        let start = LocalTime(beganAtMilliseconds, offsetMinutes: 0)
        let end = LocalTime(endedAtMilliseconds, offsetMinutes: 0)
        let span = "\(start.dated) to \(end.after(start)) UTC"
        var text = "\(printable(file)): \(values), \(span).\n"
        if let session {
            text += "They are session \(session): `pulselog sessions show \(session)`.\n"
        }
        return source == nil ? text + "They would be a session.\n" : text
    }

    private var values: String {
        let heartRates = counted(counts.heartRates, "heart rate")
        if counts.others == 0 { return heartRates }
        return (counts.heartRates == 0 ? "no heart rate, but " : "\(heartRates) and ")
            + counted(counts.others, counts.heartRates == 0 ? "value" : "other value")
    }
}
