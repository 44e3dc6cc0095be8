package import Events

/// Waits between events as long as they were apart, divided by a rate.
///
/// Each event is due so long after the first of its run, so that no delay adds up. A run ends where
/// the boot clock restarts, or where the events of another source begin.
package struct Pace: Sendable {
    /// Several processes append: stamps of one boot may run backwards by so much.
    private static let jitterMilliseconds: UInt64 = 2_000

    /// Events by one boot clock.
    private struct Run {
        let instant: ContinuousClock.Instant
        let first: Stamp
        let source: UInt32
        var last: UInt64
    }

    private let rate: Double?
    private let clock = ContinuousClock()
    private var run: Run?

    /// Makes a pace.
    ///
    /// - Parameter rate: How many times as fast as the events came; nil never waits.
    package init(rate: Double?) {
        self.rate = rate
    }

    /// When an event is due; a boot clock that restarts is followed at once.
    ///
    /// - Parameters:
    ///   - stamp: When the event arrived.
    ///   - source: Which source it is of.
    ///   - now: The present.
    /// - Returns: The moment; nil for at once.
    package mutating func due(
        for stamp: Stamp, of source: UInt32 = 0, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        guard let rate else { return nil }
        let boot = stamp.bootMilliseconds
        guard var run, run.source == source, run.first.bootNumber == stamp.bootNumber,
            boot + Self.jitterMilliseconds >= run.last
        else {
            run = Run(instant: now, first: stamp, source: source, last: boot)
            return nil
        }
        run.last = max(run.last, boot)
        self.run = run
        guard boot > run.first.bootMilliseconds else { return nil }
        let milliseconds = Double(boot - run.first.bootMilliseconds) / rate
        let due = run.instant + .milliseconds(Int64(min(milliseconds, 1e15)))
        return due > now ? due : nil
    }

    /// Waits until an event is due.
    ///
    /// - Parameter stamp: When the event arrived.
    package mutating func wait(for stamp: Stamp) async {
        guard let due = due(for: stamp, now: clock.now) else { return }
        do {
            try await clock.sleep(until: due)
        } catch {
            return  // Cancelled: the rest comes at once.
        }
    }
}
