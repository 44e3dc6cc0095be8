internal import Clocks
internal import Events
internal import Projections

/// What moves, for walks that pause by themselves: steps that are counted, and places that change.
///
/// A walker of whom neither is heard does not stand still: nobody knows.
struct MotionWatch: Hashable, Sendable {
    /// A walker who has not moved for so long stands still.
    static let limitMilliseconds: UInt64 = 20_000
    /// A source that has been silent for so long is forgotten; and a standstill of which nothing
    /// has been heard for so long is over: nobody knows any more.
    static let unheardMilliseconds: UInt64 = 300_000
    /// A source that has been silent for longer says nothing of the present.
    private static let silenceMilliseconds: UInt64 = 10_000
    /// A receiver at rest wanders about so far at least, and twice its error.
    private static let wanderMillimetres: UInt64 = 20_000
    /// Without speeds the way is waited for, 3 s for each metre: 0.35 m/s is still a walk.
    private static let millisecondsPerMillimetre: UInt64 = 3
    /// Of the receiver's own speeds the last five count, and most of them decide.
    private static let speedCount = 5
    /// A speed above 0.3 m/s is a walk.
    private static let restMillimetresPerSecond: UInt64 = 300

    /// A pedometer, or positions.
    private struct Source: Hashable, Sendable {
        /// Nil for positions.
        let pedometer: DeviceID?
        var heardAt: UInt64
        var movedAt: UInt64
        /// The last reading, or the place where the walker was when they moved last.
        var last: Event
        /// What the last fixes said of speed.
        var speeds: [UInt64?] = []

        /// Whether the receiver's own speeds, most of the last, are a walk; nil if they tell none.
        var isFast: Bool? {
            let told = speeds.compactMap(\.self)
            guard told.count * 2 > speeds.count else { return nil }
            let fast = told.filter { $0 > MotionWatch.restMillimetresPerSecond }
            return fast.count * 2 > max(speeds.count, 3)
        }

        /// How long nothing moves where the walker stands still.
        var patienceMilliseconds: UInt64 {
            guard case .positionFixed(let place) = last, isFast == nil else {
                return MotionWatch.limitMilliseconds
            }
            return MotionWatch.reach(of: place) * MotionWatch.millisecondsPerMillimetre
        }
    }

    private var sources: [Source] = []
    private var begunAt: UInt64 = 0

    /// The walker begins, or goes on, as if they moved.
    mutating func begin(at boot: UInt64) {
        begunAt = boot
        for index in sources.indices { sources[index].movedAt = boot }
    }

    /// Takes what was recorded.
    ///
    /// - Returns: Whether the walker moved.
    mutating func take(_ event: Event, at boot: UInt64) -> Bool {
        var (pedometer, speed): (DeviceID?, UInt64?) = (nil, nil)
        switch event {
        case .pedometerRead(let read): pedometer = read.device
        case .positionFixed(let fix):
            // It says nothing here, as in a route.
            if fix.isInexact { return false }
            speed = fix.speedMillimetresPerSecond
        default: return false
        }
        sources.removeAll { boot.minus($0.heardAt) >= Self.unheardMilliseconds }
        let known = sources.firstIndex { $0.pedometer == pedometer }
        let index = known ?? sources.count
        if known == nil {
            sources.append(
                Source(pedometer: pedometer, heardAt: boot, movedAt: boot, last: event))
        }
        if pedometer == nil {
            sources[index].speeds = sources[index].speeds.suffix(Self.speedCount - 1) + [speed]
        }
        let isFast = sources[index].isFast == true
        let moves = known != nil && (isFast || Self.moves(event, since: sources[index].last))
        // What happened in a silence nobody knows.
        let wasSilent = boot.minus(sources[index].heardAt) >= Self.silenceMilliseconds
        sources[index].heardAt = boot
        if moves || wasSilent { sources[index].movedAt = boot }
        if moves || pedometer != nil { sources[index].last = event }
        return moves
    }

    private static func moves(_ event: Event, since last: Event) -> Bool {
        switch (event, last) {
        case (.pedometerRead(let read), .pedometerRead(let former)):
            read.tellsMotion(since: former)
        case (.positionFixed(let fix), .positionFixed(let place)):
            fix.isFurther(than: max(reach(of: fix), reach(of: place)), from: place)
        default: false
        }
    }

    /// How far a receiver at rest wanders from a place that it told.
    private static func reach(of fix: PositionFixed) -> UInt64 {
        max(wanderMillimetres, (fix.accuracyMillimetres ?? 0) * 2)
    }

    /// Whether the walker has stood still for so long that the walk pauses: by all that is heard,
    /// among it whatever told last that they moved.
    func standsStill(at boot: UInt64) -> Bool {
        guard let last = sources.max(by: { $0.movedAt < $1.movedAt }) else { return false }
        return boot.minus(last.heardAt) < Self.silenceMilliseconds
            && sources.allSatisfy { boot.minus($0.movedAt) >= $0.patienceMilliseconds }
    }

    /// Whether nothing has told for long whether the walker moves.
    func isUnheard(at boot: UInt64) -> Bool {
        let heardAt = sources.map(\.heardAt).max() ?? 0
        return boot.minus(max(heardAt, begunAt)) >= Self.unheardMilliseconds
    }
}

/// Laps and pauses that come by themselves.
extension RecordingLife {
    /// Learns from what was recorded whether the walker moves.
    mutating func noteMotion(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .sessionStarted, .sessionResumed, .standstillEnded:
            motion.begin(at: now.bootMilliseconds)
            (askedLap, pace) = (nil, PaceWatch())
        case .sessionEnded: motion = MotionWatch()
        // What a phone has kept says nothing of the present.
        case .positionFixed(let fix)
        where state.own.recorder.positions.areOfPhone
            && !fix.isOfNow(at: recorded.header.stamp):
            break
        default:
            let moves = motion.take(recorded.event, at: now.bootMilliseconds)
            if moves, state.own.sessions.open?.standsStill == true { append(.moveOn) }
        }
    }

    /// Learns from a reading or a fix how fast the walker is.
    mutating func watchPace(_ stamp: Stamp) {
        let open = state.own.sessions.open
        pace.take(open?.state == .running ? open?.way : nil, at: stamp.bootMilliseconds)
    }

    /// Pauses the walk if the walker stands still, and ends a lap that is long enough.
    mutating func updateMotion() {
        guard case .recording = phase, let session = state.own.sessions.open else { return }
        let (boot, preferences) = (now.bootMilliseconds, state.own.recorder.preferences)
        let pauses = preferences.autoPause && motion.standsStill(at: boot)
        let goesOn = !preferences.autoPause || motion.isUnheard(at: boot)
        if session.state == .running ? pauses : session.standsStill && goesOn {
            motion.begin(at: boot)
            return append(session.state == .running ? .standStill : .moveOn)
        }
        guard session.state == .running, let length = preferences.autoLapMillimetres,
            askedLap != session.laps.ended,
            let distance = session.distance?.millimetres,
            session.laps.present(at: 0, distance).millimetres >= length
        else { return }
        askedLap = session.laps.ended
        append(.lap(.byDistance))
    }
}
