import Glibc

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

    /// Reads both clocks of this machine.
    ///
    /// - Returns: The stamp of this moment.
    public static func now() -> Arrival {
        Arrival(
            bootMilliseconds: UInt64(clamping: milliseconds(of: CLOCK_BOOTTIME)),
            wallMilliseconds: milliseconds(of: CLOCK_REALTIME))
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        let status = unsafe clock_gettime(clock, &time)
        precondition(status == 0, "Linux has CLOCK_BOOTTIME since 2.6.39 and always CLOCK_REALTIME")
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
