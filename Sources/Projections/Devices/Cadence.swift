/// How often a device sends its heart rate, as the last intervals between values tell: a strap
/// sends each second, some bands each ten.
///
/// A value holds for one and a half times the second longest of the last four intervals: one of
/// them may be a gap in the radio link. Intervals to ``usualMilliseconds`` are not told apart, and
/// none counts for more than ``longestMilliseconds``. The first interval stands for all four;
/// before it 10 s are assumed.
package struct Cadence: StatePart, Hashable, Sendable {
    /// Up to here the silence rule alone holds, with its 5 s.
    private static let usualMilliseconds: UInt64 = 3_333
    /// No device sends more rarely; more is a silence.
    private static let longestMilliseconds: UInt64 = 30_000
    private static let assumedMilliseconds: UInt64 = 10_000
    /// As a factor: all four intervals are one.
    private static let four: UInt64 = 0x0001_0001_0001_0001

    /// The last four intervals in milliseconds, 16 bits each; 0 for a usual one.
    private var intervals = four * assumedMilliseconds
    private var isKnown = false
    /// A file of walks leaves points out on purpose: what was fresh when it told of the heart or of
    /// a place holds until it tells of either again, for so long at most.
    static let fileMilliseconds: UInt64 = 60_000

    /// Begins with what is assumed.
    package init() {}

    /// Takes the time between two values of one link.
    @inline(__always)
    mutating func note(_ milliseconds: UInt64) {
        let isUsual = milliseconds <= Self.usualMilliseconds
        let interval = isUsual ? 0 : min(milliseconds, Self.longestMilliseconds)
        intervals = isKnown ? intervals << 16 | interval : Self.four * interval
        isKnown = true
    }

    /// For how long a value holds: as long as the rules say at least.
    @inline(__always)
    package func silenceMilliseconds(_ rules: Rules) -> UInt64 {
        intervals == 0 ? rules.silenceMilliseconds : learned(rules)
    }

    @inline(never)
    private func learned(_ rules: Rules) -> UInt64 {
        let (first, second) = (intervals & 0xFFFF, intervals >> 16 & 0xFFFF)
        let (third, fourth) = (intervals >> 32 & 0xFFFF, intervals >> 48)
        // Of two pairs: the lesser of their longest, or what is longer of the rest.
        let secondLongest = max(
            min(max(first, second), max(third, fourth)),
            max(min(first, second), min(third, fourth)))
        return max(rules.silenceMilliseconds, secondLongest * 3 / 2)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        var (low, high) = (UInt32(truncatingIfNeeded: intervals), UInt32(intervals >> 32))
        try coder(&low, &high)
        intervals = UInt64(high) << 32 | UInt64(low)
        try coder(&isKnown)
    }
}
