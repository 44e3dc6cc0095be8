import Events

/// What the fixes of a session add up to: constant in size, however long it lasts.
///
/// The fixes of a receiver that stands still wander by metres. So a stretch counts once it is
/// longer than that, from the fix up to which the distance was counted (the anchor), and a climb in
/// the same manner. None leads through a pause or a jump.
public struct Route: StatePart, Hashable, Sendable {
    /// A fix whose error is told and greater than this does not count: 50 m.
    public static let greatestErrorMillimetres: UInt64 = 50_000
    /// The shortest stretch that counts: 5 m, or half of a fix's error if that is more.
    static let shortestStretchMillimetres: UInt64 = 5_000
    /// A fix that would have needed more than this is not believed: 15 m/s.
    static let greatestMillimetresPerSecond: UInt64 = 15_000
    /// The least climb or descent that counts: 5 m.
    static let leastClimbMillimetres: Int64 = 5_000
    /// The greatest height that is believed, in either direction: 100 km.
    private static let greatestAltitudeMillimetres: UInt64 = 100_000_000

    /// Fixes that count.
    public private(set) var fixes: UInt64 = 0
    /// Fixes that do not: their error is too great, or they were told before.
    public private(set) var excludedFixes: UInt64 = 0
    /// Breaks in the route where somebody seems to have jumped.
    public private(set) var jumps: UInt64 = 0
    /// The length of the stretches.
    public private(set) var distanceMillimetres: UInt64 = 0
    /// How much of it went up.
    public private(set) var ascentMillimetres: UInt64 = 0
    /// How much of it went down.
    public private(set) var descentMillimetres: UInt64 = 0
    /// Where the fix was up to which the distance was counted; nil where a stretch begins anew.
    private var anchor: Place?
    /// Where the last fix was, and when it came; of use where there is an anchor.
    private var lastPlace = Place()
    private var lastMilliseconds: UInt64 = 0
    /// The height up to which climbs were counted.
    private var level: Int64?
    /// When the last fix was determined, by its source.
    private var lastFixAtMilliseconds: Int64?

    init() {}

    /// Whether no fix came.
    public var isEmpty: Bool { fixes == 0 && excludedFixes == 0 }

    /// Whether the next fix begins a stretch.
    var isBroken: Bool { anchor == nil }

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - fix: The fix, somewhere on Earth.
    ///   - place: Where it was.
    ///   - now: The fold time.
    /// - Returns: By how much ``distanceMillimetres`` grew.
    mutating func receive(_ fix: PositionFixed, _ place: Place, at now: UInt64) -> UInt64 {
        let error = fix.accuracyMillimetres ?? 0
        guard error <= Self.greatestErrorMillimetres, isNew(fix) else {
            excludedFixes.add(1)
            return 0
        }
        lastFixAtMilliseconds = fix.fixedAtMilliseconds ?? lastFixAtMilliseconds
        fixes.add(1)
        defer { climb(to: fix.altitudeMillimetres) }
        defer { (lastPlace, lastMilliseconds) = (place, now) }
        guard let square = anchor?.squaredMillimetres(to: place),
            isWalkable(to: place, by: now, square: anchor == lastPlace ? square : nil)
        else {
            if anchor != nil { jumps.add(1) }
            anchor = place
            level = nil
            return 0
        }
        let shortest = max(Self.shortestStretchMillimetres, error / 2)
        guard square >= shortest * shortest else { return 0 }
        let stretch = square.squareRoot
        distanceMillimetres.add(stretch)
        anchor = place
        return stretch
    }

    /// What comes next does not go on from here.
    mutating func breakOff() {
        anchor = nil
        level = nil
    }

    /// Whether somebody can have come from the last fix by a time, over a distance whose square is
    /// already known or not.
    private func isWalkable(to place: Place, by now: UInt64, square known: UInt64?) -> Bool {
        guard let square = known ?? lastPlace.squaredMillimetres(to: place) else { return false }
        // Up to two seconds more than have passed, for fixes come late.
        let seconds = min(now.minus(lastMilliseconds) / 1_000 + 2, 100_000)
        let farthest = seconds * Self.greatestMillimetresPerSecond
        return square <= farthest * farthest
    }

    /// Some receivers' programs tell each fix twice.
    private func isNew(_ fix: PositionFixed) -> Bool {
        fix.fixedAtMilliseconds == nil || fix.fixedAtMilliseconds != lastFixAtMilliseconds
    }

    /// Whether a height is within 100 km in either direction.
    static func isBelievable(_ altitude: Int64) -> Bool {
        altitude.magnitude <= greatestAltitudeMillimetres
    }

    private mutating func climb(to altitude: Int64?) {
        guard let altitude, Self.isBelievable(altitude) else { return }
        let from = level ?? altitude
        if level == nil { level = altitude }
        if altitude - from >= Self.leastClimbMillimetres {
            ascentMillimetres.add((altitude - from).magnitude)
            level = altitude
        } else if from - altitude >= Self.leastClimbMillimetres {
            descentMillimetres.add((from - altitude).magnitude)
            level = altitude
        }
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.unsigned(&fixes)
        try coder.unsigned(&excludedFixes)
        try coder.unsigned(&jumps)
        try coder.unsigned(&distanceMillimetres)
        try coder.unsigned(&ascentMillimetres)
        try coder.unsigned(&descentMillimetres)
        try coder.optional(&anchor, blank: Place())
        try lastPlace.code(&coder)
        try coder.unsigned(&lastMilliseconds)
        try coder.optionalSigned(&level)
        try coder.require((level ?? 0).magnitude <= Self.greatestAltitudeMillimetres)
        try coder.optionalSigned(&lastFixAtMilliseconds)
    }
}
