public import Events

extension EventLog {
    /// Where in the log the recorder's clock showed a time: after the last event at or before it.
    ///
    /// Local times are those of the recorded zone offsets, whatever the zone of this machine.
    ///
    /// - Parameters:
    ///   - limit: The end of the time's second, in milliseconds since 1970, of local time or UTC.
    ///   - isLocal: Whether `limit` is local time.
    ///   - now: When this is asked.
    /// - Returns: A position for each time that the clock showed it, in order; empty if the log
    ///   begins later.
    /// - Throws: ``EventLogError`` if the log cannot be read.
    public func positions(
        showing limit: Int64, isLocal: Bool, now: Stamp
    ) throws(EventLogError) -> [Position] {
        var offset: Int64 = 0
        var search = ClockSearch(limit)
        try read(from: 0) { event in
            let header = event.header
            guard header.source == 0 else { return true }
            if isLocal, let minutes = ZoneOffset.minutes(event) { offset = minutes * 60_000 }
            search.take(header.position, header.stamp, aheadMilliseconds: offset)
            return true
        }
        return search.end(at: now)
    }
}

/// Finds where a clock showed a time: once, never, or several times if it was set back.
///
/// Until the clock is set back it makes a *run*, in which it shows each time once. Where it stands
/// between two events the boot clock tells.
struct ClockSearch {
    /// A clock that goes back by less is the same one: several processes append.
    private static let jitterMilliseconds: Int64 = 2_000

    private struct Run {
        /// The last event at or before the time, if the run began by then.
        var position: Position?
        /// The latest time that was shown.
        var latest: Int64
        /// The last event.
        var last: Stamp
        /// What the last event's clock showed.
        var shown: Int64
    }

    private let limit: Int64
    private var run: Run?
    private var found: [Position] = []
    /// The last event at or before the time, whatever the clock did.
    private var nearest: Position?

    /// Looks for the second that ends at a time, in milliseconds.
    init(_ limit: Int64) {
        self.limit = limit
    }

    /// Takes an event, in order of position.
    ///
    /// - Parameters:
    ///   - position: The event.
    ///   - stamp: Its stamp.
    ///   - ahead: By how much the time that people see is ahead of UTC.
    mutating func take(_ position: Position, _ stamp: Stamp, aheadMilliseconds ahead: Int64) {
        let shown = stamp.wallMilliseconds + ahead
        if let run, shown < run.latest - Self.jitterMilliseconds { close(before: stamp) }
        var run = self.run ?? Run(position: nil, latest: shown, last: stamp, shown: shown)
        (run.last, run.shown, run.latest) = (stamp, shown, max(run.latest, shown))
        if shown <= limit { (run.position, nearest) = (position, position) }
        self.run = run
    }

    /// Where the time was shown, in order; else the last event at or before it, or nothing.
    mutating func end(at now: Stamp) -> [Position] {
        close(before: now)
        return found.isEmpty ? nearest.map { [$0] } ?? [] : found
    }

    private mutating func close(before next: Stamp) {
        guard let run else { return }
        self.run = nil
        var latest = run.latest
        if run.last.bootNumber == next.bootNumber, next.bootMilliseconds > run.last.bootMilliseconds
        {
            // It went on until somebody set it.
            latest = max(
                latest, run.shown + Int64(next.bootMilliseconds - run.last.bootMilliseconds))
        }
        guard let position = run.position, latest + 999 >= limit else { return }
        found.append(position)
    }
}
