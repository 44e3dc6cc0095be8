/// How much a route went up and down.
///
/// A height to which nobody climbs from the last one in the time is set aside; where the next ones
/// agree with it, they count among themselves.
struct Climbs: StatePart, Hashable, Sendable {
    /// A height, and when it was.
    private struct Height: StatePart, Hashable, Sendable {
        var millimetres: Int64 = 0
        var time = FixTime()

        /// How far it is from an earlier one; nil if nobody climbs so far in the time.
        func climb(from earlier: Height) -> UInt64? {
            let climb = (millimetres - earlier.millimetres).magnitude
            let most = time.elapsed(since: earlier.time)
                .scaled(by: Plausibility.climbMillimetresPerSecond, over: 1_000)
            return climb <= most.plus(Plausibility.climbMarginMillimetres) ? climb : nil
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&millimetres, &time)
            try coder.require(millimetres.magnitude <= Climbs.greatestMillimetres)
        }
    }

    /// The least climb or descent that counts: 5 m.
    private static let leastMillimetres: Int64 = 5_000
    /// The greatest height in either direction that a what-if replay counts: 100 km.
    static let greatestMillimetres: UInt64 = 100_000_000

    /// What went up.
    private(set) var ascentMillimetres: UInt64 = 0
    /// What went down.
    private(set) var descentMillimetres: UInt64 = 0
    /// The height up to which climbs were counted.
    private var level: Int64?
    /// The last height that counts; of use where there is a level.
    private var last = Height()
    /// The last one that was set aside since.
    private var trial: Height?

    /// Whether a height is where somebody can stand.
    static func isCredible(_ altitude: Int64, _ rules: Rules) -> Bool {
        rules.countImplausible
            ? altitude.magnitude <= greatestMillimetres
            : Plausibility.altitudeMillimetres.contains(altitude)
    }

    /// Forgets what only a next height would need.
    mutating func close() {
        breakOff()
        last = Height()
    }

    /// What comes next does not continue from here.
    mutating func breakOff() {
        level = nil
        trial = nil
    }

    /// Takes a height that is credible.
    ///
    /// - Returns: Whether it is set aside.
    mutating func take(_ altitude: Int64, at time: FixTime, _ rules: Rules) -> Bool {
        let here = Height(millimetres: altitude, time: time)
        if level != nil, !rules.countImplausible {
            let climb = here.climb(from: last)
            if let trial, let other = here.climb(from: trial), other < climb ?? .max {
                level = trial.millimetres
            } else if climb == nil {
                trial = here
                return true
            }
        }
        trial = nil
        last = here
        let from = level ?? altitude
        let rise = altitude - from
        if rise >= Self.leastMillimetres { ascentMillimetres.add(rise.magnitude) }
        if rise <= -Self.leastMillimetres { descentMillimetres.add(rise.magnitude) }
        if level == nil || rise.magnitude >= Self.leastMillimetres { level = altitude }
        return false
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&ascentMillimetres, &descentMillimetres, &level, &last, &trial)
        try coder.require((level ?? 0).magnitude <= Self.greatestMillimetres)
    }
}
