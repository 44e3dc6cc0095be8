public import Events

/// Waits between events as long as they were apart, divided by a rate.
public struct Pace: Sendable {
    private let rate: Double?
    private let clock = ContinuousClock()
    private var start: (instant: ContinuousClock.Instant, boot: UInt64)?

    /// Makes a pace.
    ///
    /// - Parameter rate: How many times as fast as the events came; nil never waits.
    public init(rate: Double?) {
        self.rate = rate
    }

    /// Waits until an event is due; a boot clock that starts anew is followed at once.
    ///
    /// - Parameter stamp: When the event arrived.
    public mutating func wait(for stamp: Stamp) async {
        guard let rate else { return }
        guard let start, stamp.bootMilliseconds >= start.boot else {
            self.start = (clock.now, stamp.bootMilliseconds)
            return
        }
        let milliseconds = Double(stamp.bootMilliseconds - start.boot) / rate
        let due = start.instant + .milliseconds(Int64(min(milliseconds, 1e15)))
        do {
            try await clock.sleep(until: due)
        } catch {
            return  // Cancelled: the rest comes at once.
        }
    }
}
