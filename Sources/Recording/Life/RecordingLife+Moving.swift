internal import Clocks
internal import Events
internal import Projections
internal import Words

/// What moves, for walks that pause by themselves: steps that are counted, and places that change.
///
/// Whoever is heard by neither does not stand still: nobody knows.
struct MotionWatch: Hashable, Sendable {
    /// Who has not moved for so long stands still.
    static let limitMilliseconds: UInt64 = 20_000
    /// A source that has been silent for longer says nothing of the present.
    private static let silenceMilliseconds: UInt64 = 10_000
    /// A receiver at rest wanders about so far, or as far as its own error.
    private static let wanderMillimetres: UInt64 = 10_000
    private static let greatestErrorMillimetres: UInt64 = 50_000

    private var movedAt: UInt64 = 0
    private var heardAt: UInt64?
    /// Where the walker was when they moved last.
    private var place: PositionFixed?
    /// The last reading of each pedometer.
    private var readings: [PedometerRead] = []

    /// The walker begins, or goes on, as if they moved.
    mutating func begin(at boot: UInt64) {
        movedAt = boot
    }

    /// Takes what was recorded.
    ///
    /// - Returns: Whether the walker moved.
    mutating func take(_ event: Event, at boot: UInt64) -> Bool {
        let moves: Bool
        switch event {
        case .pedometerRead(let read): moves = moved(read)
        case .positionFixed(let fix): moves = moved(fix)
        default: return false
        }
        heardAt = boot
        if moves { movedAt = boot }
        return moves
    }

    /// Whether the walker has stood still for so long that the walk pauses.
    func standsStill(at boot: UInt64) -> Bool {
        guard let heardAt, boot.minus(heardAt) < Self.silenceMilliseconds else { return false }
        return boot.minus(movedAt) >= Self.limitMilliseconds
    }

    private mutating func moved(_ read: PedometerRead) -> Bool {
        guard let index = readings.firstIndex(where: { $0.device == read.device }) else {
            readings.append(read)
            return read.tellsMotion(since: nil)
        }
        defer { readings[index] = read }
        return read.tellsMotion(since: readings[index])
    }

    private mutating func moved(_ fix: PositionFixed) -> Bool {
        let error = min(fix.accuracyMillimetres ?? 0, Self.greatestErrorMillimetres)
        if let place, !fix.isFurther(than: max(Self.wanderMillimetres, error), from: place) {
            return false
        }
        defer { place = fix }
        return place != nil
    }
}

/// Laps and pauses that come by themselves.
extension RecordingLife {
    /// Learns from what was recorded whether the walker moves.
    mutating func noteMotion(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .sessionStarted, .sessionResumed, .standstillEnded:
            motion.begin(at: now.bootMilliseconds)
        default:
            let moves = motion.take(recorded.event, at: now.bootMilliseconds)
            if moves, state.live.sessions.open?.standsStill == true { append(.moveOn) }
        }
    }

    /// Pauses the walk if the walker stands still, and ends a lap that is long enough.
    mutating func updateMotion() {
        guard case .recording = phase, let session = state.live.sessions.open,
            session.state == .running
        else { return }
        let preferences = state.live.recorder.preferences
        if preferences.autoPause, motion.standsStill(at: now.bootMilliseconds) {
            motion.begin(at: now.bootMilliseconds)
            append(.standStill)
        }
        guard let length = preferences.autoLapMillimetres, askedLap != session.laps.ended + 1,
            let distance = session.distance(state.rules)?.millimetres,
            session.laps.present(at: 0, distance).millimetres >= length
        else { return }
        askedLap = session.laps.ended + 1
        append(.lap(.byDistance))
    }
}
