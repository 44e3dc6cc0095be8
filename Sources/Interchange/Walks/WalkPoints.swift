internal import Events

/// Makes facts of what a file says point by point.
struct WalkPoints {
    /// What stands at a point.
    struct Point {
        var fix: PositionFixed?
        var heartRateBPM: UInt16?
        /// Turns of one foot a minute, of which two steps are made.
        var cadence: UInt64?
        /// Since the walk began.
        var distanceMillimetres: UInt64?
        /// Since the walk began; nil to work them out from the cadence.
        var steps: UInt64?
        var rrTicks: [UInt16] = []
    }

    /// What is known of a lap that may tell its steps at its end.
    private struct Lap {
        /// What the file says of it, in its order.
        var told: EventBatch
        /// The steps and the time before it.
        let steps: UInt64
        let active: UInt64
        var points: [(at: Int64, active: UInt64, distance: UInt64?)] = []
    }

    /// For so long a distance that does not change is not told again: a pedometer that is silent
    /// for longer counts as gone.
    private static let repetitionMilliseconds: Int64 = 5_000
    /// A lap of more points has the steps of its cadence: a day of one a second.
    private static let lapLimit = 100_000
    /// For so long at most a cadence counts.
    private static let cadenceMilliseconds: Int64 = 10_000

    var facts: WalkFacts
    private let keeper: ByteKeeper?
    /// What it is; nil for a walk.
    var sport: WalkSport?
    /// The first moment of the walk.
    private var first: Int64 = 0
    /// The last moment of the walk; nil before its first.
    private(set) var last: Int64?
    /// Since when the walk is paused; nil while it goes on.
    private(set) var pausedAt: Int64?
    /// Steps times minutes in milliseconds.
    private var stepMilliseconds: UInt64 = 0
    private var walked: WalkFacts.Fact?
    private var walkedAt: Int64 = 0
    /// For how long the walk went on without its pauses.
    private var activeMilliseconds: UInt64 = 0
    private var lap: Lap?
    /// Marks after the last point.
    private var marks: [(text: String, at: Int64)] = []

    init(until end: Int64, keptIn keeper: ByteKeeper?) {
        (facts, self.keeper) = (WalkFacts(until: end, keptIn: keeper), keeper)
    }

    /// Takes the zone that a time is written in for where it was walked; UTC says nothing of that.
    mutating func noteZone(_ offsetMinutes: Int64) {
        if offsetMinutes != 0 { facts.offsetMinutes = facts.offsetMinutes ?? offsetMinutes }
    }

    /// Ends the walk; the next point begins another.
    mutating func endWalk() {
        addMarks()
        leaveLap()
        if let last {
            facts.add(.ended, at: last)
            facts.add(sport, at: first)
        }
        (last, sport, pausedAt, stepMilliseconds, walked) = (nil, nil, nil, 0, nil)
    }

    /// Says that the walk was paused up to the next point: from the last one on, unless it is known
    /// since when.
    mutating func pause(at now: Int64? = nil) {
        pausedAt = pausedAt ?? now ?? last
    }

    /// Begins a lap.
    mutating func beginLap() {
        leaveLap()
        lap = Lap(
            told: EventBatch(keptIn: keeper), steps: stepMilliseconds / 60_000,
            active: activeMilliseconds)
    }

    /// Leaves a lap, if there is one, with the steps that are known.
    private mutating func leaveLap() {
        if let told = lap.take()?.told { facts.add(told) }
    }

    /// Ends a lap whose steps are told: they are spread evenly over the time that it took.
    mutating func endLap(steps: UInt64) {
        guard let lap, let end = lap.points.last else { return }
        facts.add(lap.told, butFor: .pedometerRead)
        let time = max(1, end.active - lap.active)
        for point in lap.points {
            let part = UInt128(point.active - lap.active) * UInt128(steps) / UInt128(time)
            let some = point.active == end.active ? steps : UInt64(part)
            facts.add(
                .walked(steps: lap.steps + some, distanceMillimetres: point.distance), at: point.at)
        }
        stepMilliseconds = (lap.steps + steps) * 60_000
        self.lap = nil
    }

    /// Sets a mark, no later than at the end of the walk, also in a pause.
    mutating func mark(_ text: String, at now: Int64) {
        guard marks.count < 1_000 else { return facts.leaveOut("marks") }
        marks.append((text.fitting(512), now))
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

    /// Adds a point.
    mutating func add(_ point: Point, at now: Int64) {
        guard facts.isPossible(now) else { return }
        if let pausedAt {
            tell(.paused, at: pausedAt)
            tell(.resumed, at: now)
        } else if last == nil {
            tell(.began, at: now)
            first = now
        }
        if let fix = point.fix { tell(.position(fix), at: now) }
        if let rate = point.heartRateBPM {
            tell(.heartRate(rate, rrTicks: point.rrTicks), at: now)
        }
        if let last, pausedAt == nil, now > last {
            let time = UInt64(min(now - last, Self.cadenceMilliseconds))
            stepMilliseconds += min(point.cadence ?? 0, 254) * 2 * time
            activeMilliseconds += UInt64(now - last)
        }
        let steps = point.steps ?? stepMilliseconds / 60_000
        if point.steps != nil || point.cadence != nil || point.distanceMillimetres != nil {
            let fact = WalkFacts.Fact.walked(
                steps: steps, distanceMillimetres: point.distanceMillimetres)
            if fact != walked || now - walkedAt >= Self.repetitionMilliseconds {
                tell(fact, at: now)
                walkedAt = now
            }
            walked = fact
        }
        if lap?.points.count == Self.lapLimit { leaveLap() }
        lap?.points.append((now, activeMilliseconds, point.distanceMillimetres))
        pausedAt = nil
        last = max(last ?? now, now)
        addMarks()
    }

    private mutating func tell(_ fact: WalkFacts.Fact, at wall: Int64) {
        guard lap != nil else { return facts.add(fact, at: wall) }
        if let refusal = lap?.told.add(fact, at: wall) ?? nil { facts.leaveOut(refusal) }
    }
}
