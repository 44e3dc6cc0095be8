/// A number of 0 or more with two decimals, rounded half up from integers.
///
/// No float is involved, so that every machine prints the same digits.
package struct Hundredths: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number times 100.
    package let value: UInt64

    /// Makes a number from its hundredths.
    package init(value: UInt64) {
        self.value = value
    }

    /// A quotient, or nil if the divisor is 0.
    package init?(_ dividend: UInt64, over divisor: UInt64) {
        guard divisor > 0 else { return nil }
        let scaled = UInt128(dividend) * 100
        value = Hundredths.clamp((2 * scaled + UInt128(divisor)) / (2 * UInt128(divisor)))
    }

    /// The square root of a quotient, or nil if the divisor is 0 or the numbers are out of reach.
    ///
    /// - Parameters:
    ///   - dividend: What is divided.
    ///   - divisor: By what.
    ///   - factor: A factor under the root, as a fraction: numerator and denominator.
    init?(
        squareRootOf dividend: UInt128, over divisor: UInt128,
        times factor: (UInt128, UInt128) = (1, 1)
    ) {
        // round(sqrt(x)) is floor((sqrt(4 x) + 1) / 2), and floor under the root changes nothing.
        let (product, overflow) = dividend.multipliedReportingOverflow(by: 40_000 * factor.0)
        let (bottom, bottomOverflow) = divisor.multipliedReportingOverflow(by: factor.1)
        guard bottom > 0, !overflow, !bottomOverflow else { return nil }
        value = Hundredths.clamp(((product / bottom).floorOfSquareRoot + 1) / 2)
    }

    private static func clamp(_ value: UInt128) -> UInt64 {
        value > UInt128(greatestSum) ? greatestSum : UInt64(value)
    }

    /// The number as `82.35`.
    package var description: String {
        let decimals = value % 100
        return "\(value / 100).\(decimals < 10 ? "0" : "")\(decimals)"
    }

    /// Whether the left number is the smaller one.
    package static func < (left: Hundredths, right: Hundredths) -> Bool {
        left.value < right.value
    }
}
