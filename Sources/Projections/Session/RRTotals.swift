import Decoding

/// Sums over RR intervals, in ticks of 1/1024 s, from which variability is computed.
package struct RRSums: StatePart, Hashable, Sendable {
    /// Intervals.
    package internal(set) var count: UInt64 = 0
    /// Their sum.
    package internal(set) var sumTicks: UInt64 = 0
    /// The sum of their squares.
    package internal(set) var sumSquaredTicks: UInt64 = 0
    /// Differences between adjacent intervals.
    package internal(set) var differences: UInt64 = 0
    /// The sum of the squares of those.
    package internal(set) var sumSquaredDifferences: UInt64 = 0
    /// How many of those are over 50 ms.
    package internal(set) var differencesOver50Milliseconds: UInt64 = 0

    /// Takes a beat of a value, and how much it differs from the one before; both uncounted.
    @inline(__always)
    fileprivate mutating func take(_ ticks: UInt16, difference: UInt64) {
        sumTicks &+= UInt64(ticks)
        sumSquaredTicks &+= UInt64(ticks) &* UInt64(ticks)
        sumSquaredDifferences &+= difference &* difference
        // 50 ms are 51.2 ticks; without a branch, for how a heart beats is unpredictable.
        differencesOver50Milliseconds &+= (51 &- difference) &>> 63
    }

    /// What is left without some of the intervals.
    fileprivate func without(_ some: RRSums) -> RRSums { with(some) { $0.minus($1) } }

    /// Adds the sums of other intervals; all sums are at most the greatest.
    @inline(__always)
    fileprivate mutating func add(_ other: RRSums) {
        self = with(other) { min($0 &+ $1, greatestSum) }
    }

    @inline(__always)
    private func with(_ other: RRSums, _ sum: (UInt64, UInt64) -> UInt64) -> RRSums {
        var sums = RRSums()
        sums.count = sum(count, other.count)
        sums.sumTicks = sum(sumTicks, other.sumTicks)
        sums.sumSquaredTicks = sum(sumSquaredTicks, other.sumSquaredTicks)
        sums.differences = sum(differences, other.differences)
        sums.sumSquaredDifferences = sum(sumSquaredDifferences, other.sumSquaredDifferences)
        sums.differencesOver50Milliseconds = sum(
            differencesOver50Milliseconds, other.differencesOver50Milliseconds)
        return sums
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&count, &sumTicks, &sumSquaredTicks, &differences, &sumSquaredDifferences)
        try coder(&differencesOver50Milliseconds)
    }
}

/// RR intervals of a session, as they came and after the artefact rule.
package struct RRTotals: StatePart, Hashable, Sendable {
    /// All intervals of readings that count.
    package internal(set) var raw = RRSums()
    /// Those that are artefacts: by the standard rule those out of 300 to 2,000 ms, or not within
    /// 20 % of the last one that counted; they are few, so that nearly always one sum is enough.
    private var artefacts = RRSums()
    /// Those that are not.
    package var filtered: RRSums { raw.without(artefacts) }
    /// The sum of the intervals that fill ``spanMilliseconds``.
    package internal(set) var spanTicks: UInt64 = 0
    /// From the first notification with RR of each run to its last, in all.
    package internal(set) var spanMilliseconds: UInt64 = 0
    /// What the copies that are not counted would have added to ``spanTicks``.
    package internal(set) var copyTicks: UInt64 = 0
    /// When the last notification with RR of this run came.
    private var spanAt: UInt64?
    /// What the last reading added to ``spanTicks``.
    private var lastSpanTicks: UInt64 = 0
    /// The beat before, if the next one is adjacent to it.
    private var before: UInt16?
    /// Whether the beat before is not an artefact.
    private var beforePassed = false
    /// The last beat of the run that is none; 0 before the first.
    private var counted: UInt16 = 0
    /// How many artefacts since then were near each other: so many are the rhythm.
    private var agreeing: UInt8 = 0
    private static let rhythmBeats: UInt8 = 10

    /// The next beat is not adjacent to the last one.
    @inline(__always)
    mutating func breakAdjacency() {
        before = nil
        lastSpanTicks = 0
    }

    /// A run of intervals ends: at a link loss, a pause, or a reading that does not count.
    mutating func endSpan() {
        breakAdjacency()
        spanAt = nil
    }

    /// Adds the totals of another strap.
    mutating func add(_ other: RRTotals) {
        raw.add(other.raw)
        artefacts.add(other.artefacts)
        spanTicks.add(other.spanTicks)
        spanMilliseconds.add(other.spanMilliseconds)
        copyTicks.add(other.copyTicks)
    }

    /// Takes note of a copy of the last reading.
    mutating func addCopy() {
        copyTicks.add(lastSpanTicks)
    }

    /// Takes the beats of a notification, which all fall after the notification before.
    @inline(never)
    mutating func take(
        _ measurement: HeartRateMeasurement, in value: Span<UInt8>, at now: UInt64,
        _ rule: ArtefactRule
    ) {
        guard measurement.rrIntervalCount > 0 else { return breakAdjacency() }
        // Added up by themselves first, in registers: of one value nothing overflows. A beat that
        // follows none is compared with itself, which is no difference.
        var sums = RRSums()
        var isAdjacent = self.before != nil
        if !isAdjacent { (counted, agreeing) = (0, 0) }
        var before = self.before ?? measurement.rrInterval1024ths(at: 0, in: value)
        sums.differences = UInt64(measurement.rrIntervalCount) &- (isAdjacent ? 0 : 1)
        for index in 0..<measurement.rrIntervalCount {
            let ticks = measurement.rrInterval1024ths(at: index, in: value)
            let difference = UInt64(max(ticks, before) &- min(ticks, before))
            let isPlausible = rule.isPlausible(ticks)
            let change = UInt64(max(ticks, counted) &- min(ticks, counted))
            var passes = isPlausible && (counted == 0 || rule.isNear(counted, difference: change))
            if !passes {
                let agrees = isPlausible && rule.isNear(before, difference: difference)
                agreeing = agrees ? agreeing + 1 : 0
                passes = agreeing == Self.rhythmBeats
            }
            if passes { (counted, agreeing) = (ticks, 0) }
            sums.take(ticks, difference: difference)
            if !passes || !beforePassed {
                addArtefact(passes ? nil : ticks, difference: isAdjacent ? difference : nil)
            }
            (before, beforePassed, isAdjacent) = (ticks, passes, true)
        }
        sums.count = UInt64(measurement.rrIntervalCount)
        raw.add(sums)
        self.before = before
        if let spanAt {
            spanTicks.add(sums.sumTicks)
            spanMilliseconds += now.minus(spanAt)
            lastSpanTicks = sums.sumTicks
        }
        spanAt = now
    }

    /// Takes a beat that is an artefact, or only a difference to or from one.
    @inline(never)
    private mutating func addArtefact(_ ticks: UInt16?, difference: UInt64?) {
        var sums = RRSums()
        sums.take(ticks ?? 0, difference: difference ?? 0)
        sums.count = ticks == nil ? 0 : 1
        sums.differences = difference == nil ? 0 : 1
        artefacts.add(sums)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&raw, &artefacts, &spanTicks, &spanMilliseconds, &copyTicks, &spanAt)
        try coder(&lastSpanTicks, &before, &beforePassed, &counted, &agreeing)
        try coder.require(agreeing < Self.rhythmBeats)
    }
}
