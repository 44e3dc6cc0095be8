package import EventStore
package import Events
internal import Interchange
internal import TamperEvidence
internal import Terminal
internal import Words

/// Prints events as they are in a log, for people or as JSON Lines.
package struct EventPrinter {
    private let json: Bool
    /// Whether it is all of a log, with an end that says so.
    private let isExport: Bool
    private let filter: EventFilter
    /// Nil where the log is still to tell the zone before the first event.
    private var words: EventLines?
    /// The position after the last event that was printed or passed over.
    package private(set) var next: Position = 0

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - json: Whether to write JSON Lines.
    ///   - filter: Which of the events are printed.
    ///   - offsetMinutes: Minutes east of UTC before the first event; nil where the log has it.
    package init(json: Bool, filter: EventFilter = EventFilter(), offsetMinutes: Int64? = nil) {
        self.json = json
        isExport = false
        self.filter = filter
        words = offsetMinutes.map { EventLines(offsetMinutes: $0) }
    }

    /// Makes a printer of a whole log as an export.
    package init() {
        (json, isExport, filter) = (true, true, EventFilter())
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

    /// Prints a range of a log, in portions of 64 KiB.
    package mutating func print(
        from start: Position, until end: Position? = nil, _ log: any EventLog
    ) throws(EventLogError) {
        let end = end ?? .max
        guard start < end else {
            next = max(next, start)
            return
        }
        if json {
            next = max(next, start)
            return try printJSON(from: start, until: end, log)
        }
        var portion: [UInt8] = []
        if words == nil || start > next {
            let offset = try log.zoneOffsetMinutes(at: start)
            words = (words ?? EventLines()).going(onAtOffset: offset)
        }
        next = max(next, start)
        try log.read(from: start, until: end) { event in
            if filter.shows(event) {
                portion += lines(event.recorded)
            } else {
                words?.pass(over: event)
            }
            next = event.header.position + 1
            if portion.count >= 64 * 1_024 {
                Output.standard.write(portion)
                portion = []
            }
            return true
        }
        Output.standard.write(portion)
    }

    /// Prints a range as JSON Lines, block by block and without an event between.
    ///
    /// What comes before a damage is printed.
    private mutating func printJSON(
        from start: Position, until end: Position, _ log: any EventLog
    ) throws(EventLogError) {
        var press = LinePress(start..<end, filter, digest: isExport ? FileDigest() : nil)
        if isExport { press.write(ExportFrame.beginning.line) }
        var failure: EventLogError?
        do throws(EventLogError) {
            // Nothing after the end is looked at: it may be damaged.
            try log.openBlocks(from: start) { block throws(DamagedBlock) in
                next = min(try BlockReader.heads(of: block).next, end)
                do throws(EventLogError) {
                    try press.add(block)
                } catch {
                    failure = error
                }
                return failure == nil && next < end
            }
        } catch {
            failure = error
        }
        try press.flush()
        if let failure { throw failure }
        if let digest = press.digest {
            press.write(ExportFrame.end(events: next, digest).line)
        }
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
