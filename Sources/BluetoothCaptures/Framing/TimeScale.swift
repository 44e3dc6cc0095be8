/// What the times of a pcapng interface count, and from when.
struct TimeScale {
    /// How many units a second has.
    private(set) var unitsPerSecond: UInt64 = 1_000_000
    /// Seconds from 1970 to the time 0.
    var offsetSeconds: Int64 = 0

    /// Sets the unit from option 9, `if_tsresol`: a power of 10, or of 2 with the first bit set.
    ///
    /// - Returns: false for a unit that is none: below 10^-19 or 2^-63 seconds.
    mutating func setResolution(_ byte: UInt8) -> Bool {
        let exponent = Int(byte & 0x7F)
        if byte & 0x80 != 0 {
            guard exponent < 64 else { return false }
            unitsPerSecond = 1 << UInt64(exponent)
        } else {
            guard exponent < 20 else { return false }
            unitsPerSecond = (0..<exponent).reduce(1) { power, _ in power * 10 }
        }
        return true
    }

    /// UTC in microseconds since 1970, rounded down; at the ends of the range beyond them.
    func microseconds(_ units: UInt64) -> Int64 {
        let (seconds, rest) = units.quotientAndRemainder(dividingBy: unitsPerSecond)
        let product = rest.multipliedFullWidth(by: 1_000_000)
        let fraction = unitsPerSecond.dividingFullWidth(product).quotient
        let whole = (Int64(clamping: seconds).addingReportingOverflow(offsetSeconds))
        let (scaled, overflow) = whole.partialValue.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(Int64(fraction))
        guard !whole.overflow, !overflow, !carry else {
            return offsetSeconds < 0 ? .min : .max
        }
        return sum
    }
}
