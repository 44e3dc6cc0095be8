package import Events

/// One session of a source: constant in size, however long it lasts.
package struct Session: OrderedPart, Hashable, Sendable {
    /// Where a session stands.
    package enum State: UInt8, CodedName, StatePart {
        /// Time, samples and steps count.
        case running = 0
        /// Nothing counts but the pause.
        case paused = 1
        /// Over.
        case ended = 2

        /// The names in the JSON form, in the order of the cases.
        package static let names = ["running", "paused", "ended"]
    }

    /// The event that began it.
    package private(set) var position: Position = 0
    /// When it began.
    package private(set) var startedAt = Stamp()
    /// Minutes east of UTC where it began.
    package private(set) var offsetMinutes: Int64 = 0
    /// What the walker has said of it.
    package internal(set) var keeping = Keeping()
    /// When it ended; of an open one when it was heard of last, if nobody records it; else nil.
    package internal(set) var endedAt: Stamp?
    /// Why it ended, or nil.
    package internal(set) var endReason: OpenCode<EndReason>?
    /// Where it stands.
    package internal(set) var state = State.running
    /// What the walker aims at.
    package private(set) var goal = Goal()
    /// Whether to turn at half of the target.
    package private(set) var outAndBack = false
    /// The profile at the start.
    package private(set) var profile = Profile()
    /// What the walker had stated that is not in the profile.
    package private(set) var walker = Walker()
    /// The zones of this session.
    package internal(set) var zones = Zones()
    /// Marks that the walker set.
    package internal(set) var marks: UInt64 = 0
    /// Its laps.
    package internal(set) var laps = Laps()
    /// Whether the pause is one that began and ends by itself.
    package internal(set) var standsStill = false
    /// Pauses that began.
    package internal(set) var pauses: UInt64 = 0
    /// Where the time went.
    package internal(set) var accounting = Accounting()
    /// Heart rate and RR intervals.
    var readings = Readings()
    /// The same without what may be copies, while that is on trial; one at most.
    ///
    /// A list, because each event asks whether it is empty, and an optional of this size answers
    /// that by a call.
    var trials: [CopyTrial] = []
    /// The strap of the last value that was left out because it denies contact.
    var strapWithoutContact: DeviceID?
    /// The straps whose values are left out, in order of their addresses.
    package private(set) var excludedStraps: [DeviceID] = []
    /// The strap's connection.
    package internal(set) var link = SessionLink()
    /// Steps of the session's own pedometer streams.
    package internal(set) var steps: UInt64 = 0
    /// Where it went.
    package internal(set) var route = Route()
    /// How long the way is.
    package internal(set) var way = WayLength()
    /// The length of the walker's step in micrometres, as it was known at the start.
    package private(set) var ownStride: UInt64?
    /// How many distances of the pedometer nobody can have covered; they count nothing.
    package internal(set) var excludedDistances: UInt64 = 0
    /// Readings of pedometers that could not be decoded.
    package internal(set) var excludedReadings: UInt64 = 0
    /// Fixes that may be off by more than a route can use.
    package internal(set) var inexactFixes: UInt64 = 0
    /// Fixes that are left out before the route sees them.
    package internal(set) var leftOutFixes = LeftOutFixes()
    /// What the day displayed at the start.
    package private(set) var stepsBaseline: UInt64 = 0
    /// What the day displayed at ``endedAt``, or nil while it lasts.
    package internal(set) var stepsTodayAtEnd: UInt64?
    /// The first event at which the goal was reached, or nil.
    package internal(set) var goalReachedPosition: Position?
    /// The first event at which half of the goal was reached, or nil.
    package internal(set) var turnAroundPosition: Position?
    /// The fold time of the start.
    private(set) var startedAtFold: UInt64 = 0
    /// The fold time up to which ``accounting`` holds.
    package private(set) var settledTo: UInt64 = 0
    /// The fold time of the last pause or resume; 0 before the first.
    var turnedAtFold: UInt64 = 0
    /// The fold time of the last pause; 0 before the first.
    var pausedAtFold: UInt64 = 0
    /// The smallest difference from a receiver's clock to fold time at which a fix arrived, in
    /// milliseconds; nil as long as no three fixes arrived as far apart as they were taken.
    var leastDelay: Int64?
    /// How many fixes in a row arrived as long after the one before as they were taken after it; 2
    /// at most.
    var pacedFixes: UInt64 = 0

    init() {}

    init(
        _ event: SessionStarted, _ header: EventHeader, at now: UInt64, by recorder: RecorderState,
        rules: Rules, stepsBaseline: UInt64, stream: SessionStream, ownStride: UInt64?
    ) {
        (position, startedAt) = (header.position, header.stamp)
        (offsetMinutes, walker) = (recorder.zoneOffsetMinutes, recorder.walker)
        (goal, outAndBack, profile) = (event.goal, event.outAndBack, event.profile)
        zones = rules.zones ?? Zones(of: event.profile)
        self.stepsBaseline = stepsBaseline
        startedAtFold = now
        settledTo = now
        self.ownStride = ownStride
        way.begin(stream, at: now)
    }

    var key: Position { position }

    /// Heart rate, without straps that are left out.
    package var heartRate: HeartRateTotals { heard.readings.heartRate }
    /// RR intervals, without those of straps that are left out.
    package var rr: RRTotals { heard.readings.rr }

    /// The readings and the time without the straps that are left out.
    var heard: (readings: Readings, accounting: Accounting) {
        guard !excludedStraps.isEmpty else { return (readings, accounting) }
        return readings.without(excludedStraps, accounting)
    }

    /// Leaves a strap's values out, or takes them in again.
    ///
    /// - Returns: Whether the strap sent some.
    mutating func exclude(_ device: DeviceID, _ isExcluded: Bool) -> Bool {
        guard readings.straps.contains(where: { $0.device == device }) else { return false }
        excludedStraps.removeAll { $0 == device }
        if isExcluded {
            let place = excludedStraps.firstIndex { $0.word > device.word }
            excludedStraps.insert(device, at: place ?? excludedStraps.count)
        }
        return true
    }

    /// How long the present pause has lasted, up to where ``accounting`` holds.
    var pauseMilliseconds: UInt64 { settledTo.minus(turnedAtFold) }

    /// Whether nobody records it: then its time stands still, until it goes on or ends there.
    @inline(__always)
    var isLeft: Bool { endedAt != nil }

    /// It is recorded again: what has passed since it was left counts.
    mutating func goOn() {
        endedAt = nil
        stepsTodayAtEnd = nil
    }

    /// Attributes the time up to `now`, in which the strap's link was as given.
    @inline(__always)
    mutating func settle(
        to now: UInt64, _ link: LinkTimes, _ rules: Rules, _ effects: inout some EffectSink
    ) {
        guard now > settledTo, !isLeft else { return }
        let before = accounting
        if state == .running {
            let fresh = accounting.run(from: settledTo, to: now, link, rules)
            readings.weigh(fresh, zones)
            for index in trials.indices { trials[index].readings.weigh(fresh, zones) }
        } else {
            accounting.pausedMilliseconds += now - settledTo
        }
        settledTo = now
        effects.note {
            let from = $0.session.time?.from ?? before
            $0.session.time = (from, accounting, readings.heartRate.weighing)
        }
        assert(isSettled, "The parts of a session's time sum to it, and only what is fresh weighs.")
    }

    /// Whether all of its time is attributed once, and no more has weighed than was fresh.
    private var isSettled: Bool {
        startedAtFold.plus(accounting.elapsedMilliseconds) == settledTo
            && readings.heartRate.weightedMilliseconds <= accounting.freshMilliseconds
    }
}

// MARK: - Distance, energy, goal

extension Session {
    /// Where a session's distance comes from.
    package enum DistanceSource: String, Sendable {
        /// The pedometer's own total distance.
        case pedometer
        /// A foot pod's speed.
        case speed
        /// The fixes.
        case position
        /// Steps times their length.
        case stride
        /// Several of them, each for its stretches.
        case mixed

        fileprivate init(_ measure: WayLength.Measure) {
            switch measure {
            case .pedometer: self = .pedometer
            case .speed: self = .speed
            case .position: self = .position
            case .steps: self = .stride
            }
        }
    }

    /// The distance, or nil if nothing measured one.
    package var distance: (millimetres: UInt64, source: DistanceSource)? {
        let parts = way.countedMeasures
        guard let first = parts.first else { return nil }
        return (way.millimetres, parts.count > 1 ? .mixed : DistanceSource(first))
    }

    /// The length of a step in micrometres: the walker's own, or by the height; nil without either.
    func strideMicrometres(_ rules: Rules) -> UInt64? {
        (rules.countOwnStride ? ownStride : nil)
            ?? profile.heightMillimetres.map { $0.times(rules.stridePermille) }
    }

    /// A step's energy at 70 kg.
    package static let caloriesPerStep: UInt64 = 40

    /// Energy in calories; 70 kg are assumed without a weight.
    package var energyCalories: UInt64 {
        steps.scaled(by: (profile.weightGrams ?? 70_000).times(Self.caloriesPerStep), over: 70_000)
    }

    /// How much of the goal is done, in the goal's unit; nil without a goal.
    package var progress: UInt64? {
        switch goal.kind {
        case .none: nil
        case .steps, .daily: steps
        case .distance: way.millimetres
        case .duration: accounting.activeMilliseconds
        }
    }

    mutating func endLap(at now: UInt64, _ rules: Rules) {
        way.follow(route.flush(), at: now, rules)
        laps.end(at: accounting.activeMilliseconds, way.millimetres)
    }

    /// Whether there is a goal that was not reached yet.
    @inline(__always)
    var isAiming: Bool { goal.kind != .none && goalReachedPosition == nil }

    /// Notes where the goal and half of it were reached.
    @inline(__always)
    mutating func noteProgress(
        _ rules: Rules, at position: Position, _ effects: inout some EffectSink
    ) {
        guard isAiming else { return }
        compareProgress(rules, at: position, &effects)
    }

    private mutating func compareProgress(
        _ rules: Rules, at position: Position, _ effects: inout some EffectSink
    ) {
        guard let progress, goal.target > 0 else { return }
        if outAndBack, turnAroundPosition == nil, progress >= goal.target - goal.target / 2 {
            turnAroundPosition = position
            effects.note { $0.turnedAround = goal }
        }
        guard progress >= goal.target else { return }
        goalReachedPosition = position
        effects.note { $0.goalReached = goal }
    }
}

// MARK: - Canonical bytes

extension Session {
    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&position, &startedAt, &offsetMinutes, &keeping, &endedAt, &endReason)
        try coder(&state, &goal, &outAndBack, &profile, &walker, &zones)
        try coder(&marks, &laps, &standsStill, &pauses, &accounting)
        try coder(&readings, &trials, &strapWithoutContact, &excludedStraps)
        try coder(&link, &steps, &route, &way, &ownStride)
        try coder(&excludedReadings, &inexactFixes, &leftOutFixes)
        try coder(&excludedDistances, &stepsBaseline, &stepsTodayAtEnd, &goalReachedPosition)
        try coder(&turnAroundPosition, &startedAtFold, &settledTo)
        try coder(&turnedAtFold, &pausedAtFold, &leastDelay, &pacedFixes)
        try coder.require(trials.count <= 1 && (!standsStill || state == .paused))
        try coder.require(isSettled && pacedFixes <= 2)
        try coder.require((leastDelay ?? 0).magnitude <= 1 << 54)
    }
}
