import Events

/// What the fixes of a session add up to: constant in size, however long it lasts.
///
/// ``RouteLength`` measures how long a stretch is, and ``Climbs`` how high. None leads through a
/// pause or a jump.
///
/// A fix to which nobody can have come from the last one is on trial, and counts once others agree
/// with it: the next one where a stretch begins; else it takes ``trialMilliseconds``.
package struct Route: StatePart, Hashable, Sendable {
    /// A fix whose error is given and greater than this does not count: 50 m.
    package static let greatestErrorMillimetres: UInt64 = 50_000
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
            guard from < time else { return millimetres }
            guard to > time else { return 0 }
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
    /// Whether the next fix begins a stretch.
    private(set) var isBroken = true
    /// What measures the stretch that goes on.
    private var length = Slot<RouteLength>()
    /// The last fix that counts.
    private(set) var last: Waypoint?
    /// Those after it that nobody can have reached from it.
    private(set) var trial = Slot<RouteTrial>()
    /// The one that came last, of those that count and those on trial.
    var newest: Waypoint? { trial.optional?.last ?? last }
    private var climbs = Climbs()
    /// When the last fix was determined, by its source.
    private var lastFixAtMilliseconds: Int64?

    /// Fixes that do not count: their error is too great, they came before, or no other one
    /// agrees with them so far.
    package var excludedFixes: UInt64 { rejectedFixes.plus(trial.isEmpty ? 0 : trial.value.fixes) }
    /// Whether any height counts; without one nothing is known of its climb.
    package var hasHeights: Bool { climbs.hasHeights }
    /// How much of it went up.
    package var ascentMillimetres: UInt64 { climbs.run.ascentMillimetres }
    /// How much of it went down.
    package var descentMillimetres: UInt64 { climbs.run.descentMillimetres }

    /// Whether no fix came.
    package var isEmpty: Bool { fixes == 0 && excludedFixes == 0 }

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix, somewhere on Earth.
    ///   - place: Where it was.
    ///   - time: When it was.
    ///   - rules: Whether everything counts.
    ///   - effects: What it does.
    /// - Returns: The stretch up to it or to an earlier one that was not returned so far, or nil.
    mutating func receive(
        _ fix: PositionFixed, _ place: Place, at time: FixTime, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Stretch? {
        let all = fixes.plus(excludedFixes)
        defer { assert(fixes.plus(excludedFixes) == all.plus(1), "A fix counts, or does not.") }
        guard !fix.isInexact, isNew(fix), !isBackdated(time),
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
        var rest: Stretch?
        guard follow(&here, way, altitude, rules, &rest, &effects) else {
            effects.note { $0.session.fix = (true, trial.value.fixes == 1, altitude) }
            return nil
        }
        fixes.add(1)
        let before = isBroken ? nil : last
        last = here
        if let height = altitude, climbs.take(height, at: time, rules) {
            excludedHeights.add(1)
            altitude = nil
        }
        effects.note { $0.session.fix = (false, isBroken, altitude) }
        return measure(from: before, to: here, fix, rules) ?? rest
    }

    /// Takes the vertical error of the fixes that come.
    mutating func tell(heightErrorMillimetres: UInt64) {
        climbs.tell(errorMillimetres: heightErrorMillimetres)
    }

    /// Forgets what only a next fix would need.
    ///
    /// - Returns: What of the way was not returned so far, or nil.
    mutating func close(_ rules: Rules) -> Stretch? {
        let rest = breakOff(rules)
        rejectedFixes = excludedFixes
        (trial.optional, last, lastFixAtMilliseconds) = (nil, nil, nil)
        climbs.close()
        return rest
    }

    /// Returns what of the way was held back so far; what comes continues from there.
    mutating func flush() -> Stretch? { length.isEmpty ? nil : count(length.value.flush()) }

    /// What comes next does not continue from here.
    ///
    /// - Returns: What of the way was not returned so far, or nil.
    mutating func breakOff(_ rules: Rules) -> Stretch? {
        defer { (length.optional, isBroken) = (nil, true) }
        if !trial.isEmpty { trial.value.isBroken = true }
        climbs.breakOff(rules)
        return length.isEmpty ? nil : count(length.value.end())
    }

    /// What comes next continues from the last fix, although the route was broken off there.
    mutating func rejoin(_ rules: Rules) {
        if let last, isBroken, trial.isEmpty { begin(at: last, rules) }
    }

    /// Finds what a fix continues from: the last one, those on trial if nearer, or neither.
    ///
    /// - Returns: Whether it counts.
    private mutating func follow(
        _ here: inout Waypoint, _ way: Way?, _ altitude: Int64?, _ rules: Rules,
        _ rest: inout Stretch?, _ effects: inout some EffectSink
    ) -> Bool {
        here.reserve = way?.reserve ?? 0
        // Nearly always: nothing is on trial, and nothing has to be.
        if trial.isEmpty, way != nil { return true }
        if !trial.isEmpty, let other = here.way(from: trial.value.last, rules),
            other.squared < way?.squared ?? .max
        {
            here.reserve = other.reserve
            let passed = here.time.elapsed(since: trial.value.first.time)
            guard isBroken || passed >= Self.trialMilliseconds else {
                trial.value.last = here
                trial.value.fixes.add(1)
                return false
            }
            effects.note { $0.session.provenFixes = trial.value.fixes }
            rest = takeOver(trial.value, rules)
            return true
        }
        rejectedFixes = excludedFixes
        trial.optional = nil
        if way != nil { return true }
        guard rules.countImplausible else {
            trial.optional = RouteTrial(here, altitudeMillimetres: altitude)
            return false
        }
        rest = jump(rules)
        return true
    }

    /// Those that were on trial count, and the route continues from the first of them.
    private mutating func takeOver(_ tried: RouteTrial, _ rules: Rules) -> Stretch? {
        trial.optional = nil
        let rest = jump(rules)
        fixes.add(tried.fixes)
        guard !tried.isBroken else { return rest }
        last = tried.first
        begin(at: tried.first, rules)
        if let altitude = tried.altitudeMillimetres {
            _ = climbs.take(altitude, at: tried.first.time, rules)
        }
        return rest
    }

    private mutating func jump(_ rules: Rules) -> Stretch? {
        if !isBroken { jumps.add(1) }
        return breakOff(rules)
    }

    private mutating func begin(at here: Waypoint, _ rules: Rules) {
        isBroken = false
        if rules.smoothWay { length.optional = RouteLength(here.time) }
    }

    /// Counts what is known of the way up to a fix.
    private mutating func measure(
        from before: Waypoint?, to here: Waypoint, _ fix: PositionFixed, _ rules: Rules
    ) -> Stretch? {
        guard let before else {
            begin(at: here, rules)
            return nil
        }
        guard !rules.smoothWay else {
            return count(length.value.take(fix, at: here.place, here.time, from: before))
        }
        let square = before.place.squaredMillimetres(to: here.place) ?? 0
        return count(
            Stretch(
                millimetres: square.squareRoot, from: before.time.milliseconds,
                to: here.time.milliseconds))
    }

    private mutating func count(_ stretch: Stretch?) -> Stretch? {
        distanceMillimetres.add(stretch?.millimetres ?? 0)
        return stretch
    }

    /// Some receivers' programs report each fix twice.
    private func isNew(_ fix: PositionFixed) -> Bool {
        fix.fixedAtMilliseconds == nil || fix.fixedAtMilliseconds != lastFixAtMilliseconds
    }

    /// A backlog may come after the first live fix, and a second source may have another clock: a
    /// fix that was taken before the one that has just come does not count.
    private func isBackdated(_ time: FixTime) -> Bool {
        guard let last = newest?.time else { return false }
        return time.isBackdated(since: last) && time.isSoon(after: last)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&fixes, &rejectedFixes, &jumps, &distanceMillimetres, &excludedHeights, &climbs)
        try coder(&isBroken, &length, &last, &trial, &lastFixAtMilliseconds)
        try coder.require(isBroken ? length.isEmpty : last != nil)
    }
}
