import Events

/// The length of a walk: each stretch by the best of what measures it.
///
/// The best measure that is heard and not doubted leads, and counts. What a lesser one gives
/// meanwhile waits: it counts when those before it fall silent, and is forgotten once one of them
/// has told that time. What lesser ones counted in a measure's silence is taken off what it tells
/// next. So nothing counts twice, and nothing is taken back.
package struct WayLength: StatePart, Hashable, Sendable {
    /// What measures a way, the best first.
    package enum Measure: UInt8, CodedName, StatePart {
        /// A pedometer's own total distance.
        case pedometer = 0
        /// A foot pod's speed, times time.
        case speed = 1
        /// Positions.
        case position = 2
        /// Steps, times their length.
        case steps = 3

        /// The names in the JSON form, in the order of the cases.
        package static let names = ["pedometer", "speed", "position", "steps"]

        /// It alone.
        package var asSet: Measures { Measures(rawValue: 1 << rawValue) }
    }

    /// Some measures.
    package struct Measures: OptionSet, StatePart, Hashable, Sendable {
        /// A bit for each.
        package internal(set) var rawValue: UInt8 = 0

        package init() {}

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&rawValue)
            try coder.require(rawValue < 16)
        }
    }

    /// The fields for each measure, here of lengths in millimetres.
    package struct ByMeasure: StatePart, Hashable, Sendable {
        private var pedometer: UInt64 = 0
        private var speed: UInt64 = 0
        private var position: UInt64 = 0
        private var steps: UInt64 = 0

        init() {}

        /// That of a measure.
        package internal(set) subscript(measure: Measure) -> UInt64 {
            @inline(__always) get {
                switch measure {
                case .pedometer: pedometer
                case .speed: speed
                case .position: position
                case .steps: steps
                }
            }
            @inline(__always) _modify {
                switch measure {
                case .pedometer: yield &pedometer
                case .speed: yield &speed
                case .position: yield &position
                case .steps: yield &steps
                }
            }
        }

        /// All of them added up.
        package var sum: UInt64 { pedometer.plus(speed).plus(position).plus(steps) }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&pedometer, &speed, &position, &steps)
        }
    }

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
    /// What lesser ones have counted since each spoke last.
    private var told = ByMeasure()
    /// When each was heard last, in fold time; 0 if it is silent.
    private var heardAt = ByMeasure()
    /// The time up to which the way is known, and by what.
    package private(set) var knownTo: UInt64 = 0
    private var knownBy: Measure?
    /// The time between the last two fixes.
    private var fixMilliseconds: UInt64 = 0
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

    /// The measures of which 2 % of it or more are; without any the best that was heard.
    package var countedMeasures: [Measure] {
        let least = millimetres / Self.leastPart
        let counted = Measure.allCases.filter { self.counted[$0] > least }
        guard counted.isEmpty else { return counted }
        return Measure.allCases.first { known.contains($0.asSet) }.map { [$0] } ?? []
    }

    /// How long it is.
    package var millimetres: UInt64 { counted.sum }

    /// Begins a walk, or goes on after a pause.
    mutating func begin(_ stream: SessionStream, at now: UInt64) {
        (waiting, told, heardAt) = (ByMeasure(), ByMeasure(), ByMeasure())
        (knownTo, knownBy) = (now, nil)
        comparison.begin(at: now)
        follow(stream, at: now)
    }

    /// Ends what goes on after a pause anew.
    mutating func pause(at now: UInt64, _ rules: Rules) { comparison.close(at: now, rules) }

    /// A pedometer's stream begins.
    mutating func follow(_ stream: SessionStream, at now: UInt64) {
        (isAwaited, hasTotal, readAt) = (stream == .awaited, stream == .withTotal, now)
        for measure in Measure.allCases where measure != .position {
            (waiting[measure], told[measure], heardAt[measure]) = (0, 0, 0)
        }
        if hasTotal {
            known.formUnion(Measure.pedometer.asSet)
            heardAt[.pedometer] = max(now, 1)
        }
    }

    /// Forgets what only a next reading would need.
    mutating func close(at now: UInt64, _ rules: Rules) {
        comparison.close(at: now, rules)
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
        func stretch(_ millimetres: UInt64) -> Route.Stretch {
            Route.Stretch(millimetres: millimetres, from: readAt, to: now)
        }
        if delta.hasDistance, !delta.isDistanceSetAside {
            let grown = hasTotal ? delta.distanceMillimetres ?? 0 : 0
            comparison.hear(Measure.pedometer.asSet)
            // One that stands while the same value tells a speed is no measure.
            if grown > 0 || !hasTotal || delta.speedMillimetres ?? 0 == 0 {
                hear(.pedometer, at: now, rules)
            }
            if hasTotal { grow(.pedometer, stretch(grown), at: now, rules) }
            hasTotal = true
        }
        if let speed = delta.speedMillimetres, rules.countPodSpeed {
            // Nor is a speed of 0 in a value that tells steps, and no total.
            if speed > 0 || !delta.isStepping || delta.hasDistance { hear(.speed, at: now, rules) }
            grow(.speed, stretch(speed), at: now, rules)
        }
        if !delta.isNone {
            comparison.count(delta.steps)
            if delta.strideMicrometres != nil { hasToldStride = true }
            if let length = delta.strideMicrometres ?? stride {
                hear(.steps, at: now, rules)
                let rest = (delta.steps % 1_000).times(length).plus(micrometres)
                micrometres = rest % 1_000
                let grown = (delta.steps / 1_000).times(length).plus(rest / 1_000)
                grow(.steps, stretch(grown), at: now, rules)
            }
        }
        readAt = now
        comparison.compare(at: now, rules)
    }

    /// A fix counts; where it begins a route, what was counted before says nothing of it.
    mutating func hearFix(
        _ time: FixTime, isStart: Bool, at now: UInt64, _ rules: Rules
    ) {
        let last = heardAt[.position]
        fixMilliseconds = last > 0 ? min(now.minus(last), Self.longestFixMilliseconds) : 0
        if isStart { told[.position] = 0 }
        hear(.position, of: time.milliseconds, at: now, rules)
        comparison.compare(at: now, rules)
    }

    /// Takes a stretch of the route.
    mutating func follow(_ stretch: Route.Stretch?, at now: UInt64, _ rules: Rules) {
        if let stretch { grow(.position, stretch, at: now, rules) }
    }

    /// Whether a pod speaks again after it was silent: its speed says nothing of that time, so what
    /// the route holds back of it counts before.
    func findsPod(at now: UInt64) -> Bool {
        heardAt[.speed] > 0 && !isHeard(.speed, at: now) && heardAt[.position] > 0
    }

    /// Whether fixes have just ceased to come: the route's rest counts before anything else.
    mutating func losesFixes(at now: UInt64) -> Bool {
        guard heardAt[.position] > 0, !isHeard(.position, at: now) else { return false }
        heardAt[.position] = 0
        return true
    }

    // MARK: - Who leads

    private func isHeard(_ measure: Measure, at now: UInt64) -> Bool {
        let limit =
            switch measure {
            case .position: max(Self.silenceMilliseconds, 2 * fixMilliseconds)
            case .speed: Self.speedMilliseconds
            case .pedometer, .steps: Self.silenceMilliseconds
            }
        return heardAt[measure] > 0 && now.minus(heardAt[measure]) <= limit
    }

    /// Whether no better measure is heard, or none that is not doubted.
    private func leads(_ measure: Measure, at now: UInt64, _ rules: Rules) -> Bool {
        let isDoubted = comparison.doubted.contains(measure.asSet)
        for other in Measure.allCases
        where other != measure && !comparison.doubted.contains(other.asSet)
            && (isDoubted || measure.isLesser(than: other, rules))
        {
            if isHeard(other, at: now) { return false }
        }
        return true
    }

    private mutating func hear(
        _ measure: Measure, of time: UInt64? = nil, at now: UInt64, _ rules: Rules
    ) {
        heardAt[measure] = max(now, 1)
        known.formUnion(measure.asSet)
        comparison.hear(measure.asSet)
        // Whoever leads and stands still says that there is no way.
        let settled = (time ?? now).minus(Self.settledMilliseconds / 2)
        guard (time ?? now).minus(knownTo) > Self.settledMilliseconds,
            !comparison.doubted.contains(measure.asSet),
            leads(measure, at: now, rules)
        else { return }
        know(to: settled, by: measure, at: now, rules)
    }

    private mutating func grow(
        _ measure: Measure, _ stretch: Route.Stretch, at now: UInt64, _ rules: Rules
    ) {
        guard stretch.millimetres > 0 else { return }
        measured[measure].add(stretch.millimetres)
        comparison.measure(stretch.millimetres, by: measure)
        let isLesser = knownBy.map { measure.isLesser(than: $0, rules) } ?? false
        let fresh = isLesser ? stretch.millimetres(after: knownTo) : stretch.millimetres
        waiting[measure].add(fresh.minus(told[measure]))
        told[measure] = 0
        guard leads(measure, at: now, rules) else { return }
        let counts = waiting[measure]
        counted[measure].add(counts)
        for better in Measure.allCases where measure.isLesser(than: better, rules) {
            told[better].add(counts)
        }
        know(to: stretch.to, by: measure, at: now, rules)
    }

    /// The way is known up to a time: what others give of it is forgotten.
    private mutating func know(
        to time: UInt64, by measure: Measure, at now: UInt64, _ rules: Rules
    ) {
        for other in Measure.allCases {
            let isLesser = other.isLesser(than: measure, rules)
            let rest = Route.Stretch(millimetres: waiting[other], from: knownTo, to: now)
            waiting[other] = isLesser ? rest.millimetres(after: time) : 0
        }
        (knownTo, knownBy) = (max(knownTo, time), measure)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&known, &measured, &counted, &comparison, &waiting, &told)
        try coder(&heardAt)
        try coder(&knownTo, &knownBy, &fixMilliseconds, &readAt, &micrometres)
        try coder(&isAwaited, &hasTotal, &hasToldStride)
        try coder.require(
            micrometres < 1_000 && fixMilliseconds <= Self.longestFixMilliseconds)
    }
}

extension WayLength.Measure {
    /// Whether another one is better; positions may be the last by the rules.
    fileprivate func isLesser(than other: Self, _ rules: Rules) -> Bool {
        switch (self, other) {
        case (.position, .steps): rules.stepsBeforePositions
        case (.steps, .position): !rules.stepsBeforePositions
        default: rawValue > other.rawValue
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
