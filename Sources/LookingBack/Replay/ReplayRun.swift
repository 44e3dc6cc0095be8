internal import Deciding
package import EventStore
package import Events
internal import JSON
package import Projections
package import Terminal
internal import Sensors
internal import Words

/// One way through what is replayed: events at their own positions, through the recorder's folds.
///
/// Nothing is appended and nothing is decided. A state under other rules goes along, so that both
/// stand at the same event whenever somebody ends it.
package struct ReplayRun {
    /// What is shown of each event; nothing of those before the first one that is.
    package struct Showing {
        /// How many times as fast as they came; nil for as fast as possible.
        package var rate: Double?
        /// What the terminal can that the recorder's screen is drawn on; nil for lines.
        package var screen: Look?
        /// What is replayed, for the screen's help.
        package var name = ""
        /// Whether events are shown as lines.
        package var events = false
        /// Whether each is taken apart.
        package var steps = false
        /// Whether every field of the state is compared then, and not only what people see.
        package var fields = false
        /// Whether somebody is asked before the next one.
        package var asks = false
        /// Whether the state's digest is shown.
        package var digests = false
        /// As JSON Lines.
        package var json = false

        /// Shows the totals alone.
        package init() {}

        /// Whether anything is shown before the totals.
        package var isAny: Bool { events || steps || digests || rate != nil }
    }

    private let log: any EventLog
    private let showing: Showing
    private let stop: StopRequest
    /// The state after the last event, under the recorder's rules.
    package private(set) var state = LogState()
    /// The same under other rules, or nil.
    package private(set) var other: LogState?
    /// Whether somebody ended it before its end.
    package private(set) var isStopped = false

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - log: The events.
    ///   - rules: Other rules to compare with, or nil.
    ///   - showing: What is shown.
    ///   - stop: Ends it between two events.
    package init(_ log: any EventLog, rules: Rules?, _ showing: Showing, orUntil stop: StopRequest)
    {
        (self.log, self.showing, self.stop) = (log, showing, stop)
        other = rules.map { LogState(rules: $0) }
    }

    /// Plays all of it.
    ///
    /// - Parameters:
    ///   - shown: The events that are shown, of which the last is before the end.
    ///   - end: The position to stop before; nil for the end of the log.
    /// - Throws: `EventLogError`; the states hold the events before the fault.
    package mutating func play(
        _ shown: WindowedPositions, until end: Position?
    ) throws(EventLogError) {
        guard showing.isAny, let first = shown.span?.lowerBound else { return try fold(until: end) }
        var limit = try log.next
        if let end { limit = min(end, limit) }
        try fold(until: min(first, limit))
        guard first < limit, !isStopped else { return }
        var ranges = shown.ranges[...]
        var pace = Pace(rate: showing.asks ? nil : showing.rate)
        var prompt = showing.asks ? StepPrompt(orUntil: stop) : nil
        var printer = EventPrinter(
            json: showing.json, offsetMinutes: try log.zoneOffsetMinutes(at: first))
        let screen = showing.screen.map {
            ReplayScreen($0, of: showing.name, rate: showing.rate ?? 1, endedBy: stop)
        }
        defer { screen?.release() }
        var failure: EventLogError?
        let clock = ContinuousClock()
        try log.read(from: first) { event in
            let header = event.header
            while let range = ranges.first, range.upperBound <= header.position {
                ranges.removeFirst()
            }
            guard ranges.first?.contains(header.position) == true else {
                state.evolve(event)
                other?.evolve(event)
                printer.pass(over: event)
                isStopped = stop.hasCome
                return !isStopped && header.position + 1 < limit
            }
            if let due = pace.due(for: header.stamp, of: header.source, now: clock.now) {
                screen?.show(state, until: due, or: stop)
                stop.sleep(until: due)
            }
            // Nothing is folded that is not shown.
            isStopped = stop.hasCome || prompt?.goesOn() == false
            guard !isStopped else { return false }
            do throws(EventLogError) {
                try take(event.recorded, screen, &printer)
            } catch {
                failure = error
            }
            return failure == nil && header.position + 1 < limit
        }
        if let failure { throw failure }
    }

    /// Folds silently, block by block.
    private mutating func fold(until end: Position?) throws(EventLogError) {
        let end = end ?? .max
        let start = state.next
        guard start < end else { return }
        try log.openBlocks(from: start) { block throws(DamagedBlock) in
            isStopped = stop.hasCome
            guard !isStopped else { return false }
            return try fold(block, from: start, until: end)
        }
    }

    /// - Returns: Whether the next block is wanted.
    private mutating func fold(
        _ block: Span<UInt8>, from start: Position, until end: Position
    ) throws(DamagedBlock) -> Bool {
        let isWhole = end == .max ? true : try BlockReader.heads(of: block).next <= end
        if isWhole {
            try state.evolve(block: block, from: start)
            try other?.evolve(block: block, from: start)
        } else {
            // Nothing after the end is looked at: it may be damaged.
            try BlockReader.forEach(in: block, from: start) { event in
                guard event.header.position < end else { return false }
                state.evolve(event)
                other?.evolve(event)
                return event.header.position + 1 < end
            }
        }
        return state.head.map { $0 + 1 < end } ?? true
    }

    /// Folds an event and shows it.
    private mutating func take(
        _ event: RecordedEvent, _ screen: ReplayScreen?, _ printer: inout EventPrinter
    ) throws(EventLogError) {
        let before = showing.steps ? state : nil
        do throws(FieldError) {
            try state.evolve(event)
            try other?.evolve(event)
        } catch {
            throw EventLogError(
                .damaged, position: event.header.position, detail: error.description)
        }
        if let screen { return screen.take(event, state) }
        let digest = showing.digests ? state.digest : nil
        if let before {
            let heading = showing.json ? [] : printer.lines(event)
            let step = EventStep(
                event, from: before, to: state, isWhole: showing.fields,
                heading: String(decoding: heading, as: UTF8.self), digest: digest)
            Output.standard.write(showing.json ? step.jsonLine : Array(step.text.utf8))
        } else if let digest {
            Output.standard.write(
                showing.json
                    ? JSONWriter.line {
                        $0.field("position", event.header.position)
                        $0.field("digest", digest)
                    } : Array("\(event.header.position) \(digest)\n".utf8))
        } else {
            Output.standard.write(printer.lines(event))
        }
    }
}
