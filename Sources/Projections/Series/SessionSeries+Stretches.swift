internal import Events

extension SessionSeries {
    /// What a walk was like for a while; all stretches of a session have the same length.
    package struct Stretch: Hashable, Sendable {
        /// When it begins, since the session began, with its pauses.
        package let startMilliseconds: UInt64
        /// Whether the session was paused for most of it.
        package let isPaused: Bool
        /// Milliseconds a kilometre around it; nil where nobody moved.
        package let paceMilliseconds: UInt64?
        /// The mean height of its points; between two points, what lies between theirs.
        package let altitudeMillimetres: Int64?
        /// Steps a minute around it; nil in a session without a step.
        package let cadence: Hundredths?
    }

    /// How long stretches may be, and how many there may be.
    private static let lengths: [UInt64] = [
        5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
    ]
    private static let mostStretches: UInt64 = 300
    /// Steps and distances come now and then: they are compared over a minute at least.
    private static let halfWindow: UInt64 = 30_000
    /// Slower than an hour for a kilometre nobody walks.
    private static let slowest: UInt64 = 3_600_000
    /// So far apart two points may be for a height between them.
    private static let farthest: UInt64 = 120_000

    /// How long each of the ``stretches`` is, in milliseconds.
    package var stretchMilliseconds: UInt64 {
        Self.lengths.first { knownMilliseconds / $0 < Self.mostStretches }
            ?? knownMilliseconds / Self.mostStretches + 1
    }

    /// Up to when something is known.
    private var knownMilliseconds: UInt64 {
        max(
            steps.readings.last?.elapsedMilliseconds ?? 0,
            points.last?.elapsedMilliseconds ?? 0)
    }

    /// The session from its begin to its end in at most 300 stretches of the same length.
    package var stretches: [Stretch] {
        let (length, heights) = (stretchMilliseconds, heights)
        return (0..<max((knownMilliseconds + length - 1) / length, 1)).map { index in
            let time = index * length..<(index + 1) * length
            let middle = time.lowerBound + length / 2
            let early = min(time.lowerBound, middle.minus(Self.halfWindow))
            let around = early..<max(time.upperBound, middle + Self.halfWindow)
            let active = steps.grown(in: time)
            let isPaused = active.map { $0.active < $0.elapsed / 2 } ?? false
            let moved = isPaused ? nil : distance.grown(in: around)
            let walked = isPaused || steps.amount == 0 ? nil : steps.grown(in: around)
            let pace = moved.flatMap { moved in
                moved.amount == 0 ? nil : moved.active.scaled(by: 1_000_000, over: moved.amount)
            }
            return Stretch(
                startMilliseconds: time.lowerBound, isPaused: isPaused,
                paceMilliseconds: pace.flatMap { $0 > 0 && $0 <= Self.slowest ? $0 : nil },
                altitudeMillimetres: isPaused ? nil : Self.height(in: time, of: heights),
                cadence: walked.flatMap { Hundredths($0.amount.times(60_000), over: $0.active) })
        }
    }

    private typealias Height = (elapsed: UInt64, millimetres: Int64, isStart: Bool)

    /// The points with a height; one after a break of the track continues from no other.
    private var heights: [Height] {
        var isStart = true
        return points.compactMap { point in
            isStart = isStart || point.isStart
            guard let millimetres = point.altitudeMillimetres else { return nil }
            defer { isStart = false }
            return (point.elapsedMilliseconds, millimetres, isStart)
        }
    }

    private static func height(in time: Range<UInt64>, of heights: [Height]) -> Int64? {
        let first = heights.partitioningIndex { $0.elapsed >= time.lowerBound }
        let next = heights.partitioningIndex { $0.elapsed >= time.upperBound }
        if first < next {
            let own = heights[first..<next]
            return own.reduce(0) { $0 + $1.millimetres } / Int64(own.count)
        }
        guard first > 0, first < heights.count, !heights[first].isStart else { return nil }
        let (before, after) = (heights[first - 1], heights[first])
        let whole = after.elapsed - before.elapsed
        guard whole <= farthest else { return nil }
        let part = time.lowerBound.minus(before.elapsed) + (time.upperBound - time.lowerBound) / 2
        let climbed = Int128(after.millimetres - before.millimetres)
        return before.millimetres
            + Int64(clamping: climbed * Int128(min(part, whole)) / Int128(whole))
    }
}

extension Growth {
    /// How much it grew in a time, as far as it is known, and how long that was.
    ///
    /// - Parameter time: Since the session began, with its pauses.
    /// - Returns: The amount, the milliseconds, and those without pauses; nil if nothing is known.
    func grown(
        in time: Range<UInt64>
    ) -> (amount: UInt64, elapsed: UInt64, active: UInt64)? {
        guard let first = readings.first, let last = readings.last,
            let start = reading(atElapsed: max(time.lowerBound, first.elapsedMilliseconds)),
            let end = reading(atElapsed: min(time.upperBound, last.elapsedMilliseconds)),
            end.elapsedMilliseconds > start.elapsedMilliseconds
        else { return nil }
        return (
            end.amount.minus(start.amount),
            end.elapsedMilliseconds - start.elapsedMilliseconds,
            end.activeMilliseconds.minus(start.activeMilliseconds)
        )
    }
}
