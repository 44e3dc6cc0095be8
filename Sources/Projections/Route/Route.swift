import Events

/// What the fixes of a session add up to: constant in size, however long it lasts.
///
/// The fixes of a receiver that stands still wander by metres. So a stretch counts once it is
/// longer than that, from the fix up to which the distance was counted (the anchor), and a climb in
/// the same manner. One that is short counts only while somebody walks: soon, and by several fixes.
/// None leads through a pause or a jump.
///
/// A fix to which nobody can have come from the last one is on trial, and counts once others agree
/// with it: the next one where a stretch begins; else it takes ``trialMilliseconds``.
package struct Route: StatePart, Hashable, Sendable {
    /// A fix whose error is given and greater than this does not count: 50 m.
    package static let greatestErrorMillimetres: UInt64 = 50_000
    /// The shortest stretch that counts by one fix: 10 m, or half of its error if that is more.
    static let shortestStretchMillimetres: UInt64 = 10_000
    /// The shortest one that counts by several fixes in a row: 5 m, or half of their error.
    static let shortStretchMillimetres: UInt64 = 5_000
    /// How many these are.
    static let shortStretchFixes: UInt64 = 2
    /// How long after the anchor they come at most; whoever takes longer stands still: 10 s.
    static let shortStretchMilliseconds: UInt64 = 10_000
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
    package private(set) var fixes: UInt64 = 0
    /// Breaks in the route where somebody seems to have jumped.
    package private(set) var jumps: UInt64 = 0
    /// The length of the stretches.
    package private(set) var distanceMillimetres: UInt64 = 0
    /// Heights that were set aside.
    package private(set) var excludedHeights: UInt64 = 0
    /// Fixes that do not count, but for those on trial.
    private var rejectedFixes: UInt64 = 0
    /// The fix up to which the distance was counted; nil where a new stretch begins.
    private var anchor: Waypoint?
    /// How many fixes in a row are a short stretch away from the anchor.
    private var fixesAway: UInt64 = 0
    /// The last fix that counts.
    private(set) var last: Waypoint?
    /// Those after it that nobody can have reached from it.
    private(set) var trial = Slot<RouteTrial>()
    private var climbs = Climbs()
    /// When the last fix was determined, by its source.
    private var lastFixAtMilliseconds: Int64?

    /// Fixes that do not count: their error is too great, they came before, or no other one
    /// agrees with them so far.
    package var excludedFixes: UInt64 { rejectedFixes.plus(trial.isEmpty ? 0 : trial.value.fixes) }
    /// How much of it went up.
    package var ascentMillimetres: UInt64 { climbs.ascentMillimetres }
    /// How much of it went down.
    package var descentMillimetres: UInt64 { climbs.descentMillimetres }

    /// Whether no fix came.
    package var isEmpty: Bool { fixes == 0 && excludedFixes == 0 }

    /// Whether the next fix begins a stretch.
    var isBroken: Bool { anchor == nil }

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix, somewhere on Earth.
    ///   - place: Where it was.
    ///   - time: When it was.
    ///   - rules: Whether everything counts.
    ///   - effects: What it does.
    /// - Returns: The stretch that it ends, or nil.
    mutating func receive(
        _ fix: PositionFixed, _ place: Place, at time: FixTime, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Stretch? {
        let before = fixes.plus(excludedFixes)
        defer { assert(fixes.plus(excludedFixes) == before.plus(1), "A fix counts, or does not.") }
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
        var here = Waypoint(place: place, time: time)
        let way = last.flatMap { here.way(from: $0, rules) }
        guard follow(&here, way, altitude, rules, &effects) else {
            effects.note { $0.session.fix = (true, trial.value.fixes == 1, altitude) }
            return nil
        }
        let isFromAnchor = anchor?.place == last?.place
        fixes.add(1)
        last = here
        if let height = altitude, climbs.take(height, at: time, rules) {
            excludedHeights.add(1)
            altitude = nil
        }
        effects.note { $0.session.fix = (false, isBroken, altitude) }
        return measure(to: here, isFromAnchor ? way?.squared : nil, error, rules)
    }

    /// Forgets what only a next fix would need.
    mutating func close() -> Stretch? {
        rejectedFixes = excludedFixes
        (trial.optional, last, lastFixAtMilliseconds) = (nil, nil, nil)
        setAnchor(nil)
        climbs.close()
        return nil
    }

    /// What of the way was held back so far.
    mutating func flush() -> Stretch? { nil }

    /// What comes next does not continue from here.
    @discardableResult
    mutating func breakOff() -> Stretch? {
        setAnchor(nil)
        if !trial.isEmpty { trial.value.isBroken = true }
        climbs.breakOff()
        return nil
    }

    /// Finds what a fix continues from: the last one, those on trial if nearer, or neither.
    ///
    /// - Returns: Whether it counts.
    private mutating func follow(
        _ here: inout Waypoint, _ way: Way?, _ altitude: Int64?, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Bool {
        here.reserve = way?.reserve ?? 0
        // Nearly always: nothing is on trial, and nothing has to be.
        if trial.isEmpty, way != nil { return true }
        if !trial.isEmpty, let other = here.way(from: trial.value.last, rules),
            other.squared < way?.squared ?? .max
        {
            here.reserve = other.reserve
            let passed = here.time.elapsed(since: trial.value.first.time)
            guard anchor == nil || passed >= Self.trialMilliseconds else {
                trial.value.last = here
                trial.value.fixes.add(1)
                return false
            }
            effects.note { $0.session.provenFixes = trial.value.fixes }
            takeOver(trial.value, rules)
            return true
        }
        rejectedFixes = excludedFixes
        trial.optional = nil
        if way != nil { return true }
        guard rules.countImplausible else {
            trial.optional = RouteTrial(here, altitudeMillimetres: altitude)
            return false
        }
        jump()
        return true
    }

    /// Those that were on trial count, and the route continues from the first of them.
    private mutating func takeOver(_ tried: RouteTrial, _ rules: Rules) {
        trial.optional = nil
        jump()
        fixes.add(tried.fixes)
        guard !tried.isBroken else { return }
        setAnchor(tried.first)
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
        to here: Waypoint, _ known: UInt64?, _ error: UInt64, _ rules: Rules
    ) -> Stretch? {
        guard let start = anchor,
            let square = known ?? start.place.squaredMillimetres(to: here.place)
        else {
            setAnchor(here)
            return nil
        }
        let short = max(Self.shortStretchMillimetres, error / 2)
        guard square >= short * short else {
            fixesAway = 0
            return nil
        }
        fixesAway.add(1)
        let isSoon = here.time.elapsed(since: start.time) <= Self.shortStretchMilliseconds
        let shortest = max(Self.shortestStretchMillimetres, error / 2)
        let isLong = square >= shortest * shortest
        let isWalk = isSoon && fixesAway >= Self.shortStretchFixes
        guard isLong || isWalk || rules.countImplausible else { return nil }
        let stretch = square.squareRoot
        distanceMillimetres.add(stretch)
        setAnchor(here)
        return Stretch(
            millimetres: stretch, from: start.time.milliseconds, to: here.time.milliseconds)
    }

    private mutating func setAnchor(_ waypoint: Waypoint?) {
        anchor = waypoint
        fixesAway = 0
    }

    /// Some receivers' programs report each fix twice.
    private func isNew(_ fix: PositionFixed) -> Bool {
        fix.fixedAtMilliseconds == nil || fix.fixedAtMilliseconds != lastFixAtMilliseconds
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&fixes, &rejectedFixes, &jumps, &distanceMillimetres, &excludedHeights, &climbs)
        try coder(&anchor, &fixesAway, &last, &trial, &lastFixAtMilliseconds)
    }
}
