internal import CClock
internal import Synchronization

/// When something arrived, on the two clocks that a record needs.
///
/// Taken once, on the thread where it arrives.
public struct Arrival: Hashable, Sendable {
    /// Milliseconds since the machine started, suspended time included (`CLOCK_BOOTTIME`).
    public var bootMilliseconds: UInt64

    /// Milliseconds since 1970-01-01 00:00 UTC as the machine believes (`CLOCK_REALTIME`).
    ///
    /// A label only: the clock can be set, forwards and backwards. Negative before 1970.
    public var wallMilliseconds: Int64

    /// Whether the wall clock could be relied on: see ``isTrusted(wallMilliseconds:)``.
    public var isWallTrusted: Bool

    /// Makes an arrival.
    ///
    /// - Parameters:
    ///   - bootMilliseconds: Milliseconds since the machine started.
    ///   - wallMilliseconds: Milliseconds since 1970-01-01 00:00 UTC.
    ///   - isWallTrusted: Whether the wall clock can be relied on.
    public init(bootMilliseconds: UInt64, wallMilliseconds: Int64, isWallTrusted: Bool = false) {
        (self.bootMilliseconds, self.wallMilliseconds) = (bootMilliseconds, wallMilliseconds)
        self.isWallTrusted = isWallTrusted
    }

    /// 2024-01-01T00:00:00Z in milliseconds: a clock before it was never set.
    public static let earliestTrustedMilliseconds: Int64 = 1_704_067_200_000

    /// Reads the clocks of this machine, together.
    ///
    /// - Returns: This moment; wall minus boot is the same as the time before, unless the clocks
    ///   have moved against each other by a millisecond.
    public static func now() -> Arrival {
        let reading = ClockPair.read()
        var arrival = clocks.withLock {
            $0.arrival(boot: reading.boot, wallMinusBoot: reading.wallMinusBoot)
        }
        arrival.isWallTrusted = isTrusted(wallMilliseconds: arrival.wallMilliseconds)
        return arrival
    }

    private static let clocks = Mutex(ClockPair())

    /// Whether the kernel holds the wall clock for synchronized (adjtimex(2)), and it is not before
    /// 2024.
    private static func isTrusted(wallMilliseconds: Int64) -> Bool {
        var status = timex()
        let state = unsafe adjtimex(&status)
        let isSynchronized = state >= 0 && status.status & STA_UNSYNC == 0
        return isSynchronized && wallMilliseconds >= earliestTrustedMilliseconds
    }
}
