package import EventStore
package import Events
internal import Interchange
internal import Terminal
internal import Words

/// Prints events as they are in a log, for people or as JSON Lines.
package struct EventPrinter {
    private let json: Bool
    private let filter: EventFilter
    /// Nil where the log is still to tell the zone before the first event.
    private var words: EventLines?
    private var jsonLines = JSONLinesWriter()
    /// The position after the last event that was printed or passed over.
    package private(set) var next: Position = 0

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - json: Whether to write JSON Lines.
    ///   - filter: Which of the events are printed.
    ///   - offsetMinutes: Minutes east of UTC before the first event; nil where the log has it.
    package init(json: Bool, filter: EventFilter = EventFilter(), offsetMinutes: Int64? = nil) {
        (self.json, self.filter) = (json, filter)
        words = offsetMinutes.map { EventLines(offsetMinutes: $0) }
    }

    /// Prints the events of a window, then throws what kept it from looking further.
    package mutating func print(
        _ positions: WindowedPositions, _ log: any EventLog
    ) throws(EventLogError) {
        for range in positions.ranges {
            try print(from: range.lowerBound, until: range.upperBound, log)
        }
        if let damage = positions.damage { throw damage }
    }

    /// Prints a range of a log, in portions of 64 KiB; what comes before a damage is printed.
    package mutating func print(
        from start: Position, until end: Position? = nil, _ log: any EventLog
    ) throws(EventLogError) {
        let end = end ?? .max
        guard start < end else {
            next = max(next, start)
            return
        }
        if !json, words == nil || start > next {
            let offset = try log.zoneOffsetMinutes(at: start)
            words = (words ?? EventLines()).going(onAtOffset: offset)
        }
        next = max(next, start)
        var portion: [UInt8] = []
        defer { Output.standard.write(portion) }
        var failure: EventLogError?
        try log.read(from: start, until: end) { event in
            do throws(FieldError) {
                try add(event, to: &portion)
            } catch {
                failure = EventLogError(
                    .damaged, position: event.header.position, detail: error.description)
                return false
            }
            next = event.header.position + 1
            if portion.count >= 64 * 1_024 {
                Output.standard.write(portion)
                portion = []
            }
            return true
        }
        if let failure { throw failure }
    }

    private mutating func add(
        _ event: borrowing EventView, to portion: inout [UInt8]
    ) throws(FieldError) {
        guard filter.shows(event) else { return pass(over: event) }
        guard json else { return portion += lines(event.recorded) }
        try jsonLines.append(event)
        portion += jsonLines.bytes
        jsonLines.removeAll()
    }

    /// Passes over an event that gets no line.
    mutating func pass(over event: borrowing EventView) {
        words?.pass(over: event)
    }

    /// The event's line, below the headings that it needs; each with its end.
    mutating func lines(_ event: RecordedEvent) -> [UInt8] {
        if json { return event.jsonLine }
        var words = words ?? EventLines()
        defer { self.words = words }
        return Array(words.add(event).utf8)
    }
}
