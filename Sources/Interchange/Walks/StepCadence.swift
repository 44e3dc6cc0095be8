/// Makes steps of a cadence.
struct StepCadence {
    /// For so long at most a cadence counts.
    private static let longestMilliseconds: Int64 = 10_000

    /// Steps times minutes in milliseconds, and for how many there was a cadence above 0.
    private var (stepMilliseconds, milliseconds) = (UInt64(0), UInt64(0))
    private var last: Int64?

    /// Takes a record.
    ///
    /// - Parameters:
    ///   - stepsPerMinute: The cadence since the record before; nil if the record does not say.
    ///   - now: When it is, in milliseconds.
    ///   - isPaused: Whether the timer stood until then.
    /// - Returns: The steps so far; nil if the record does not say.
    mutating func take(_ stepsPerMinute: UInt64?, at now: Int64, isPaused: Bool) -> UInt64? {
        defer { last = max(last ?? now, now) }
        guard let stepsPerMinute else { return nil }
        if let last, !isPaused, now > last {
            let time = UInt64(min(now - last, Self.longestMilliseconds))
            stepMilliseconds += min(stepsPerMinute, 508) * time
            if stepsPerMinute > 0 { milliseconds += time }
        }
        return stepMilliseconds / 60_000
    }

    /// Whether it is of more steps a minute, on average, than anybody makes.
    var isTooFast: Bool { stepMilliseconds > 240 * milliseconds }
}
