import Synchronization

/// When something arrived, on the two clocks that a record needs.
///
/// Taken once, on the bus thread, when a message leaves libdbus or a timer is due.
public struct Arrival: Hashable, Sendable {
    /// Milliseconds since the machine started, suspended time included (CLOCK_BOOTTIME).
    public var bootMilliseconds: UInt64

    /// Milliseconds since 1970-01-01 00:00 UTC as the machine believes (CLOCK_REALTIME).
    ///
    /// A label only: the clock can be set, forwards and backwards. Negative before 1970.
    public var wallMilliseconds: Int64

    /// Makes a stamp from both clocks.
    ///
    /// - Parameters:
    ///   - bootMilliseconds: Milliseconds since the machine started.
    ///   - wallMilliseconds: Milliseconds since 1970-01-01 00:00 UTC.
    public init(bootMilliseconds: UInt64, wallMilliseconds: Int64) {
        self.bootMilliseconds = bootMilliseconds
        self.wallMilliseconds = wallMilliseconds
    }

    /// Reads both clocks of this machine, together.
    ///
    /// - Returns: The stamp of this moment; wall minus boot is the same as in the stamp before,
    ///   unless the clocks have moved against each other by a millisecond.
    public static func now() -> Arrival {
        let reading = ClockPair.read()
        return clocks.withLock {
            $0.arrival(boot: reading.boot, wallMinusBoot: reading.wallMinusBoot)
        }
    }

    private static let clocks = Mutex(ClockPair())
}
