package import Events
package import JSON
package import Projections
internal import Text

/// The first event at which two folds show another result, or that there is none.
package struct PartingText: Answer, JSONObject {
    /// The event at which they part, what is shown differently after it, and the minutes east of
    /// UTC there, for people.
    package typealias Parting = (
        event: RecordedEvent, differences: [FieldChange], offsetMinutes: Int64
    )

    private let parting: Parting?
    private let events: UInt64
    private let compared: [String]
    private let note: String?
    private let titles: (before: String, after: String)

    /// Tells where folds part.
    ///
    /// - Parameters:
    ///   - parting: Where; nil if they never do.
    ///   - events: How many events were looked at.
    ///   - compared: The other rules, or the name of the old version.
    ///   - note: What is to be known of an old version; nil for rules.
    package init(_ parting: Parting?, events: UInt64, compared: [String], note: String? = nil) {
        (self.parting, self.events, self.compared, self.note) = (parting, events, compared, note)
        titles = note == nil ? ("as it is", "what if") : (compared.joined(), "as it is")
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("parts", parting != nil)
        line.field("events", events)
        line.field("compared", compared)
        guard let parting else { return }
        let header = parting.event.header
        line.field("position", header.position)
        line.field("at", TimeText.utc(header.stamp.wallMilliseconds))
        line.field("event", parting.event)
        line.field("words", parting.event.event.words)
        let first = parting.differences.first
        line.field("field", first?.field)
        line.field("before", first?.before ?? .absent)
        line.field("after", first?.after ?? .absent)
        line.differences(parting.differences)
    }

    /// The event, and what differs after it.
    package var text: String {
        var text = note.map { wrapped("\(compared.joined()): \($0)", to: 80) } ?? []
        guard let parting else {
            let seen = counted(events, "event")
            text.append("No difference in \(seen): both show the same after each of them.")
            return text.joined(separator: "\n") + "\n"
        }
        text.append("The first event after which they differ:")
        var lines = EventLines(offsetMinutes: parting.offsetMinutes)
        let event = lines.add(parting.event)
        let table = DifferenceTable(
            parting.differences, before: titles.before, after: titles.after)
        return text.joined(separator: "\n") + "\n" + event + table.text
    }
}
