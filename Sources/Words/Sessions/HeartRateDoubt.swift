/// A heart rate that no walker has: marked in the lines of events and sessions, and counted all
/// the same.
///
/// The strap's values are evidence and stay in every figure; the supported maximum is the one that
/// resists a single spike.
enum HeartRateDoubt {
    /// From below the rest of trained sleepers to above the maximum of children.
    ///
    /// Our choice and no standard's: wide enough that no walker's own value is doubted, narrow
    /// enough for most of what a strap makes up, which is near 0 or near 255.
    static let credible: ClosedRange<UInt16> = 30...250

    /// What is wrong with a heart rate in BPM, or nil.
    ///
    /// 0 is no heart rate, and says so by itself.
    static func note(_ bpm: UInt16) -> String? {
        guard bpm > 0, !credible.contains(bpm) else { return nil }
        return "not credible: outside \(credible.lowerBound) to \(credible.upperBound)"
    }
}
