internal import Events

/// Makes facts of what a file says point by point.
struct WalkPoints {
    /// What stands at a point.
    struct Point {
        var fix: PositionFixed?
        var heartRateBPM: UInt16?
        /// Turns of one foot a minute, of which two steps are made, or steps.
        var cadence: UInt64?
        /// Since the walk began.
        var distanceMillimetres: UInt64?
        /// Since the walk began; nil to work them out from the cadence.
        var steps: UInt64?
        var rrTicks: [UInt16] = []
    }

    /// What the file tells of a lap, before its points or after them.
    struct Lap {
        /// When it began, in UTC milliseconds; by default with its first point.
        var start: Int64?
        /// For how many milliseconds its timer ran.
        var active: Int64?
        var distanceMillimetres: UInt64?
        var steps: UInt64?
        /// What ended it, if the file says.
        var cause: LapCause?
        private(set) var end: Int64?

        init(start: Int64?) { self.start = start }

        mutating func note(_ now: Int64) {
            (start, end) = (start ?? now, max(end ?? now, now))
        }
    }

    var facts: WalkFacts
    private let keeper: ByteKeeper?
    /// What it is; nil if the file does not say.
    var sport: Sport?
    /// A point that is far from all before it.
    private var far: (point: Point, at: Int64)?
    /// The last moment of the walk; nil before its first.
    private(set) var last: Int64?
    /// Since when the walk is paused; nil while it goes on.
    private(set) var pausedAt: Int64?
    private var cadence = StepCadence()
    /// Whether the file's cadence is of steps, whatever its mean.
    var isOfSteps = false
    /// The lap under way; nil outside of laps.
    var lap: Lap?
    /// What ended the lap before.
    private var lastCause: LapCause?
    /// Marks after the last point.
    private var marks: [(text: String, at: Int64)] = []
    private var way = WalkedWay()
    private var draft: WalkDraft
    private var counting = WalkCounting()

    init(until end: Int64, keptIn keeper: ByteKeeper?) {
        (facts, self.keeper) = (WalkFacts(until: end, keptIn: keeper), keeper)
        draft = WalkDraft(keptIn: keeper)
    }

    /// Takes the zone that a time is written in for where it was walked; UTC says nothing of that.
    mutating func noteZone(_ offsetMinutes: Int64) {
        if offsetMinutes != 0 { facts.offsetMinutes = facts.offsetMinutes ?? offsetMinutes }
    }

    /// Ends the walk; the next point begins another.
    mutating func endWalk() {
        leaveFar()
        addMarks()
        endLap()
        draft.sport = sport
        draft.isDoubled = draft.isCadence && (isOfSteps || cadence.isTooFast)
        if last != nil { _ = draft.close(into: &facts, &counting) }
        draft = WalkDraft(keptIn: keeper)
        (last, sport, pausedAt, lastCause) = (nil, nil, nil, nil)
        cadence = StepCadence()
    }

    /// Takes what a file of this program says of the walk.
    mutating func take(_ note: WalkNote) {
        sport = note.sport ?? sport
        draft.take(note)
    }

    /// Begins a lap; nil for one that begins with its first point.
    mutating func beginLap(at start: Int64?) {
        endLap()
        lap = Lap(start: start)
        if let start, let lastCause { endLap(at: start, lastCause) }
    }

    /// Says that a lap ended, and another began.
    mutating func endLap(at now: Int64, _ cause: LapCause) { draft.endLap(at: now, cause) }

    /// Ends a lap, if one is under way.
    mutating func endLap() {
        lastCause = lap?.cause ?? lastCause
        guard let lap = lap.take(), let start = lap.start, draft.laps.count < WalkDraft.lapLimit
        else { return }
        // No time at all is none that was measured.
        let active = lap.active == 0 ? nil : lap.active
        draft.laps.append(
            WalkDraft.Sum(
                start: start, end: active.map { start + $0 } ?? lap.end ?? start,
                active: active, steps: lap.steps,
                distanceMillimetres: lap.distanceMillimetres))
    }

    /// Says that the walk was paused up to the next point: from the last one on, unless it is known
    /// since when.
    mutating func pause(at now: Int64? = nil) {
        pausedAt = pausedAt ?? now ?? last
    }

    /// Sets a mark, no later than at the end of the walk, also in a pause.
    mutating func mark(_ text: String, at now: Int64) {
        if facts.hasRoom("marks", marks.count, 1_000) { marks.append((text.fitting(512), now)) }
    }

    private mutating func addMarks() {
        if let last { for mark in marks { tell(.mark(mark.text), at: min(mark.at, last)) } }
        marks = []
    }

    /// A place that a file tells in decimals; nil if it tells none, or one that is nowhere on
    /// Earth.
    mutating func fix(
        _ latitude: String?, _ longitude: String?, _ altitude: String?, at now: Int64
    ) -> PositionFixed? {
        guard let latitude = latitude.flatMap({ DecimalText($0) }),
            let longitude = longitude.flatMap({ DecimalText($0) })
        else { return nil }
        var fix = PositionFixed(degreesNorth: latitude, degreesEast: longitude)
        if fix == nil { facts.leaveOut("points that are nowhere on Earth") }
        fix?.fixedAtMilliseconds = now
        fix?.altitudeMillimetres = altitude.flatMap { DecimalText($0)?.altitudeMillimetres }
        return fix
    }

    /// Adds a point; one more than a week from the last one if the next one agrees.
    mutating func add(_ point: Point, at now: Int64) {
        guard facts.isPossible(now) else { return }
        func isFar(_ other: Int64) -> Bool { abs(now - other) > FITClock.reachMilliseconds }
        guard let last, isFar(last) else {
            leaveFar()
            return append(point, at: now)
        }
        guard let other = far, !isFar(other.at) else {
            leaveFar()
            return far = (point, now)
        }
        // The clock was set, or it is another walk.
        let (sport, lap) = (sport, lap)
        (far, self.lap) = (nil, nil)
        endWalk()
        (self.sport, self.lap) = (sport, lap.map { _ in Lap(start: nil) })
        append(other.point, at: other.at)
        append(point, at: now)
    }

    private mutating func leaveFar() {
        if far != nil { facts.leaveOut("points without a date that fits") }
        far = nil
    }

    private mutating func append(_ point: Point, at now: Int64) {
        if let pausedAt, pausedAt <= now { draft.pause(pausedAt...now) }
        if let fix = point.fix {
            way.take(fix)
            draft.hasPlaces = true
            tell(.position(fix), at: now)
        }
        if let rate = point.heartRateBPM {
            tell(.heartRate(rate, rrTicks: point.rrTicks), at: now)
        }
        let estimate = cadence.take(
            point.cadence.map { $0 * 2 }, at: now, isPaused: pausedAt != nil)
        draft.isCadence = draft.isCadence || point.steps == nil && estimate != nil
        draft.add(
            WalkCount(
                at: now, steps: point.steps ?? estimate,
                distanceMillimetres: point.distanceMillimetres, wayMillimetres: way.millimetres,
                isOfCadence: point.steps == nil && estimate != nil))
        lap?.note(now)
        pausedAt = nil
        last = max(last ?? now, now)
        addMarks()
    }

    private mutating func tell(_ fact: WalkFacts.Fact, at wall: Int64) {
        if let refusal = draft.told.add(fact, at: wall) { facts.leaveOut(refusal) }
    }
}
