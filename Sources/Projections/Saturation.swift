/// The greatest sum that a state holds: 2^53 - 1, what every reader of JSON can hold.
///
/// Every number of a fold is at most this, so two of them can be added without overflow.
var greatestSum: UInt64 { 1 << 53 - 1 }

extension UInt64 {
    /// Adds, and stays at ``greatestSum`` instead of passing it.
    @inline(__always)
    package mutating func add(_ amount: UInt64) {
        self = Swift.min(self &+ Swift.min(amount, greatestSum), greatestSum)
    }

    /// The sum, at most ``greatestSum``.
    @inline(__always)
    package func plus(_ amount: UInt64) -> UInt64 {
        var sum = self
        sum.add(amount)
        return sum
    }

    /// The product, at most ``greatestSum``.
    @inline(__always)
    package func times(_ factor: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow || product > greatestSum ? greatestSum : product
    }

    /// The difference, or 0 if it would be negative.
    @inline(__always)
    package func minus(_ amount: UInt64) -> UInt64 {
        self > amount ? self - amount : 0
    }

    /// The product divided by a number above 0, rounded half up, at most ``greatestSum``.
    package func scaled(by factor: UInt64, over divisor: UInt64) -> UInt64 {
        let (narrow, isWide) = multipliedReportingOverflow(by: factor)
        let (sum, isWider) = narrow.addingReportingOverflow(divisor / 2)
        // Nearly always 64 bits are enough; a division of 128 is a call.
        if !isWide, !isWider { return Swift.min(sum / divisor, greatestSum) }
        let product = UInt128(self) * UInt128(factor)
        let quotient = (product + UInt128(divisor / 2)) / UInt128(divisor)
        return quotient > UInt128(greatestSum) ? greatestSum : UInt64(quotient)
    }
}
