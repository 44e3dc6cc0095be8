
/// The length of a walk: each stretch by the best of what measures it.
///
/// The best measure that is heard and not doubted leads, and counts. What a lesser one gives
/// meanwhile waits: it counts when those before it fall silent, and is forgotten once one of them
/// has told that time. What others counted in the silence of a total or of positions is taken off
/// what these tell next. So nothing counts twice, and nothing is taken back.
///
/// Positions tell a stretch late. Where another measure leads meanwhile, and nobody has told the
/// time before it, what comes late still counts for that gap.
package struct WayLength: StatePart, Hashable, Sendable {
    /// For how long a measure may be silent before a lesser one leads: 10 s, or twice the time
    /// between two fixes.
    private static let silenceMilliseconds = Plausibility.pedometerSilenceMilliseconds
    /// A speed says nothing of the time after 5 s.
    private static let speedMilliseconds: UInt64 = 5_000
    /// The longest time between two fixes that is heeded: a minute.
    private static let longestFixMilliseconds: UInt64 = 60_000
    /// A part of 1 in 50 is not told apart.
    private static let leastPart: UInt64 = 50
    /// A measure that stands still has told so after this time, but for the last half of it.
    private static let settledMilliseconds: UInt64 = 60_000

    /// The measures that were heard at all.
    package private(set) var known: Measures = []
    /// What each has measured.
    package private(set) var measured = ByMeasure()
    /// What of it counts.
    package private(set) var counted = ByMeasure()
    /// How they compare with each other.
    package private(set) var comparison = WayComparison()
    /// What each has measured since a better one spoke last.
    private var waiting = ByMeasure()
    /// What others have counted since each told its way last.
    private var told = ByMeasure()
    /// What others have counted since the last fix that did not come late: a phone may have kept
    /// fixes of that time, also over a pause.
    private var toldSinceFix: UInt64 = 0
    /// When each was heard last, in fold time; 0 if it is silent.
    private var heardAt = ByMeasure()
    /// The time up to which the way is known.
    package private(set) var knownTo: UInt64 = 0
    /// The same, but for what positions that stand still have told: they may have moved slowly.
    private var countedTo: UInt64 = 0
    /// The time up to which positions have told a way.
    private var routeTo: UInt64 = 0
    /// The time that nobody has told before the last measure that began to tell.
    private var gap = Gap()
    /// The last interval between two fixes.
    private var lastFixMilliseconds: UInt64 = 0
    /// The shorter of the last two, so that one fix after a silence does not stretch the limit.
    private var fixMilliseconds: UInt64 = 0
    /// Since when fixes come without a silence.
    private var fixesSince: UInt64 = 0
    /// When a pedometer was read last.
    private var readAt: UInt64 = 0
    /// Whether a pedometer told how long a step is.
    package private(set) var hasToldStride = false
    /// What is left of a millimetre of the steps, in micrometres.
    private var micrometres: UInt64 = 0

    /// The pedometer's next reading is where its stream begins.
    private(set) var isAwaited = true
    /// Whether a total came since then, from which others are counted.
    private var hasTotal = false

    /// The measures that were heard, the best first.
    package var measures: [Measure] { Measure.allCases.filter { known.contains($0.asSet) } }

    /// The measures of which 2 % of it or more are; without any the best that was heard.
    package var countedMeasures: [Measure] {
        let least = millimetres / Self.leastPart
        let counted = Measure.allCases.filter { self.counted[$0] > least }
        guard counted.isEmpty else { return counted }
        return Array(measures.prefix(1))
    }

    /// How long it is.
    package var millimetres: UInt64 { counted.sum }

    /// Begins a walk, or goes on after a pause.
    mutating func begin(_ stream: SessionStream, at now: UInt64) {
        (waiting, told, heardAt) = (ByMeasure(), ByMeasure(), ByMeasure())
        (knownTo, countedTo, gap) = (now, now, Gap())
        comparison.begin(at: now)
        follow(stream, at: now)
    }

    /// Ends what goes on after a pause anew: positions have told what they can, and what waits for
    /// them counts.
    mutating func pause(at now: UInt64, _ rules: Rules) {
        heardAt[.position] = 0
        if now.minus(knownTo) > Self.speedMilliseconds { countRest(at: now, rules) }
        comparison.close(at: now, rules)
    }

    /// A pedometer's stream begins; what still waits of the one before may yet count.
    mutating func follow(_ stream: SessionStream, at now: UInt64) {
        (isAwaited, hasTotal, readAt) = (stream == .awaited, stream == .withTotal, now)
        for measure in Measure.allCases where measure != .position {
            (told[measure], heardAt[measure]) = (0, 0)
        }
        if hasTotal {
            known.formUnion(Measure.pedometer.asSet)
            heardAt[.pedometer] = max(now, 1)
            gap = Gap(from: knownTo, to: now)
        }
    }

    /// Forgets what only a next reading would need.
    mutating func close(at now: UInt64, _ rules: Rules) {
        pause(at: now, rules)
        let ended = self
        self = WayLength()
        (known, measured, counted) = (ended.known, ended.measured, ended.counted)
        isAwaited = ended.isAwaited
        (comparison, hasToldStride) = (ended.comparison, ended.hasToldStride)
    }

    // MARK: - Readings

    /// Takes what a pedometer counted since its reading before.
    ///
    /// - Parameters:
    ///   - delta: What it counted.
    ///   - stride: The length of a step in micrometres, unless the reading tells it; nil if it is
    ///     not known.
    ///   - now: The fold time.
    ///   - rules: What counts.
    mutating func read(
        _ delta: StepsDelta, stride: UInt64?, at now: UInt64, _ rules: Rules
    ) {
        // A speed and a cadence say nothing of a silence, which totals cover.
        let from =
            delta.speedMillimetres == nil
            ? readAt : max(readAt, now.minus(rules.cadenceMilliseconds))
        if delta.hasDistance, !delta.isDistanceSetAside {
            let grown = hasTotal ? delta.distanceMillimetres ?? 0 : 0
            comparison.hear(Measure.pedometer.asSet)
            // One that stands while the same value tells a speed is no measure.
            if grown > 0 || !hasTotal || delta.speedMillimetres ?? 0 == 0 {
                hear(.pedometer, from: hasTotal ? readAt : now, at: now, rules)
            }
            if hasTotal {
                let stretch = Route.Stretch(millimetres: grown, from: readAt, to: now)
                grow(.pedometer, stretch, at: now, rules)
            }
            hasTotal = true
        }
        if let speed = delta.speedMillimetres, rules.countPodSpeed {
            // Nor is a speed of 0 in a value that tells steps, and no total.
            if speed > 0 || !delta.isStepping || delta.hasDistance {
                hear(.speed, from: from, at: now, rules)
            }
            grow(.speed, Route.Stretch(millimetres: speed, from: from, to: now), at: now, rules)
        }
        if !delta.isNone {
            comparison.count(delta.steps)
            if delta.strideMicrometres != nil { hasToldStride = true }
            if let length = delta.strideMicrometres ?? stride {
                let rest = (delta.steps % 1_000).times(length).plus(micrometres)
                micrometres = rest % 1_000
                let grown = (delta.steps / 1_000).times(length).plus(rest / 1_000)
                hear(.steps, from: from, at: now, rules)
                grow(.steps, Route.Stretch(millimetres: grown, from: from, to: now), at: now, rules)
            }
        }
        readAt = now
        compare(at: now, rules)
    }

    /// A fix counts, and may end a stretch of the route.
    ///
    /// One that begins a stretch says nothing of
    /// the time before it, and what others counted by then is not subtracted from it. From one that
    /// a phone has kept all is subtracted that they counted up to now; the two are not compared.
    mutating func hearFix(
        _ time: FixTime, isStart: Bool, isOfPhone: Bool, _ stretch: Route.Stretch?,
        at now: UInt64, _ rules: Rules
    ) {
        let isLate = isOfPhone && now.minus(time.milliseconds) > Self.silenceMilliseconds
        let last = heardAt[.position]
        let passed = last > 0 ? min(now.minus(last), Self.longestFixMilliseconds) : 0
        (fixMilliseconds, lastFixMilliseconds) = (min(passed, lastFixMilliseconds), passed)
        if isStart, !isLate { (told[.position], heardAt[.position]) = (0, 0) }
        if !isHeard(.position, at: now) { fixesSince = now }
        hear(.position, from: knownTo, at: now, isLate: isLate, rules)
        if !isLate { toldSinceFix = 0 }
        if let stretch { grow(.position, stretch, at: now, isLate: isLate, rules) }
        settle(.position, at: time.milliseconds, rules)
        compare(at: now, rules)
    }

    /// Takes a stretch of the route.
    mutating func follow(_ stretch: Route.Stretch?, at now: UInt64, _ rules: Rules) {
        if let stretch { grow(.position, stretch, at: now, rules) }
    }

    // MARK: - Who leads

    @inline(__always)
    private func isHeard(_ measure: Measure, at now: UInt64) -> Bool {
        let limit =
            switch measure {
            case .position: max(Self.silenceMilliseconds, 2 * fixMilliseconds)
            case .speed: Self.speedMilliseconds
            case .pedometer, .steps: Self.silenceMilliseconds
            }
        return heardAt[measure] > 0 && now.minus(heardAt[measure]) <= limit
    }

    /// The measures that are heard and not doubted; inline, as a call would copy all of this.
    @inline(__always)
    private func believed(at now: UInt64) -> Measures {
        var heard: Measures = []
        for measure in Measure.allCases where isHeard(measure, at: now) {
            heard.formUnion(measure.asSet)
        }
        return heard.subtracting(comparison.doubted)
    }

    /// Whether no better measure is heard, or none that is not doubted.
    @inline(__always)
    private func leads(_ measure: Measure, at now: UInt64, _ rules: Rules) -> Bool {
        let others = believed(at: now).subtracting(measure.asSet)
        return comparison.doubted.contains(measure.asSet)
            ? others.isEmpty : others.isDisjoint(with: measure.better(rules))
    }

    /// A measure tells the way from a time on.
    private mutating func hear(
        _ measure: Measure, from start: UInt64, at now: UInt64, isLate: Bool = false,
        _ rules: Rules
    ) {
        if !isHeard(measure, at: now) {
            countRest(at: now, rules)
            if start > knownTo, leads(measure, at: now, rules) {
                gap = Gap(from: knownTo, to: start)
            }
            if measure == .position || measure == .speed { comparison.restart(at: now) }
        }
        heardAt[measure] = max(now, 1)
        known.formUnion(measure.asSet)
        if !isLate { comparison.hear(measure.asSet) }
    }

    /// Compares what was heard all the time.
    @inline(__always)
    private mutating func compare(at now: UInt64, _ rules: Rules) {
        guard now >= comparison.nextAt else { return }
        let isSilent = [Measure.speed, .position].contains {
            comparison.heard.contains($0.asSet) && !isHeard($0, at: now)
        }
        if isSilent { comparison.restart(at: now) } else { comparison.compare(at: now, rules) }
    }

    /// Whoever leads and stands still says that there is no way.
    private mutating func settle(_ measure: Measure, at now: UInt64, _ rules: Rules) {
        guard now.minus(knownTo) > Self.settledMilliseconds,
            !comparison.doubted.contains(measure.asSet),
            leads(measure, at: now, rules)
        else { return }
        know(to: now.minus(Self.settledMilliseconds / 2), by: measure, at: now, rules)
        if measure != .position { countedTo = knownTo }
    }

    private mutating func grow(
        _ measure: Measure, _ stretch: Route.Stretch, at now: UInt64, isLate: Bool = false,
        _ rules: Rules
    ) {
        guard stretch.millimetres > 0 else {
            guard heardAt[measure] == max(now, 1) else { return }
            countRest(at: now, rules)
            return settle(measure, at: now, rules)
        }
        measured[measure].add(stretch.millimetres)
        if !isLate { comparison.measure(stretch.millimetres, by: measure) }
        let rest = stretch.millimetres.minus(told[measure])
        switch measure {
        case .pedometer: waiting[measure].add(rest)
        case .position where isLate:
            waiting[measure].add(stretch.millimetres.minus(toldSinceFix))
            // Of the time after it others have counted no more than the fastest steps.
            toldSinceFix = min(
                toldSinceFix.minus(stretch.millimetres), now.minus(stretch.to).times(3))
            routeTo = stretch.to
        case .position:
            let fresh = stretch.millimetres(after: max(countedTo, gap.to))
            waiting[measure].add(min(fresh, rest))
            routeTo = stretch.to
        case .speed, .steps: waiting[measure].add(stretch.millimetres(after: knownTo))
        }
        // Up to where positions fell silent, others have told what comes after that, too.
        told[measure] =
            isLate || stretch.to < fixesSince ? told[measure].minus(stretch.millimetres) : 0
        if measure == .position, !isLate, !comparison.doubted.contains(measure.asSet) {
            counted[measure].add(gap.fill(stretch, at: now))
        }
        if leads(measure, at: now, rules) { count(measure, to: stretch.to, at: now, rules) }
    }

    /// Counts what waits of the measure that leads.
    private mutating func countRest(at now: UInt64, _ rules: Rules) {
        for measure in Measure.allCases where waiting[measure] > 0 && leads(measure, at: now, rules)
        {
            count(measure, to: measure == .position ? routeTo : now, at: now, rules)
        }
    }

    /// Counts what waits of a measure.
    private mutating func count(
        _ measure: Measure, to time: UInt64, at now: UInt64, _ rules: Rules
    ) {
        let counts = waiting[measure]
        guard counts > 0 else { return }
        counted[measure].add(counts)
        for other in Measure.allCases where other != measure { told[other].add(counts) }
        if measure != .position {
            gap.told.add(counts)
            toldSinceFix.add(counts)
        }
        know(to: time, by: measure, at: now, rules)
        countedTo = max(countedTo, time)
    }

    /// The way is known up to a time: what others give of it is forgotten.
    private mutating func know(
        to time: UInt64, by measure: Measure, at now: UInt64, _ rules: Rules
    ) {
        for other in Measure.allCases where waiting[other] > 0 {
            let isLesser = other.better(rules).contains(measure.asSet)
            let rest = Route.Stretch(millimetres: waiting[other], from: knownTo, to: now)
            waiting[other] = isLesser ? rest.millimetres(after: time) : 0
        }
        knownTo = max(knownTo, time)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&known, &measured, &counted, &comparison, &waiting, &told)
        try coder(&heardAt, &toldSinceFix)
        try coder(&knownTo, &countedTo, &gap, &lastFixMilliseconds, &fixMilliseconds, &readAt)
        try coder(&fixesSince, &routeTo, &micrometres)
        try coder(&isAwaited, &hasTotal, &hasToldStride)
        try coder.require(
            micrometres < 1_000 && fixMilliseconds <= Self.longestFixMilliseconds)
    }
}

extension WayLength {
    /// A time that is told from its start on.
    private struct Gap: StatePart, Hashable, Sendable {
        private var from: UInt64 = 0
        private(set) var to: UInt64 = 0
        /// What other measures have counted since it ended.
        var told: UInt64 = 0

        init() {}

        init(from: UInt64, to: UInt64) { (self.from, self.to) = (from, to) }

        /// Takes a stretch, and returns what of it is of this time.
        mutating func fill(_ stretch: Route.Stretch, at now: UInt64) -> UInt64 {
            guard stretch.from < to, stretch.to > from else { return 0 }
            let millimetres = stretch.millimetres(after: from).minus(stretch.millimetres(after: to))
            from = min(stretch.to, to)
            guard stretch.to > to else { return millimetres }
            let others = Route.Stretch(millimetres: told, from: to, to: now)
            let meanwhile = told.minus(others.millimetres(after: stretch.to))
            return min(millimetres, stretch.millimetres.minus(meanwhile))
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&from, &to, &told)
        }
    }
}

/// How a session's pedometer stream begins: at its start, a resume or a choice.
enum SessionStream: Hashable, Sendable {
    /// With the next reading.
    case awaited
    /// With the last one, which had no distance.
    case begun
    /// With the last one, from whose distance others are counted.
    case withTotal
}
