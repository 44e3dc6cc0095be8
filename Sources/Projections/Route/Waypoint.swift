/// When a fix was.
struct FixTime: StatePart, Hashable, Sendable {
    /// The fold time at which it was taken, as far as that is known, else at which it came.
    var milliseconds: UInt64 = 0
    /// The fold time at which it came.
    var arrivedAt: UInt64 = 0
    /// When it was taken by its source's own clock; nil where that is not credible.
    var takenAtMilliseconds: Int64?

    /// How long after an earlier fix it was: by their own time where both have one and it goes on,
    /// else by when they came.
    func elapsed(since earlier: FixTime) -> UInt64 {
        if let taken = takenAtMilliseconds, let before = earlier.takenAtMilliseconds,
            taken > before
        {
            return UInt64(bitPattern: taken &- before)
        }
        return arrivedAt.minus(earlier.arrivedAt)
    }

    /// Whether the two arrived about as far apart as they were taken, by a clock that went on.
    func isPaced(after earlier: FixTime) -> Bool {
        guard takenAtMilliseconds != nil, earlier.takenAtMilliseconds != nil,
            !isBackdated(since: earlier)
        else { return false }
        let (arrived, passed) = (arrivedAt.minus(earlier.arrivedAt), elapsed(since: earlier))
        return arrived >= passed - passed / 4 && passed >= arrived - arrived / 4
    }

    /// Whether it was not taken after an earlier one, by their own times.
    func isBackdated(since earlier: FixTime) -> Bool {
        guard let taken = takenAtMilliseconds, let before = earlier.takenAtMilliseconds else {
            return false
        }
        return taken <= before
    }

    /// Whether it came within 10 s of an earlier one.
    func isSoon(after earlier: FixTime) -> Bool {
        arrivedAt.minus(earlier.arrivedAt) < Route.trialMilliseconds
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&milliseconds, &arrivedAt, &takenAtMilliseconds)
    }
}

/// Where and when a fix was.
struct Waypoint: StatePart, Hashable, Sendable {
    var place = Place()
    var time = FixTime()
    /// How much farther somebody may come from here than the greatest speed allows, in millimetres.
    ///
    /// Fixes come late, and waver. What one of them takes of it the next ones do not have.
    var reserve: UInt64 = 0

    /// The way from an earlier fix; nil if nobody comes so far in the time.
    func way(from earlier: Waypoint, _ rules: Rules) -> Way? {
        guard let square = earlier.place.squaredMillimetres(to: place) else { return nil }
        let passed = min(time.elapsed(since: earlier.time), 100_000_000)
        let most = Plausibility.marginMillimetres
        let speed = Plausibility.millimetresPerSecond
        if rules.countImplausible {
            let farthest = passed / 1_000 * speed + most
            return square <= farthest * farthest ? Way(squared: square, reserve: most) : nil
        }
        let farthest = passed * speed / 1_000 + earlier.reserve
        guard square <= farthest * farthest else { return nil }
        // Nearly always all of it is left, which takes no root to see.
        let rest = farthest.minus(most)
        let isFull = farthest >= most && square <= rest * rest
        return Way(
            squared: square, reserve: isFull ? most : min(most, farthest.minus(square.squareRoot)))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&place, &time, &reserve)
        try coder.require(reserve <= Plausibility.marginMillimetres)
    }
}

/// A way that somebody can have come.
struct Way {
    /// Its square in square millimetres.
    let squared: UInt64
    /// The reserve that is left at its end.
    let reserve: UInt64
}

/// Fixes on trial: nobody can have come to them from those that count, but from one to the next.
struct RouteTrial: StatePart, Hashable, Sendable {
    /// The first of them.
    private(set) var first = Waypoint()
    /// The height of the first, where it has one.
    private(set) var altitudeMillimetres: Int64?
    /// The last of them.
    var last = Waypoint()
    /// How many they are.
    var fixes: UInt64 = 1
    /// Whether a pause began after them, through which no stretch leads.
    var isBroken = false

    init() {}

    init(_ first: Waypoint, altitudeMillimetres: Int64?) {
        (self.first, last) = (first, first)
        self.altitudeMillimetres = altitudeMillimetres
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&first, &altitudeMillimetres, &last, &fixes, &isBroken)
        try coder.require((altitudeMillimetres ?? 0).magnitude <= Climbs.greatestMillimetres)
    }
}
