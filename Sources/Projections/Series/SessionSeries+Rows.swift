extension SessionSeries {
    /// What was known of a session at one moment: what formats that tell it line by line are made
    /// of.
    package struct Row: Hashable, Sendable {
        /// Since the session began, with its pauses.
        package let elapsedMilliseconds: UInt64
        /// The sample that came then.
        package let sample: Sample?
        /// Where the walker was then.
        package let point: Point?
        /// The steps up to then; nil in a session without any.
        package let steps: UInt64?
        /// The distance up to then, by whatever gives it; nil in a session without one.
        package let distanceMillimetres: UInt64?
        /// The steps in the half minute before, a minute; nil before it and after a pause.
        package let stepsPerMinute: UInt64?
    }

    /// The session moment by moment: a row for each sample, each point of the track and each
    /// moment at which steps, distance, or whether it runs were known to change; what happens at
    /// once is one row.
    package var rows: some Sequence<Row> {
        let turns = steps.readings.map(\.elapsedMilliseconds)
        let lengths = distance.readings.map(\.elapsedMilliseconds)
        return Rows(
            series: self, samples: samples[...], points: points[...], turns: turns[...],
            lengths: lengths[...])
    }

    /// What was known at a moment, without a sample or a point.
    ///
    /// - Parameter elapsed: Milliseconds since the session began, with its pauses.
    /// - Returns: The row.
    package func row(at elapsed: UInt64) -> Row { row(at: elapsed, nil, nil) }

    /// The steps in the half minute before a moment, a minute.
    private func stepsPerMinute(at elapsed: UInt64) -> UInt64? {
        let window: UInt64 = 30_000
        guard steps.amount > 0, elapsed >= window,
            let start = steps.reading(atElapsed: elapsed - window),
            let end = steps.reading(atElapsed: elapsed),
            end.activeMilliseconds.minus(start.activeMilliseconds) == window
        else { return nil }
        return end.amount.minus(start.amount) * (60_000 / window)
    }

    fileprivate func row(at elapsed: UInt64, _ sample: Sample?, _ point: Point?) -> Row {
        func amount(of growth: Growth) -> UInt64? {
            guard growth.amount > 0, let first = growth.readings.first else { return nil }
            if elapsed < first.elapsedMilliseconds { return first.amount }
            return growth.reading(atElapsed: elapsed)?.amount ?? growth.amount
        }
        return Row(
            elapsedMilliseconds: elapsed, sample: sample, point: point, steps: amount(of: steps),
            distanceMillimetres: amount(of: distance), stepsPerMinute: stepsPerMinute(at: elapsed))
    }
}

/// Merges what happened, in order.
private struct Rows: Sequence, IteratorProtocol {
    let series: SessionSeries
    var samples: ArraySlice<SessionSeries.Sample>
    var points: ArraySlice<SessionSeries.Point>
    var turns: ArraySlice<UInt64>
    var lengths: ArraySlice<UInt64>

    mutating func next() -> SessionSeries.Row? {
        let read = Swift.min(
            samples.first?.elapsedMilliseconds ?? .max, points.first?.elapsedMilliseconds ?? .max)
        let now = Swift.min(read, Swift.min(turns.first ?? .max, lengths.first ?? .max))
        guard now < .max else { return nil }
        turns = turns.drop { $0 == now }
        lengths = lengths.drop { $0 == now }
        let sample = samples.first?.elapsedMilliseconds == now ? samples.popFirst() : nil
        let point = points.first?.elapsedMilliseconds == now ? points.popFirst() : nil
        return series.row(at: now, sample, point)
    }
}
