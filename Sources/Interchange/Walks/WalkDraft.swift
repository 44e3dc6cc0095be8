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
    /// So long after the last record a lap may end.
    private static let lapMilliseconds: Int64 = 60_000
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
    /// Whether that was one of steps, not of a foot: then twice too many were made.
    var isDoubled = false
    /// Whether it has places, by which a distance can be measured.
    var hasPlaces = false
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
        guard facts.begins(span) else { return nil }
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

    /// From its start for its elapsed time, and to its last record; nil if nothing says when.
    func span(until next: Int64 = .max) -> ClosedRange<Int64>? {
        // Laps that reach into the next ones do not say when they end.
        let overlap = zip(laps, laps.dropFirst()).contains { $0.end > $1.start + 1_000 }
        let sums = (whole.map { [$0] } ?? (overlap ? [] : laps)).filter { sum in
            // A lap that none of the records is in has another clock, and one that ends long after
            // the last of them another sum.
            guard let first, let last else { return true }
            return sum.start <= last && sum.end >= first
                && (whole != nil || sum.end <= last + Self.lapMilliseconds)
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
        var pauses = stops.filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
        let known = pauses.reduce(0) { $0 + $1.length }
        let missing = whole?.active.map { span.length - known - $0 }
        // Of a timer that was stopped for longer than the whole says its start is missing.
        if let missing, missing < 0, stops.last?.upperBound == .max, let last = pauses.last,
            last.upperBound == span.upperBound
        {
            pauses[pauses.count - 1] =
                last.lowerBound...max(last.lowerBound, last.upperBound + missing)
        }
        // That it stood at the end, each file says.
        if !knowsStops, !stops.contains(where: { $0.upperBound < span.upperBound }) {
            pauses += unsaidPauses(in: span, missing)
        }
        return pauses.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { all, pause in
            let start = max(pause.lowerBound, all.last?.upperBound ?? pause.lowerBound)
            if start < pause.upperBound { all.append(start...pause.upperBound) }
        }
    }

    /// Where no event says when a timer stood: by the time that is missing in it, as far as
    /// anything tells that.
    private func unsaidPauses(
        in span: ClosedRange<Int64>, _ missing: Int64?
    ) -> [ClosedRange<Int64>] {
        // Some devices leave points out.
        let longest = holes.map(\.length).max() ?? 0
        let spacing = records > 2 ? (span.length - longest) / Int64(records - 2) : 0
        let least = max(2_000, 2 * spacing)
        let gaps = gaps.sorted { $0.lowerBound < $1.lowerBound }
        if let missing { return pauses(missing, in: span, gaps[...], besides: 2_000, from: least) }
        let laps = laps.filter { span.contains($0.start) }.sorted { $0.start < $1.start }
        guard let first = laps.first?.start else { return gaps }
        let ends = laps.dropFirst().map(\.start) + [span.upperBound]
        func own(from start: Int64, until end: Int64) -> ArraySlice<ClosedRange<Int64>> {
            let first = gaps.partitioningIndex { $0.lowerBound >= start }
            return gaps[first..<max(first, gaps.partitioningIndex { $0.lowerBound >= end })]
        }
        return own(from: .min, until: first)
            + zip(laps, ends).flatMap { lap, end in
                let window = lap.start...max(lap.start, end)
                // Without its time a lap goes on up to its last record, but for its gaps.
                let rest = own(from: lap.start, until: min(lap.end, window.upperBound))
                    .reduce(max(0, end - lap.end)) { $0 + $1.length }
                let missing = lap.active.map { window.length - $0 } ?? rest
                return pauses(
                    missing, in: window, own(from: lap.start, until: window.upperBound),
                    besides: 1_000, from: lap.active == nil ? least : 2_000)
            }
    }

    /// When a timer stood in a time of which so much is missing: where the file has a gap, and
    /// where it has no record, the longest of those times first.
    ///
    /// - Parameters:
    ///   - missing: How long it stood.
    ///   - window: When.
    ///   - gaps: The gaps in it.
    ///   - tolerance: So much may be missing because times are rounded.
    ///   - least: How long a time without a record is at least.
    /// - Returns: Those times.
    private func pauses(
        _ missing: Int64, in window: ClosedRange<Int64>, _ gaps: ArraySlice<ClosedRange<Int64>>,
        besides tolerance: Int64, from least: Int64
    ) -> [ClosedRange<Int64>] {
        var chosen = gaps.map { $0.clamped(to: window) }
        var whole = chosen.reduce(0) { $0 + $1.length }
        for hole in holes.sorted(by: { $0.length > $1.length }).map({ $0.clamped(to: window) })
        where missing - whole > tolerance && hole.length > least
            && !chosen.contains(where: { $0.overlaps(hole) })
        {
            chosen.append(hole)
            whole += hole.length
        }
        // Without any record the end is as good as any time.
        if records == 0, missing > tolerance {
            return [window.upperBound - missing...window.upperBound]
        }
        return chosen.map { gap in
            let part = Int128(gap.length) * Int128(max(0, min(missing, whole)))
            return gap.lowerBound...gap.lowerBound + Int64(part / Int128(max(1, whole)))
        }
    }
}

extension ClosedRange<Int64> {
    /// In milliseconds.
    var length: Int64 { upperBound - lowerBound }
}

/// The pauses of a walk, in order of time, none within another.
struct WalkPauses {
    let stretches: [ClosedRange<Int64>]
    let start: Int64
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
