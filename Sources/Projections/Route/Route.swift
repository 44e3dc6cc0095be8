import Events

/// What the fixes of a session add up to: constant in size, however long it lasts.
///
/// The fixes of a receiver that stands still wander by metres. So a stretch counts once it is
/// longer than that, from the fix up to which the distance was counted (the anchor), and a climb in
/// the same manner. None leads through a pause or a jump.
///
/// A fix to which nobody can have come from the last one is on trial, and counts once others agree
/// with it: the next one where a stretch begins; else it takes ``trialMilliseconds``.
public struct Route: StatePart, Hashable, Sendable {
    /// A fix whose error is given and greater than this does not count: 50 m.
    public static let greatestErrorMillimetres: UInt64 = 50_000
    /// The shortest stretch that counts: 5 m, or half of a fix's error if that is more.
    static let shortestStretchMillimetres: UInt64 = 5_000
    /// For how long fixes that agree with each other only are on trial amid a stretch: 10 s.
    static let trialMilliseconds: UInt64 = 10_000

    /// A stretch that counts.
    struct Stretch {
        let millimetres: UInt64
        /// When it began and ended.
        let from: UInt64
        let to: UInt64

        /// Its part after a time, as if it had been covered evenly.
        func millimetres(after time: UInt64) -> UInt64 {
            guard to > time else { return 0 }
            guard from < time else { return millimetres }
            return millimetres.scaled(by: to - time, over: to - from)
        }
    }

    /// Fixes that count.
    public private(set) var fixes: UInt64 = 0
    /// Breaks in the route where somebody seems to have jumped.
    public private(set) var jumps: UInt64 = 0
    /// The length of the stretches.
    public private(set) var distanceMillimetres: UInt64 = 0
    /// Heights that were set aside.
    public private(set) var excludedHeights: UInt64 = 0
    /// Fixes that do not count, but for those on trial.
    private var rejectedFixes: UInt64 = 0
    /// The fix up to which the distance was counted; nil where a new stretch begins.
    private var anchor: Waypoint?
    /// The last fix that counts.
    private(set) var last: Waypoint?
    /// Those after it that nobody can have reached from it.
    private(set) var trial: RouteTrial?
    private var climbs = Climbs()
    /// When the last fix was determined, by its source.
    private var lastFixAtMilliseconds: Int64?

    /// Fixes that do not count: their error is too great, they came before, or no other one
    /// agrees with them so far.
    public var excludedFixes: UInt64 { rejectedFixes.plus(trial?.fixes ?? 0) }
    /// How much of it went up.
    public var ascentMillimetres: UInt64 { climbs.ascentMillimetres }
    /// How much of it went down.
    public var descentMillimetres: UInt64 { climbs.descentMillimetres }

    /// Whether no fix came.
    public var isEmpty: Bool { fixes == 0 && excludedFixes == 0 }

    /// Whether the next fix begins a stretch.
    var isBroken: Bool { anchor == nil }

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix, somewhere on Earth.
    ///   - place: Where it was.
    ///   - time: When it was.
    ///   - rules: Whether everything counts.
    /// - Returns: The stretch that it ends, or nil.
    mutating func receive(
        _ fix: PositionFixed, _ place: Place, at time: FixTime, _ rules: Rules
    ) -> Stretch? {
        let error = fix.accuracyMillimetres ?? 0
        guard error <= Self.greatestErrorMillimetres, isNew(fix),
            place != .nowhere || rules.countImplausible
        else {
            rejectedFixes.add(1)
            return nil
        }
        lastFixAtMilliseconds = fix.fixedAtMilliseconds ?? lastFixAtMilliseconds
        var altitude = fix.altitudeMillimetres
        if let height = altitude, !Climbs.isCredible(height, rules) {
            excludedHeights.add(1)
            altitude = nil
        }
        let here = Waypoint(place: place, time: time)
        let way = last.flatMap { here.squaredWay(from: $0) }
        guard follow(here, way, altitude, rules) else { return nil }
        let isFromAnchor = anchor?.place == last?.place
        fixes.add(1)
        last = here
        if let altitude, climbs.take(altitude, at: time, rules) { excludedHeights.add(1) }
        return measure(to: here, isFromAnchor ? way : nil, error)
    }

    /// What comes next does not continue from here.
    mutating func breakOff() {
        anchor = nil
        trial?.isBroken = true
        climbs.breakOff()
    }

    /// Finds what a fix continues from: the last one, those on trial if nearer, or neither.
    ///
    /// - Returns: Whether it counts.
    private mutating func follow(
        _ here: Waypoint, _ way: UInt64?, _ altitude: Int64?, _ rules: Rules
    ) -> Bool {
        if var tried = trial, let other = here.squaredWay(from: tried.last), other < way ?? .max {
            let passed = here.time.elapsed(since: tried.first.time)
            guard anchor == nil || passed >= Self.trialMilliseconds else {
                tried.last = here
                tried.fixes.add(1)
                trial = tried
                return false
            }
            takeOver(tried, rules)
            return true
        }
        rejectedFixes = excludedFixes
        trial = nil
        if way != nil { return true }
        guard rules.countImplausible else {
            trial = RouteTrial(here, altitudeMillimetres: altitude)
            return false
        }
        jump()
        return true
    }

    /// Those that were on trial count, and the route continues from the first of them.
    private mutating func takeOver(_ tried: RouteTrial, _ rules: Rules) {
        trial = nil
        jump()
        fixes.add(tried.fixes)
        guard !tried.isBroken else { return }
        anchor = tried.first
        guard let altitude = tried.altitudeMillimetres else { return }
        _ = climbs.take(altitude, at: tried.first.time, rules)
    }

    private mutating func jump() {
        if anchor != nil { jumps.add(1) }
        breakOff()
    }

    /// Counts the stretch from the anchor to a fix, if it is long enough; the square of its length
    /// may be known.
    private mutating func measure(
        to here: Waypoint, _ known: UInt64?, _ error: UInt64
    ) -> Stretch? {
        guard let start = anchor,
            let square = known ?? start.place.squaredMillimetres(to: here.place)
        else {
            anchor = here
            return nil
        }
        let shortest = max(Self.shortestStretchMillimetres, error / 2)
        guard square >= shortest * shortest else { return nil }
        let stretch = square.squareRoot
        distanceMillimetres.add(stretch)
        anchor = here
        return Stretch(
            millimetres: stretch, from: start.time.milliseconds, to: here.time.milliseconds)
    }

    /// Some receivers' programs report each fix twice.
    private func isNew(_ fix: PositionFixed) -> Bool {
        fix.fixedAtMilliseconds == nil || fix.fixedAtMilliseconds != lastFixAtMilliseconds
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&fixes, &rejectedFixes, &jumps, &distanceMillimetres, &excludedHeights, &climbs)
        try coder(&anchor, &last, &trial, &lastFixAtMilliseconds)
    }
}
