/// Sums over RR intervals, in ticks of 1/1024 s, from which variability is computed.
public struct RRSums: StatePart, Hashable, Sendable {
    /// Intervals.
    public internal(set) var count: UInt64 = 0
    /// Their sum.
    public internal(set) var sumTicks: UInt64 = 0
    /// The sum of their squares.
    public internal(set) var sumSquaredTicks: UInt64 = 0
    /// Differences between adjacent intervals.
    public internal(set) var differences: UInt64 = 0
    /// The sum of the squares of those.
    public internal(set) var sumSquaredDifferences: UInt64 = 0
    /// How many of those are over 50 ms.
    public internal(set) var differencesOver50Milliseconds: UInt64 = 0

    /// Adds the sums over other intervals.
    @inline(__always)
    fileprivate mutating func add(_ other: BeatSums) {
        count.add(UInt64(other.count))
        sumTicks.add(UInt64(other.sumTicks))
        sumSquaredTicks.add(other.sumSquaredTicks.total)
        differences.add(UInt64(other.differences))
        sumSquaredDifferences.add(other.sumSquaredDifferences.total)
        differencesOver50Milliseconds.add(UInt64(other.differencesOver50Milliseconds))
    }

    /// Adds the sums of other intervals, of which none is adjacent to one of these.
    fileprivate mutating func add(_ other: RRSums) {
        count.add(other.count)
        sumTicks.add(other.sumTicks)
        sumSquaredTicks.add(other.sumSquaredTicks)
        differences.add(other.differences)
        sumSquaredDifferences.add(other.sumSquaredDifferences)
        differencesOver50Milliseconds.add(other.differencesOver50Milliseconds)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&count, &sumTicks, &sumSquaredTicks, &differences, &sumSquaredDifferences)
        try coder(&differencesOver50Milliseconds)
    }
}

/// A sum of at most some ten thousand numbers, in two halves.
///
/// A processor adds several of those at a time, and of numbers of 64 bits hardly more than one.
private struct HalvedSum {
    private var low: UInt32 = 0
    private var high: UInt32 = 0

    @inline(__always)
    mutating func add(_ number: UInt32) {
        low &+= number & 0xFFFF
        high &+= number &>> 16
    }

    var total: UInt64 { UInt64(low) + UInt64(high) << 16 }
}

/// The same over at most some thousand beats, in narrow numbers.
///
/// Branches that depend on how a heart beats are unpredictable, so there is none, and a processor
/// can take several beats at a time.
private struct BeatSums {
    private(set) var count: UInt32 = 0
    private(set) var sumTicks: UInt32 = 0
    private(set) var sumSquaredTicks = HalvedSum()
    private(set) var differences: UInt32 = 0
    private(set) var sumSquaredDifferences = HalvedSum()
    private(set) var differencesOver50Milliseconds: UInt32 = 0

    /// Takes a beat if a condition holds.
    @inline(__always)
    mutating func take(_ ticks: UInt16, if condition: Bool = true) {
        let mask: UInt32 = condition ? .max : 0
        count &-= mask
        sumTicks &+= UInt32(ticks) & mask
        sumSquaredTicks.add(UInt32(ticks) &* UInt32(ticks) & mask)
    }

    /// Takes the difference of adjacent beats if a condition holds.
    @inline(__always)
    mutating func take(difference: UInt32, if condition: Bool = true) {
        let mask: UInt32 = condition ? .max : 0
        differences &-= mask
        sumSquaredDifferences.add(difference &* difference & mask)
        // 50 ms are 51.2 ticks.
        differencesOver50Milliseconds &+= (difference >= 52 ? 1 : 0) & mask
    }
}

/// RR intervals of a session, as they came and after the artefact rule.
public struct RRTotals: StatePart, Hashable, Sendable {
    /// All intervals of readings that count.
    public internal(set) var raw = RRSums()
    /// Those that are no artefacts: by the standard rule those from 300 to 2,000 ms that are within
    /// 20 % of the one before.
    public internal(set) var filtered = RRSums()
    /// The sum of the intervals that fill ``spanMilliseconds``.
    public internal(set) var spanTicks: UInt64 = 0
    /// From the first notification with RR of each run to its last, in all.
    public internal(set) var spanMilliseconds: UInt64 = 0
    /// What the copies that are not counted would have added to ``spanTicks``.
    public internal(set) var copyTicks: UInt64 = 0
    /// When the last notification with RR of this run came.
    private var spanAt: UInt64?
    /// What the last reading added to ``spanTicks``.
    private var lastSpanTicks: UInt64 = 0
    /// The beat before, if the next one is adjacent to it.
    private var before: UInt16?
    /// Whether the beat before is in ``filtered``.
    private var beforePassed = false

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
        filtered.add(other.filtered)
        spanTicks.add(other.spanTicks)
        spanMilliseconds.add(other.spanMilliseconds)
        copyTicks.add(other.copyTicks)
    }

    /// Takes note of a copy of the last reading.
    mutating func addCopy() {
        copyTicks.add(lastSpanTicks)
    }

    /// Closes a notification's beats, which all fall after the notification before.
    @inline(__always)
    mutating func follow(_ ticks: UInt64, at now: UInt64) {
        if let spanAt {
            spanTicks.add(ticks)
            spanMilliseconds += now.minus(spanAt)
            lastSpanTicks = ticks
        }
        spanAt = now
    }

    /// Takes a beat.
    ///
    /// - Parameters:
    ///   - ticks: How long it took.
    ///   - rule: Which beats are no artefacts.
    @inline(__always)
    mutating func add(_ ticks: UInt16, _ rule: ArtefactRule = ArtefactRule()) {
        var raw = BeatSums()
        var filtered = BeatSums()
        raw.take(ticks)
        var passes = rule.isPlausible(ticks)
        if let before {
            let difference = RRTotals.difference(of: ticks, to: before)
            passes = passes.and(rule.isNear(before, difference: difference))
            raw.take(difference: difference)
            filtered.take(difference: difference, if: passes.and(beforePassed))
        }
        filtered.take(ticks, if: passes)
        self.raw.add(raw)
        self.filtered.add(filtered)
        before = ticks
        beforePassed = passes
    }

    /// Takes adjacent beats: the same under the standard rule, with a loop in which no beat waits
    /// for the one before.
    ///
    /// - Returns: Their sum.
    mutating func add(_ beats: Span<UInt16>) -> UInt64 {
        // The first two look back beyond the span.
        for index in 0..<min(2, beats.count) { add(beats[index]) }
        guard beats.count > 2 else { return beats.sum }
        var raw = BeatSums()
        var filtered = BeatSums()
        for index in 2..<beats.count {
            let (ticks, before) = (beats[index], beats[index - 1])
            let passed = RRTotals.passes(before, after: beats[index - 2])
            let passes = RRTotals.passes(ticks, after: before)
            let difference = RRTotals.difference(of: ticks, to: before)
            raw.take(ticks)
            raw.take(difference: difference)
            filtered.take(ticks, if: passes)
            filtered.take(difference: difference, if: passes.and(passed))
        }
        self.raw.add(raw)
        self.filtered.add(filtered)
        let (last, before) = (beats[beats.count - 1], beats[beats.count - 2])
        self.before = last
        beforePassed = RRTotals.passes(last, after: before)
        return UInt64(beats[0]) + UInt64(beats[1]) + UInt64(raw.sumTicks)
    }

    /// Whether a beat is from 300 ms, 307.2 ticks, to 2,000 ms, 2,048 ticks: ``ArtefactRule``, the
    /// standard one.
    @inline(__always)
    private static func isPlausible(_ ticks: UInt16) -> Bool { ticks &- 308 <= 2_048 - 308 }

    /// Whether it is, and is within 20 % of the beat before.
    @inline(__always)
    private static func passes(_ ticks: UInt16, after before: UInt16) -> Bool {
        isPlausible(ticks).and(difference(of: ticks, to: before) &* 5 <= UInt32(before))
    }

    @inline(__always)
    private static func difference(of ticks: UInt16, to before: UInt16) -> UInt32 {
        UInt32(max(ticks, before) &- min(ticks, before))
    }

    /// Closes the beats of notifications that follow each other, each with some: `ticks` in all,
    /// of which `first` and `last` are those of the first and of the last one.
    mutating func follow(
        _ ticks: UInt64, first: UInt64, last: UInt64, from start: UInt64, to end: UInt64
    ) {
        follow(first, at: start)
        guard end > start else { return }
        spanTicks.add(ticks - first)
        spanMilliseconds += end - start
        lastSpanTicks = last
        spanAt = end
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&raw, &filtered, &spanTicks, &spanMilliseconds, &copyTicks, &spanAt)
        try coder(&lastSpanTicks, &before, &beforePassed)
    }
}

extension Bool {
    /// Whether both hold, without a branch.
    @inline(__always)
    fileprivate func and(_ other: Bool) -> Bool {
        (self ? 1 : 0) & (other ? 1 : 0) as UInt8 != 0
    }
}

extension Span<UInt16> {
    /// The sum of all.
    var sum: UInt64 {
        var sum: UInt64 = 0
        for index in indices { sum &+= UInt64(self[index]) }
        return sum
    }
}
