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

    init() {}

    @inline(__always)
    mutating func add(_ ticks: UInt16) {
        count += 1
        sumTicks.add(UInt64(ticks))
        sumSquaredTicks.add(UInt64(ticks) * UInt64(ticks))
    }

    @inline(__always)
    mutating func add(differenceOf ticks: UInt16, to before: UInt16) {
        let difference = UInt64(max(ticks, before) - min(ticks, before))
        differences += 1
        sumSquaredDifferences.add(difference * difference)
        // 50 ms are 51.2 ticks.
        if difference >= 52 { differencesOver50Milliseconds += 1 }
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.unsigned(&count)
        try coder.unsigned(&sumTicks)
        try coder.unsigned(&sumSquaredTicks)
        try coder.unsigned(&differences)
        try coder.unsigned(&sumSquaredDifferences)
        try coder.unsigned(&differencesOver50Milliseconds)
    }
}

/// RR intervals of a session, as they came and after the artefact rule.
public struct RRTotals: StatePart, Hashable, Sendable {
    /// All intervals of readings that count.
    public internal(set) var raw = RRSums()
    /// Those from 300 to 2,000 ms that are within 20 % of the one before.
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

    init() {}

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

    @inline(__always)
    mutating func add(_ ticks: UInt16) {
        raw.add(ticks)
        // 300 ms are 307.2 ticks, 2,000 ms are 2,048.
        var passes = ticks >= 308 && ticks <= 2_048
        if let before {
            raw.add(differenceOf: ticks, to: before)
            let difference = UInt32(max(ticks, before) - min(ticks, before))
            passes = passes && difference * 5 <= UInt32(before)
            if passes && beforePassed { filtered.add(differenceOf: ticks, to: before) }
        }
        if passes { filtered.add(ticks) }
        before = ticks
        beforePassed = passes
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try raw.code(&coder)
        try filtered.code(&coder)
        try coder.unsigned(&spanTicks)
        try coder.unsigned(&spanMilliseconds)
        try coder.unsigned(&copyTicks)
        try coder.optional(&spanAt)
        try coder.unsigned(&lastSpanTicks)
        try coder.optional(&before)
        try coder.flag(&beforePassed)
    }
}
