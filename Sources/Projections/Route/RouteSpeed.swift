/// The way by the speeds that a receiver gives, and whether they are believed.
///
/// A receiver measures them by the Doppler shift, to some 0.1 m/s: they know a circle of few metres
/// and a walker who stands. Some give 0 for ever, or another unit.
struct RouteSpeed: StatePart, Hashable, Sendable {
    /// Whether they give the way.
    private(set) var isBelieved = false
    /// The ways since the last comparison in millimetres: by places, by speeds, from knot to knot.
    private var byPlaces: UInt64 = 0
    private var bySpeeds: UInt64 = 0
    private var byKnots: UInt64 = 0
    private var milliseconds: UInt64 = 0
    /// What was counted by a speed that was too great.
    private var excess: UInt64 = 0

    init() {}

    init(isBelieved: Bool) { self.isBelieved = isBelieved }

    /// Takes a way by the places, and returns what of it counts.
    mutating func take(_ way: UInt64) -> UInt64 {
        byPlaces.add(way)
        guard !isBelieved else { return 0 }
        defer { excess = excess.minus(way) }
        return way.minus(excess)
    }

    /// Takes the last of the knots, and whether it is far from the one before; returns what of the
    /// way counts.
    mutating func take(_ knots: [RouteKnot], isFar: Bool) -> UInt64 {
        guard knots.count > 1, let last = knots.last else {
            isBelieved = knots.last?.speed != nil
            return 0
        }
        let before = knots[knots.count - 2]
        let (passed, way) = (last.at - before.at, before.squared(to: last).squareRoot)
        byKnots.add(way)
        milliseconds.add(passed)
        guard let from = before.speed, let to = last.speed else {
            (isBelieved, bySpeeds) = (false, 0)
            return 0
        }
        // Nobody knows the speed for longer than 15 s.
        let counted =
            passed > 15_000 ? isFar ? way : 0 : isMoving(knots) ? (from + to) * passed / 2_000 : 0
        bySpeeds.add(counted)
        return isBelieved ? doubt(counted) : trust()
    }

    /// Whether the mean speed of 7 knots is 0.33 m/s at least.
    private func isMoving(_ knots: [RouteKnot]) -> Bool {
        var (sum, count): (UInt64, UInt64) = (0, 0)
        for knot in knots.suffix(7).reversed() {
            guard let speed = knot.speed else { break }
            (sum, count) = (sum + speed, count + 1)
        }
        return sum >= count * 330
    }

    /// Believes no speeds that are far below the way by places, or far above that from knot to
    /// knot, which noise only makes longer.
    private mutating func doubt(_ counted: UInt64) -> UInt64 {
        let (places, speeds, excess) = (byPlaces, bySpeeds, excess)
        let isTooLow = places > speeds * 3 / 2 + 60_000
        guard isTooLow || speeds > 2 * byKnots + 15_000 else {
            if milliseconds > 120_000 { self = RouteSpeed(isBelieved: true) }
            return counted
        }
        self = RouteSpeed()
        self.excess = excess.plus(speeds.minus(places))
        return counted.plus(places.minus(speeds))
    }

    /// Believes speeds again that agree with the places for a minute and 40 m.
    private mutating func trust() -> UInt64 {
        guard milliseconds > 60_000 else { return 0 }
        let (low, high, excess) = (min(byPlaces, bySpeeds), max(byPlaces, bySpeeds), excess)
        self = RouteSpeed(isBelieved: low * 3 > high * 2 && byPlaces > 40_000)
        self.excess = excess
        return 0
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&isBelieved, &byPlaces, &bySpeeds, &byKnots, &milliseconds, &excess)
    }
}
