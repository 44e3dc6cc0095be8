internal import Projections

/// A part of a walk; together they are the walk.
struct WalkLap {
    /// How far the walk had come.
    struct Reach {
        /// Since it began, with its pauses and without them.
        var elapsedMilliseconds: UInt64 = 0
        var activeMilliseconds: UInt64 = 0
        var millimetres: UInt64 = 0
        var steps: UInt64 = 0
    }

    let start: Reach
    let end: Reach
    /// The heart rates in it.
    let bpm: [UInt16]
    let isLast: Bool

    /// How much of an amount came in it.
    func grown(_ amount: (Reach) -> UInt64) -> UInt64 {
        let (before, after) = (amount(start), amount(end))
        return after - min(before, after)
    }
}

extension WalkFile {
    /// Cuts the walk; the last part takes what is left of its totals.
    ///
    /// - Parameter ends: How far the walk had come at the ends of all parts but the last, in order.
    /// - Returns: The parts.
    func laps(endingAt ends: [WalkLap.Reach]) -> [WalkLap] {
        var samples = series.samples[...]
        var start = WalkLap.Reach()
        let whole = WalkLap.Reach(
            elapsedMilliseconds: report.elapsedMilliseconds,
            activeMilliseconds: report.activeMilliseconds,
            millimetres: report.distanceMillimetres ?? 0, steps: report.steps)
        return (ends + [whole]).enumerated().map { index, end in
            let isLast = index == ends.count
            let own = samples.prefix { isLast || $0.elapsedMilliseconds < end.elapsedMilliseconds }
            samples = samples.dropFirst(own.count)
            defer { start = end }
            return WalkLap(start: start, end: end, bpm: own.map(\.bpm), isLast: isLast)
        }
    }

    /// How far the walk had come at a moment.
    func reach(at elapsed: UInt64) -> WalkLap.Reach {
        let row = series.row(at: elapsed)
        let paused = series.intervals.reduce(UInt64(0)) { sum, stretch in
            guard stretch.kind == .paused else { return sum }
            return sum + min(stretch.endMilliseconds, elapsed)
                - min(stretch.startMilliseconds, elapsed)
        }
        return WalkLap.Reach(
            elapsedMilliseconds: elapsed, activeMilliseconds: elapsed - min(paused, elapsed),
            millimetres: row.distanceMillimetres ?? 0, steps: row.steps ?? 0)
    }
}
