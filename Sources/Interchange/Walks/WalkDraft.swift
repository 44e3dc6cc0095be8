internal import Events

/// What a file says of one walk, until all of it is known.
///
/// Readers add what they find. Only at the end it is decided when the walk began and ended, when it
/// was paused, and which of the file's numbers are its steps and its distance.
struct WalkDraft {
    /// What a file sums up over a time: a lap, or the whole walk.
    struct Sum {
        /// When it began, and its elapsed time later, in UTC milliseconds.
        var start: Int64
        var end: Int64
        /// For how many milliseconds its timer ran; nil if the file does not say.
        var active: Int64?
        var steps: UInt64?
        var distanceMillimetres: UInt64?
    }

    /// When a lap ended, and why.
    typealias LapEnd = (at: Int64, cause: LapCause)

    /// The most laps, and the most pauses, of a walk.
    static let lapLimit = 65_536
    /// The most of the longest times without a record that are known.
    private static let holeLimit = 64

    /// What is said of moments, as it came.
    var told: EventBatch
    /// What was counted up to moments, as it came: of each ``WalkCount``.
    private(set) var counts: EventBatch
    /// What the file says of the whole walk; nil if it does not, or is not to be believed.
    var whole: Sum?
    var laps: [Sum] = []
    /// When a timer stood, as events say it.
    var stops: [ClosedRange<Int64>] = []
    /// Whether those are all pauses, also if there is none.
    var knowsStops = false
    /// When nothing was recorded between parts of a lap: paused for no longer than laps say.
    private var gaps: [ClosedRange<Int64>] = []
    /// What it is; nil if the file does not say.
    var sport: Sport?
    /// When laps ended, but for the last, and why.
    private var lapEnds: [LapEnd] = []
    /// Whether steps were made of a cadence: what laps tell of them is better.
    var isCadence = false
    /// Whether the file says of it no more than its records do: then it begins with the first.
    var isImplied = false
    /// The first and the last moment of a record.
    private(set) var first: Int64?
    private(set) var last: Int64?
    private var records = 0
    /// Whether records came in order of time.
    private(set) var isOrdered = true
    /// The longest times without a record, in order of time.
    private var holes: [ClosedRange<Int64>] = []
    let keeper: ByteKeeper?

    init(keptIn keeper: ByteKeeper?) {
        self.keeper = keeper
        (told, counts) = (EventBatch(keptIn: keeper), EventBatch(keptIn: keeper))
    }

    /// Says that nothing was recorded for a while.
    mutating func pause(_ gap: ClosedRange<Int64>) {
        if gaps.count < Self.lapLimit { gaps.append(gap) }
    }

    /// Takes what a file of this program says of it.
    mutating func take(_ note: WalkNote) {
        guard let span = note.span else { return }
        whole = Sum(start: span.lowerBound, end: span.upperBound)
        (knowsStops, lapEnds) = (true, note.laps)
        stops = note.pauses.map {
            $0.lowerBound...($0.upperBound >= span.upperBound ? .max : $0.upperBound)
        }
    }

    /// Says that a lap ended, and another began.
    mutating func endLap(at now: Int64, _ cause: LapCause) {
        if lapEnds.count < Self.lapLimit { lapEnds.append((now, cause)) }
    }

    /// Adds a record, with what was counted up to it.
    mutating func add(_ count: WalkCount) {
        let now = count.at
        guard counts.count < WalkFacts.limit, counts.add(count.event, at: now) == nil else {
            return
        }
        if let last, now > last { addHole(last...now) }
        if let last, now < last { isOrdered = false }
        (first, last) = (min(first ?? now, now), max(last ?? now, now))
        records += 1
    }

    private mutating func addHole(_ hole: ClosedRange<Int64>) {
        guard hole.length > 2_000 else { return }
        holes.append(hole)
        guard holes.count > Self.holeLimit,
            let shortest = holes.indices.min(by: { holes[$0].length < holes[$1].length })
        else { return }
        holes.remove(at: shortest)
    }

    // MARK: - The end

    /// Adds the walk to what a file says, now that all of it is known.
    ///
    /// - Parameters:
    ///   - facts: What the file says.
    ///   - next: When the next walk begins, which this one has ended by.
    ///   - counting: What was counted in the walks before.
    /// - Returns: When it ended, and how its facts are known; nil if it is none.
    func close(
        into facts: inout WalkFacts, until next: Int64 = .max, _ counting: inout WalkCounting
    ) -> (at: Int64, walk: Int64)? {
        guard let span = span(until: next) else {
            facts.add(told, of: 0)
            return nil
        }
        guard facts.begins(span) else {
            facts.leaveOut("walks that the file tells twice")
            return nil
        }
        let walk = isImplied ? 0 : span.lowerBound
        let pauses = WalkPauses(pauses(in: span), in: span)
        // First, for then a place at the same moment adds nothing to it.
        addAmounts(span, pauses, of: walk, to: &facts, &counting)
        facts.add(told, of: walk)
        let isPausedAtEnd = stops.contains { $0.upperBound > span.upperBound }
        for pause in pauses.stretches {
            facts.add(.paused, at: pause.lowerBound, of: walk)
            if isPausedAtEnd, pause.upperBound == span.upperBound { continue }
            facts.add(.resumed, at: pause.upperBound, of: walk)
        }
        for lap in lapEnds where span.contains(lap.at) {
            facts.add(.lapMarked(LapMarked(cause: lap.cause)), at: lap.at, of: walk)
        }
        if let sport, sport != .walk {
            facts.add(.described(sport), at: span.lowerBound, of: walk)
        }
        if !isImplied {
            facts.add(.began, at: span.lowerBound, of: walk)
            facts.add(.ended, at: span.upperBound, of: walk)
        }
        return (span.upperBound, walk)
    }

    /// Whether a moment is within what is known of the walk so far.
    func contains(_ now: Int64) -> Bool { span(until: .max)?.contains(now) ?? false }

    /// From its start for its elapsed time, and to its last record; nil if nothing says when.
    private func span(until next: Int64) -> ClosedRange<Int64>? {
        // Laps that reach into the next ones do not say when they end.
        let overlap = zip(laps, laps.dropFirst()).contains { $0.end > $1.start + 1_000 }
        let sums = (whole.map { [$0] } ?? (overlap ? [] : laps)).filter { sum in
            // A lap that none of the records is in has another clock.
            guard let first, let last else { return true }
            return sum.start <= last && sum.end >= first
        }
        let starts = sums.map(\.start) + [first].compactMap(\.self)
        // Nor does a walk go on for a week after its last record.
        let latest = last.map { $0 + FITClock.reachMilliseconds } ?? Int64.max
        let ends =
            sums.map(\.end).filter { $0 <= latest }
            + [last ?? starts.min()]
            .compactMap(\.self)
        guard let start = starts.min(), let end = ends.max() else { return nil }
        return start...max(start, min(end, next))
    }

    /// When it was paused, in order of time.
    private func pauses(in span: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        let isKnown = knowsStops || !stops.isEmpty
        var pauses = isKnown ? stops : gapsOfLaps(in: span)
        pauses = pauses.filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
        // A timer that ran for less than the walk took stood where nothing was recorded.
        let known = pauses.reduce(0) { $0 + $1.length }
        var missing = span.length - known - (whole?.active ?? span.length)
        if !isKnown, missing > 2_000 {
            let spacing = records > 1 ? ((last ?? 0) - (first ?? 0)) / Int64(records - 1) : 0
            for hole in holes.sorted(by: { $0.length > $1.length })
            where missing > 0 && hole.length > 2 * spacing
                && !pauses.contains(where: { $0.overlaps(hole) })
            {
                let length = min(missing, hole.length)
                pauses.append(hole.lowerBound...hole.lowerBound + length)
                missing -= length
            }
        }
        return pauses.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { all, pause in
            let start = max(pause.lowerBound, all.last?.upperBound ?? pause.lowerBound)
            if start < pause.upperBound { all.append(start...pause.upperBound) }
        }
    }

    /// The gaps within laps and between them, together as long as the next lap is late.
    private func gapsOfLaps(in span: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        let laps = laps.filter { span.contains($0.start) }.sorted { $0.start < $1.start }
        guard !laps.isEmpty else { return gaps }
        var (left, pauses) = (gaps[...], [ClosedRange<Int64>]())
        for (index, lap) in laps.enumerated() {
            let next = index + 1 < laps.count ? laps[index + 1].start : nil
            let own = left.prefix { $0.lowerBound < next ?? .max }
            left = left.dropFirst(own.count)
            let late = max(0, (next ?? span.upperBound) - lap.end)
            let whole = own.reduce(0) { $0 + $1.length }
            let within = min(late, whole)
            for gap in own where whole > 0 {
                let part = Int64(Int128(gap.length) * Int128(within) / Int128(whole))
                pauses.append(gap.lowerBound...gap.lowerBound + part)
            }
            // Times are rounded to seconds.
            guard let next, late - within > 1_000 else { continue }
            pauses.append(next - (late - within)...next)
        }
        return pauses
    }
}

extension ClosedRange<Int64> {
    /// In milliseconds.
    var length: Int64 { upperBound - lowerBound }
}

/// The pauses of a walk, in order of time, none within another.
struct WalkPauses {
    let stretches: [ClosedRange<Int64>]
    private let start: Int64
    /// How long those before each one were.
    private let before: [Int64]

    init(_ stretches: [ClosedRange<Int64>], in span: ClosedRange<Int64>) {
        (self.stretches, start) = (stretches, span.lowerBound)
        before = stretches.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.length) }
    }

    /// For how many milliseconds the walk had gone on at a moment.
    func active(at now: Int64) -> UInt64 {
        let next = stretches.partitioningIndex { $0.upperBound > now }
        var paused = before[next]
        if next < stretches.count { paused += max(0, now - stretches[next].lowerBound) }
        return UInt64(max(0, now - start - paused))
    }
}
