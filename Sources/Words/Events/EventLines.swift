package import Events
internal import Text

/// Events as lines for people.
///
/// People read local times under the offset that the log recorded, never this machine's. A heading
/// stands above the first line, and date and offset above each line at which they change.
package struct EventLines: Sendable {
    /// Minutes east of UTC, as the events so far have it.
    private var offsetMinutes: Int64
    private var day: String?

    /// Makes lines of no event yet.
    ///
    /// - Parameter offsetMinutes: Minutes east of UTC before the first event that gives it.
    package init(offsetMinutes: Int64 = 0) {
        self.offsetMinutes = offsetMinutes
    }

    /// The event's line, below the headings that it needs; each with its end.
    package mutating func add(_ event: RecordedEvent) -> String {
        if event.header.source == 0, let minutes = ZoneOffset.minutes(event.event) {
            offsetMinutes = minutes
        }
        let time = event.time(offsetMinutes: offsetMinutes)
        var text = day == nil ? Self.row("position", "time", "event") + "\n" : ""
        if day != time.day { text += time.day + "\n" }
        day = time.day
        return text + Self.row("\(event.header.position)", time.seconds, event.words) + "\n"
    }

    /// Lines of events further on, where the log tells another offset.
    package func going(onAtOffset offsetMinutes: Int64) -> EventLines {
        var lines = self
        lines.offsetMinutes = offsetMinutes
        return lines
    }

    /// Passes over an event that gets no line; the times of those after it still depend on it.
    package mutating func pass(over event: borrowing EventView) {
        if event.header.source == 0, let minutes = ZoneOffset.minutes(event) {
            offsetMinutes = minutes
        }
    }

    /// A line of columns.
    static func row(_ position: String, _ time: String, _ words: String) -> String {
        alignedRight(position, 10) + "  " + padded(time, to: 8) + "  " + words
    }
}
