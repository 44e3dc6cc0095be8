public import Events

/// One session of a source: constant in size, however long it lasts.
public struct Session: Hashable, Sendable {
    /// Where a session stands.
    public enum State: UInt8, Sendable {
        /// Time, samples and steps count.
        case running = 0
        /// Nothing counts but the pause.
        case paused = 1
        /// Over.
        case ended = 2

        /// The state in JSON: the case's own name.
        public var name: String { String(describing: self) }
    }

    /// The event that began it.
    public let position: Position
    /// When it began.
    public let startedAt: Stamp
    /// When it ended, or nil.
    public internal(set) var endedAt: Stamp?
    /// Why it ended, or nil.
    public internal(set) var endReason: OpenCode<EndReason>?
    /// Where it stands.
    public internal(set) var state = State.running
    /// What the walker aims at.
    public let goal: Goal
    /// Whether to turn at half of the target.
    public let outAndBack: Bool
    /// The profile at the start.
    public let profile: Profile
    /// The zones of this session.
    public let zones: Zones
    /// Marks that the walker set.
    public internal(set) var marks: UInt64 = 0
    /// Pauses that began.
    public internal(set) var pauses: UInt64 = 0
    /// Where the time went.
    public internal(set) var accounting = Accounting()
    /// Heart rate.
    public internal(set) var heartRate = HeartRateTotals()
    /// RR intervals.
    public internal(set) var rr = RRTotals()
    /// Steps of the session's own pedometer streams (PRODUCT S8).
    public internal(set) var steps: UInt64 = 0
    /// Those of ``steps`` for whose interval the pedometer gave no distance.
    public internal(set) var strideSteps: UInt64 = 0
    /// Distance that the pedometer gave.
    public internal(set) var pedometerMillimetres: UInt64 = 0
    /// Whether the pedometer gave a distance at all.
    public internal(set) var hasPedometerDistance = false
    /// What the day displayed at the start.
    public let stepsBaseline: UInt64
    /// What the day displayed at the end, or nil while it lasts.
    public internal(set) var stepsTodayAtEnd: UInt64?
    /// The first event at which the goal was reached, or nil.
    public internal(set) var goalReachedPosition: Position?
    /// The first event at which half of the goal was reached, or nil.
    public internal(set) var turnAroundPosition: Position?
    /// The fold time of the start.
    let startedAtFold: UInt64
    /// The fold time up to which ``accounting`` holds.
    private(set) var settledTo: UInt64
    /// The fold time of the last pause; 0 before the first.
    var pausedAtFold: UInt64 = 0
    /// The pedometer's next reading is where this session's stream begins.
    var awaitsFirstReading: Bool

    init(
        _ event: SessionStarted, _ header: EventHeader, at now: UInt64, rules: Rules,
        stepsBaseline: UInt64, awaitsFirstReading: Bool
    ) {
        position = header.position
        startedAt = header.stamp
        goal = event.goal
        outAndBack = event.outAndBack
        profile = event.profile
        zones = rules.zones ?? Zones(of: event.profile)
        self.stepsBaseline = stepsBaseline
        startedAtFold = now
        settledTo = now
        self.awaitsFirstReading = awaitsFirstReading
    }

    /// Attributes the time up to `now`, in which the strap's link was as given.
    @inline(__always)
    mutating func settle(to now: UInt64, _ link: Link, _ rules: Rules) {
        guard now > settledTo else { return }
        if state == .running {
            let fresh = accounting.run(from: settledTo, to: now, link, rules)
            heartRate.weigh(fresh, zones)
        } else {
            accounting.pausedMilliseconds += now - settledTo
        }
        settledTo = now
    }
}

// MARK: - Distance, energy, goal

extension Session {
    /// Where a session's distance comes from.
    public enum DistanceSource: String, Sendable {
        /// The pedometer gave all of it.
        case pedometer
        /// Steps times height times the stride rule.
        case stride
        /// Both, each for its intervals.
        case mixed
    }

    /// The distance, or nil if there is none to tell (PRODUCT S9, S10).
    ///
    /// Without a height, the steps without a distance of their own add nothing.
    public func distance(
        _ rules: Rules
    ) -> (millimetres: UInt64, source: DistanceSource)? {
        let stride = profile.heightMillimetres.map { height in
            strideSteps.scaled(by: height.times(rules.stridePermille), over: 1_000)
        }
        guard hasPedometerDistance else { return stride.map { ($0, .stride) } }
        guard let stride, strideSteps > 0 else { return (pedometerMillimetres, .pedometer) }
        return (pedometerMillimetres.plus(stride), .mixed)
    }

    /// Energy in calories: 40 a step at 70 kg, which is assumed without a weight (PRODUCT S10).
    public var energyCalories: UInt64 {
        steps.scaled(by: (profile.weightGrams ?? 70_000).times(40), over: 70_000)
    }

    /// How much of the goal is done, in the goal's unit; nil without a goal.
    public func progress(_ rules: Rules) -> UInt64? {
        switch goal.kind {
        case .none: nil
        case .steps, .daily: steps
        case .distance: distance(rules)?.millimetres ?? 0
        case .duration: accounting.activeMilliseconds
        }
    }

    /// Notes where the goal and half of it were reached (PRODUCT S11).
    @inline(__always)
    mutating func noteProgress(_ rules: Rules, at position: Position) {
        guard goal.kind != .none, goalReachedPosition == nil else { return }
        compareProgress(rules, at: position)
    }

    private mutating func compareProgress(_ rules: Rules, at position: Position) {
        guard let progress = progress(rules), goal.target > 0 else { return }
        if outAndBack, turnAroundPosition == nil, progress >= goal.target - goal.target / 2 {
            turnAroundPosition = position
        }
        if progress >= goal.target { goalReachedPosition = position }
    }
}

// MARK: - Canonical bytes

extension Session {
    func write(to writer: inout CanonicalWriter) {
        writer.unsigned(position)
        writer.stamp(startedAt)
        writer.optional(endedAt) { $0.stamp($1) }
        writer.optional(endReason?.rawValue)
        writer.unsigned(state.rawValue)
        writer.unsigned(goal.kind.rawValue)
        writer.unsigned(goal.target)
        writer.flag(outAndBack)
        writer.profile(profile)
        zones.write(to: &writer)
        writer.unsigned(marks)
        writer.unsigned(pauses)
        accounting.write(to: &writer)
        heartRate.write(to: &writer)
        rr.write(to: &writer)
        writer.unsigned(steps)
        writer.unsigned(strideSteps)
        writer.unsigned(pedometerMillimetres)
        writer.flag(hasPedometerDistance)
        writer.unsigned(stepsBaseline)
        writer.optional(stepsTodayAtEnd)
        writer.optional(goalReachedPosition)
        writer.optional(turnAroundPosition)
        writer.unsigned(startedAtFold)
        writer.unsigned(settledTo)
        writer.unsigned(pausedAtFold)
        writer.flag(awaitsFirstReading)
    }
}

extension CanonicalWriter {
    /// Writes a profile's fields in the order of the record format.
    mutating func profile(_ profile: Profile) {
        optional(profile.heightMillimetres)
        optional(profile.weightGrams)
        optional(profile.dailyGoalSteps)
        optional(profile.maximumHeartRateBPM)
        optional(profile.restingHeartRateBPM)
        unsigned(profile.zones.rawValue)
        list(profile.zoneLimits) { $0.unsigned($1) }
        unsigned(profile.stepsPerCadenceCount)
    }
}
