/// Which RR intervals are no artefacts: those within two bounds and near the last
/// one that was none.
///
/// Of bounds that are the wrong way round no interval counts.
package struct ArtefactRule: StatePart, Hashable, Sendable {
    /// The shortest interval that counts.
    package internal(set) var fromMilliseconds: UInt64 = 300
    /// The longest interval that counts.
    package internal(set) var toMilliseconds: UInt64 = 2_000
    /// By how much it may differ from the last one that counted, in percent of that.
    package internal(set) var percent: UInt64 = 20

    // In ticks of 1/1024 s: 307.2 and 2,048 by the standard.
    private var shortestTicks: UInt16 = 308
    private var longestTicks: UInt16 = 2_048

    /// The greatest bound: no interval is longer than 65,535 ticks.
    static let boundMilliseconds: UInt64 = 64_000

    /// From 300 to 2,000 ms, and within 20 % of the last one that counted.
    @inline(__always)
    init() {}

    /// What follows from the bounds, whenever they have changed.
    mutating func countTicks() {
        shortestTicks = UInt16(min((fromMilliseconds * 1_024 + 999) / 1_000, 65_535))
        longestTicks = UInt16(min(toMilliseconds * 1_024 / 1_000, 65_535))
    }

    /// Whether a beat is within the bounds.
    @inline(__always)
    func isPlausible(_ ticks: UInt16) -> Bool {
        // No branch: how a heart beats is unpredictable.
        let reach = longestTicks &- shortestTicks
        return shortestTicks <= longestTicks && ticks &- shortestTicks <= reach
    }

    /// Whether a difference to another beat is small enough.
    @inline(__always)
    func isNear(_ before: UInt16, difference: UInt64) -> Bool {
        difference &* 100 <= UInt64(before) &* percent
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&fromMilliseconds, &toMilliseconds, &percent)
        try coder.require(
            max(fromMilliseconds, toMilliseconds) <= Self.boundMilliseconds && percent <= 100)
        countTicks()
    }
}
