internal import Events
internal import Projections

/// What was counted in the walks of a file so far: counts may go on from one to the next.
struct WalkCounting {
    var steps = RunningCount.steps
    var distance = RunningCount.distance
}

/// How the steps of a walk grow, or its distance: as readings say it, or as laps or the whole walk
/// sum it up.
private struct WalkAmount {
    /// Something that is summed up over a time.
    private struct Part {
        let start: Int64
        let end: Int64
        var amount: UInt64?
        /// The way before it, and at its end.
        var way: (from: UInt64, to: UInt64)?
        /// What readings say at first and at last.
        var readings: (first: UInt64, last: UInt64)?
    }

    /// What laps and the whole walk tell of it.
    private let laps: [Part]
    private let whole: Part?
    /// Whether it goes by places; else by the time without pauses.
    private let isWay: Bool

    /// What readings say, in order of time.
    private(set) var readings: (first: UInt64, at: Int64, last: UInt64)?
    private var most: UInt64 = 0
    private var least = UInt64.max
    /// What counts; empty for readings.
    private var parts: [Part] = []
    private var index = 0
    /// What the parts before sum up to.
    private var before: UInt64 = 0

    init(
        _ laps: [WalkDraft.Sum], _ whole: WalkDraft.Sum?, in span: ClosedRange<Int64>,
        isWay: Bool, _ amount: (WalkDraft.Sum) -> UInt64?
    ) {
        // What a lap took without its pauses does not say when it ended: the next one does.
        self.laps = zip(laps, laps.dropFirst().map(\.start) + [span.upperBound]).map { lap, next in
            Part(start: lap.start, end: max(lap.start, next), amount: amount(lap))
        }
        self.whole = whole.map {
            Part(start: span.lowerBound, end: span.upperBound, amount: amount($0))
        }
        self.isWay = isWay
    }

    /// What the file says of the whole walk, by itself or by its laps; nil if it does not.
    var total: UInt64? {
        if let amount = whole?.amount, amount > 0 { return amount }
        let sum = lapsTotal
        return sum > 0 ? sum : nil
    }

    private var lapsTotal: UInt64 {
        laps.reduce(0) { $0.plus($1.amount ?? 0) }
    }

    /// Takes a reading to see what there is.
    mutating func survey(_ raw: UInt64?, at now: Int64) {
        guard let raw else { return }
        (least, most) = (min(least, raw), max(most, raw))
        readings = (readings?.first ?? raw, readings?.at ?? now, raw)
    }

    /// Decides what counts, after all was surveyed.
    ///
    /// - Parameters:
    ///   - isEstimate: Whether the readings are no device's own: a sum is better.
    ///   - hasPlaces: Whether places can measure it, too.
    mutating func decide(isEstimate: Bool, hasPlaces: Bool = false) {
        let isRead = readings.map { least < most || $0.first > 0 } ?? false
        // A device that measures no distance may say 0.
        if hasPlaces, !isRead { readings = nil }
        guard let total, !isRead || isEstimate else { return }
        let isByLaps = lapsTotal > 0 && lapsTotal.distance(from: total) <= total / 50
        parts = isByLaps ? laps : [whole].compactMap(\.self)
    }

    /// Whether anything is known of it.
    var isKnown: Bool { readings != nil || !parts.isEmpty }
    /// Whether sums are spread over their times.
    var isSpread: Bool { !parts.isEmpty }
    /// The ends of what is summed up.
    var ends: [Int64] { parts.map(\.end) }

    /// Takes how far apart places were up to a moment.
    mutating func surveyWay(_ way: UInt64?, at now: Int64) {
        guard isWay, let way else { return }
        while index < parts.count {
            if now >= parts[index].start {
                parts[index].way = (parts[index].way?.from ?? way, way)
            }
            guard now >= parts[index].end else { return }
            index += 1
        }
    }

    /// Goes back to the beginning.
    mutating func rewind() { (index, before) = (0, 0) }

    /// How much it was up to a moment, which is none before the last one.
    mutating func spread(
        at now: Int64, way: UInt64?, _ active: (Int64) -> UInt64
    ) -> UInt64 {
        while index < parts.count, now >= parts[index].end {
            before = before.plus(parts[index].amount ?? 0)
            index += 1
        }
        guard index < parts.count, now > parts[index].start else { return before }
        let (part, amount) = (parts[index], parts[index].amount ?? 0)
        var (grown, whole) = (
            active(now) - active(part.start), active(part.end) - active(part.start)
        )
        // Places that tell of less than a third do not tell where it was.
        if let ends = part.way, ends.to > ends.from, ends.to - ends.from >= amount / 3 {
            (grown, whole) = (min(way ?? 0, ends.to).minus(ends.from), ends.to - ends.from)
        }
        let share = UInt128(amount) * UInt128(min(grown, whole)) / UInt128(max(1, whole))
        return before.plus(UInt64(share))
    }
}

extension WalkDraft {
    /// Adds the steps and the distance, from 0 at the walk's start on.
    func addAmounts(
        _ span: ClosedRange<Int64>, _ pauses: WalkPauses, of walk: Int64,
        to facts: inout WalkFacts, _ counting: inout WalkCounting
    ) {
        let laps = laps.filter { span.contains($0.start) }.sorted { $0.start < $1.start }
        var steps = WalkAmount(laps, whole, in: span, isWay: false, \.steps)
        var distance = WalkAmount(laps, whole, in: span, isWay: true, \.distanceMillimetres)
        // In order of time, where it came in another one.
        var sorted: WalkFacts?
        if !isOrdered {
            sorted = WalkFacts(keptIn: keeper)
            sorted?.add(counts, of: 0)
        }
        func forEach(_ body: (WalkCount) -> Void) { forEachCount(in: sorted, pauses, body) }
        forEach { count in
            steps.survey(count.steps, at: count.at)
            distance.survey(count.distanceMillimetres, at: count.at)
        }
        steps.decide(isEstimate: isCadence)
        distance.decide(isEstimate: false, hasPlaces: hasPlaces)
        guard steps.isKnown || distance.isKnown else { return }
        if distance.isSpread {
            forEach { count in
                distance.surveyWay(count.wayMillimetres, at: count.at)
            }
            distance.rewind()
        }
        let told = isImplied ? nil : span.lowerBound
        counting.steps.beginWalk(steps.readings, total: steps.total, from: told)
        counting.distance.beginWalk(distance.readings, total: distance.total, from: told)
        var teller = Teller(pauses, of: walk)
        var way: UInt64?
        func tell(at now: Int64) {
            let (amount, length) = (
                steps.isSpread
                    ? steps.spread(at: now, way: nil, pauses.active) : counting.steps.sum,
                distance.isSpread
                    ? distance.spread(at: now, way: way, pauses.active) : counting.distance.sum
            )
            teller.tell(amount, distance.isKnown ? length : nil, at: now, to: &facts)
        }
        let isSpread = steps.isSpread || distance.isSpread
        // What is summed up is whole at its end, also where nothing is recorded then, and what is
        // told after a pause began is not of the time before it.
        let turns = isSpread ? pauses.stretches.map(\.lowerBound) : []
        var left = Set(steps.ends + distance.ends + turns).sorted()[...]
        forEach { count in
            while let end = left.first, end < count.at {
                tell(at: end)
                left.removeFirst()
            }
            if let raw = count.steps { counting.steps.take(raw, at: count.at) }
            if let raw = count.distanceMillimetres { counting.distance.take(raw, at: count.at) }
            way = count.wayMillimetres ?? way
            let isRead = count.steps != nil || count.distanceMillimetres != nil
            if isRead || isSpread { tell(at: count.at) }
        }
        for end in left { tell(at: end) }
        let start = span.lowerBound
        if !steps.isSpread, steps.isKnown {
            facts.compare(steps.total, to: counting.steps.sum, isOfDistance: false, start)
        }
        if !distance.isSpread, distance.isKnown {
            facts.compare(distance.total, to: counting.distance.sum, isOfDistance: true, start)
        }
    }

    /// Lends each count, in order of time; from a place before a pause to the next one there is no
    /// way.
    private func forEachCount(
        in sorted: WalkFacts?, _ pauses: WalkPauses, _ body: (WalkCount) -> Void
    ) {
        var (last, turn, idle) = (UInt64(0), pauses.start, UInt64(0))
        func take(_ fact: borrowing EventView) {
            var count = WalkCount(fact)
            if isDoubled, count.isOfCadence { count.steps = count.steps.map { $0 / 2 } }
            if let way = count.wayMillimetres {
                let running = count.at - Int64(pauses.active(at: count.at))
                if running != turn { idle.add(way.minus(last)) }
                (last, turn, count.wayMillimetres) = (way, running, way.minus(idle))
            }
            body(count)
        }
        if let sorted { sorted.forEachInOrder(take) } else { counts.forEach(take) }
    }
}

/// Tells what was counted so that the pedometer is heard where it is.
///
/// One that says nothing for 10 s counts as gone: then other measures would stand in where a file
/// leaves points out on purpose, or the walker stands still.
private struct Teller {
    /// For so long a count that does not change is not told again.
    private static let repetitionMilliseconds: Int64 = 5_000
    private static let silenceMilliseconds = Int64(Plausibility.pedometerSilenceMilliseconds)
    /// A file that leaves points out on purpose has one a minute at least.
    private static let gapMilliseconds: Int64 = 60_000

    private let pauses: WalkPauses
    private let walk: Int64
    private var told: (steps: UInt64, distance: UInt64?, at: Int64)?

    init(_ pauses: WalkPauses, of walk: Int64) { (self.pauses, self.walk) = (pauses, walk) }

    mutating func tell(
        _ steps: UInt64, _ distance: UInt64?, at now: Int64, to facts: inout WalkFacts
    ) {
        if let told {
            let isSame = told.steps == steps && told.distance == distance
            if isSame, now - told.at < Self.repetitionMilliseconds { return }
            tellBetween(told, (steps, distance, now), to: &facts)
        }
        told = (steps, distance, now)
        add(steps, distance, at: now, to: &facts)
    }

    /// Between two readings it goes on evenly, unless the walk was paused.
    private func tellBetween(
        _ from: (steps: UInt64, distance: UInt64?, at: Int64),
        _ to: (steps: UInt64, distance: UInt64?, at: Int64), to facts: inout WalkFacts
    ) {
        let gap = to.at - from.at
        guard gap > Self.silenceMilliseconds, gap <= Self.gapMilliseconds,
            pauses.active(at: to.at) - pauses.active(at: from.at) == UInt64(gap)
        else { return }
        let pieces = UInt64((gap - 1) / Self.silenceMilliseconds + 1)
        func part(_ from: UInt64, _ to: UInt64, _ piece: UInt64) -> UInt64 {
            from + UInt64(UInt128(to.minus(from)) * UInt128(piece) / UInt128(pieces))
        }
        for piece in 1..<pieces {
            add(
                part(from.steps, to.steps, piece),
                to.distance.map { part(from.distance ?? 0, $0, piece) },
                at: from.at + gap * Int64(piece) / Int64(pieces), to: &facts)
        }
    }

    private func add(
        _ steps: UInt64, _ distance: UInt64?, at now: Int64, to facts: inout WalkFacts
    ) {
        facts.add(.walked(steps: steps, distanceMillimetres: distance), at: now, of: walk)
    }
}
