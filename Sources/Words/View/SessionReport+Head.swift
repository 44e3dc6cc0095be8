internal import Events
package import JSON
package import Projections
internal import Text

/// The head of a walk looked back at: what it is called, when it was, and what the walker says of
/// it, with the words for changing that.
extension SessionReport {
    /// Writes the title, the line below it, and what can be said, into an object that is open.
    package func writeHead(to json: inout JSONWriter) {
        json.field("title", keeping.name.isEmpty ? begin : printable(keeping.name, limit: 4_096))
        json.field("day", begin)
        json.field("end", end)
        json.object("kept") { json in
            for (key, text) in [
                ("name", keeping.name), ("place", keeping.place), ("note", keeping.note),
            ] {
                json.object(key) { Self.write(text, to: &$0) }
            }
            json.list("tags", keeping.tags) { Self.write($1, to: &$0) }
            json.field("sport", keeping.sport.known?.name ?? "")
            json.pairs("sports", ("key", "name"), sports)
            json.field("hidden", keeping.isHidden ? Self.hidden : nil)
        }
    }

    /// What is shown of a text that somebody has typed, and the text itself, to be changed.
    private static func write(_ text: String, to json: inout JSONWriter) {
        json.field("text", printable(text, limit: 4_096))
        json.field("value", text)
    }

    private static let hidden =
        "You hid this walk. It is in no list, sum or record. The log keeps it, and its steps stay "
        + "in the day."

    /// What can be chosen, and what a later version has chosen.
    private var sports: [(String, String)] {
        let known = Sport.allCases.map { ($0.name, capitalized($0.name)) }
        guard keeping.sport.known == nil else { return known }
        return [("", capitalized(keeping.sport.words))] + known
    }

    private var begin: String { "\(start.date.long), \(start.clock)" }

    /// When it was.
    private var end: String {
        let isNamed = !keeping.name.isEmpty
        let ended = endedAtMilliseconds.map {
            (isNamed ? "\(begin) to " : "Ended ")
                + "\(LocalTime($0, offsetMinutes: offsetMinutes).clock)."
        }
        return ended ?? (isNamed ? "\(begin). " : "") + "Still open."
    }
}
