internal import Glibc

/// The boot clock and the wall clock, read together.
///
/// Wall is boot plus the rounded difference of the two, as the record format says. Rounded again
/// each time, a difference near the half of a millisecond would flicker, so the one before stays
/// until the clocks are a whole millisecond further apart, or closer.
struct ClockPair: Sendable {
    /// Wall minus boot in milliseconds, as last taken.
    private var difference: Int64?

    /// Makes the arrival of a reading.
    ///
    /// - Parameters:
    ///   - boot: `CLOCK_BOOTTIME` in nanoseconds.
    ///   - wallMinusBoot: How far `CLOCK_REALTIME` is ahead of it, in nanoseconds.
    /// - Returns: The stamp, in whole milliseconds.
    mutating func arrival(boot: Int64, wallMinusBoot: Int64) -> Arrival {
        let rounded = (wallMinusBoot + 500_000).flooringQuotient(by: 1_000_000)
        var taken = difference ?? rounded
        if (wallMinusBoot - taken * 1_000_000).magnitude >= 1_000_000 { taken = rounded }
        difference = taken
        let bootMilliseconds = max(0, boot) / 1_000_000
        return Arrival(
            bootMilliseconds: UInt64(bootMilliseconds), wallMilliseconds: bootMilliseconds + taken)
    }

    /// Reads both clocks of this machine.
    ///
    /// The wall clock is read between two readings of the boot clock; if the thread was held up
    /// between them, that is not a reading.
    ///
    /// - Returns: The boot clock and how far the wall clock is ahead, in nanoseconds.
    static func read() -> (boot: Int64, wallMinusBoot: Int64) {
        var best: (boot: Int64, wallMinusBoot: Int64) = (0, 0)
        var bestGap = Int64.max
        for _ in 0..<8 {
            let before = nanoseconds(of: CLOCK_BOOTTIME)
            let wall = nanoseconds(of: CLOCK_REALTIME)
            let gap = nanoseconds(of: CLOCK_BOOTTIME) - before
            if gap < bestGap {
                bestGap = gap
                best = (before, wall - before - gap / 2)
            }
            if gap < 50_000 { break }
        }
        return best
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        let status = unsafe clock_gettime(clock, &time)
        precondition(status == 0, "Linux has CLOCK_BOOTTIME since 2.6.39 and always CLOCK_REALTIME")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Int64 {
    /// The quotient, rounded towards negative infinity: a wall clock before 1970 rounds alike.
    fileprivate func flooringQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
