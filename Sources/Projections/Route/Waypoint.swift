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

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&milliseconds, &arrivedAt, &takenAtMilliseconds)
    }
}

/// Where and when a fix was.
struct Waypoint: StatePart, Hashable, Sendable {
    var place = Place()
    var time = FixTime()

    /// The square of the way from an earlier fix in square millimetres; nil if nobody comes so far
    /// in the time.
    func squaredWay(from earlier: Waypoint) -> UInt64? {
        guard let square = earlier.place.squaredMillimetres(to: place) else { return nil }
        let seconds = min(time.elapsed(since: earlier.time) / 1_000, 100_000)
        let farthest =
            seconds * Plausibility.millimetresPerSecond + Plausibility.marginMillimetres
        return square <= farthest * farthest ? square : nil
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&place, &time)
    }
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
