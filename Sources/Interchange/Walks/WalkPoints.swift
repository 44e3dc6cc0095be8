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

    /// For so long at most a cadence counts.
    private static let cadenceMilliseconds: Int64 = 10_000

    var facts = WalkFacts()
    /// What it is; nil for a walk.
    var sport: WalkSport?
    /// The last moment of the walk; nil before its first.
    private(set) var last: Int64?
    private var comesAfterPause = false
    /// Steps times minutes in milliseconds.
    private var stepMilliseconds: UInt64 = 0
    private var walked: WalkFacts.Fact?
    /// Marks after the last point.
    private var marks: [(text: String, at: Int64)] = []

    /// Ends the walk; the next point begins another.
    mutating func endWalk() {
        addMarks()
        if let last {
            facts.add(.ended, at: last)
            facts.add(sport, at: last)
        }
        (last, sport, comesAfterPause, stepMilliseconds, walked) = (nil, nil, false, 0, nil)
    }

    /// Says that the walk was paused up to the next point.
    mutating func pause() {
        comesAfterPause = last != nil
    }

    /// Sets a mark, no later than at the end of the walk, also in a pause.
    mutating func mark(_ text: String, at now: Int64) {
        guard marks.count < 1_000 else { return facts.leaveOut("marks") }
        marks.append((text, now))
    }

    private mutating func addMarks() {
        if let last { for mark in marks { facts.add(.mark(mark.text), at: min(mark.at, last)) } }
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
        if let last, comesAfterPause {
            facts.add(.paused, at: last)
            facts.add(.resumed, at: now)
        } else if last == nil {
            facts.add(.began, at: now)
        }
        if let fix = point.fix { facts.add(.position(fix), at: now) }
        if let rate = point.heartRateBPM {
            facts.add(.heartRate(rate, rrTicks: point.rrTicks), at: now)
        }
        if let cadence = point.cadence, let last, !comesAfterPause, now > last {
            let time = UInt64(min(now - last, Self.cadenceMilliseconds))
            stepMilliseconds += min(cadence, 254) * 2 * time
        }
        let steps = point.steps ?? stepMilliseconds / 60_000
        if point.steps != nil || point.cadence != nil || point.distanceMillimetres != nil {
            let fact = WalkFacts.Fact.walked(
                steps: steps, distanceMillimetres: point.distanceMillimetres)
            if fact != walked { facts.add(fact, at: now) }
            walked = fact
        }
        comesAfterPause = false
        last = max(last ?? now, now)
        addMarks()
    }
}
