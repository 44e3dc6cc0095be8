internal import Clocks
package import Events

/// When the events of a log came, whatever order they stand in: imported walks are older than what
/// was recorded before them.
package struct TimeIndex: Sendable {
    /// Events that stand next to each other and came in this order, without a long pause.
    struct Run {
        var positions: Range<Position>
        var times: ClosedRange<Int64>
    }

    /// So few runs are looked through within a millisecond, and one is read in less.
    private static let longestRun = 256
    private static let longestPauseMilliseconds: Int64 = 60_000

    /// Events from here on have not been counted.
    package private(set) var next: Position = 0
    /// The earliest and the latest time, in UTC milliseconds since 1970; nil without an event.
    package private(set) var span: ClosedRange<Int64>?
    /// The position of the latest one.
    private(set) var latest: Position = 0
    /// In the order of the log.
    private(set) var runs: [Run] = []

    /// Counts the next event.
    mutating func count(_ header: EventHeader) {
        let time = header.stamp.wallMilliseconds
        next = header.position + 1
        // A clock that had not been set yet says nothing of when.
        guard header.source > 0 || time >= Arrival.earliestTrustedMilliseconds else { return }
        if time >= span?.upperBound ?? time { latest = header.position }
        span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time)
        if let run = runs.last, run.positions.upperBound == header.position,
            run.positions.count < Self.longestRun,
            (0...Self.longestPauseMilliseconds).contains(time - run.times.upperBound)
        {
            runs[runs.count - 1] = Run(
                positions: run.positions.lowerBound..<next, times: run.times.lowerBound...time)
        } else {
            runs.append(Run(positions: header.position..<next, times: time...time))
        }
    }

    /// How many events came in each of some stretches, as long as each other, of the whole time or
    /// a part of it.
    package func counts(in stretches: Int, of part: ClosedRange<Int64>? = nil) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: stretches)
        guard let span = part ?? span else { return counts }
        let length = span.upperBound - span.lowerBound + 1
        func stretch(at time: Int64) -> Int {
            Int((time - span.lowerBound) * Int64(stretches) / length)
        }
        for run in runs where run.times.overlaps(span) {
            let (from, until) = (run.times.lowerBound, run.times.upperBound)
            guard
                !span.contains(from) || !span.contains(until)
                    || stretch(at: from) < stretch(at: until)
            else {
                counts[stretch(at: from)] += UInt64(run.positions.count)
                continue
            }
            // As if they had come evenly; at either end there is one.
            let last = Int64(run.positions.count - 1)
            for event in 0...last {
                let time = from + (until - from) * event / max(last, 1)
                if span.contains(time) { counts[stretch(at: time)] += 1 }
            }
        }
        return counts
    }
}
