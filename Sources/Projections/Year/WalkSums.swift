package import Events

/// What walks add up to; what none of them measured is unknown, not 0.
package struct WalkSums: Hashable, Sendable {
    /// How many there are.
    package private(set) var walks: UInt64 = 0
    /// Their time without pauses.
    package private(set) var activeMilliseconds: UInt64 = 0
    /// Their distance, or nil.
    package private(set) var distanceMillimetres: UInt64?
    /// Their steps, or nil.
    package private(set) var steps: UInt64?
    /// Their climb, or nil.
    package private(set) var ascentMillimetres: UInt64?
    /// Heart beats of a minute times milliseconds.
    private var weightedSum: UInt64 = 0
    /// The milliseconds of that.
    private var weightedMilliseconds: UInt64 = 0

    /// Begins with no walk.
    package init() {}

    /// Adds up walks.
    package init(_ walks: some Sequence<SessionReport>) {
        for walk in walks { add(walk) }
    }

    /// The heart rate, in which each sample weighs the time for which it was fresh; nil for none.
    package var mean: Hundredths? { Hundredths(weightedSum, over: weightedMilliseconds) }

    /// Adds a walk.
    package mutating func add(_ walk: SessionReport) {
        walks += 1
        activeMilliseconds.add(walk.activeMilliseconds)
        distanceMillimetres = Self.sum(distanceMillimetres, walk.knownDistanceMillimetres)
        steps = Self.sum(steps, walk.knownSteps)
        ascentMillimetres = Self.sum(ascentMillimetres, walk.knownAscentMillimetres)
        weightedSum.add(walk.heartRate.weightedSum)
        weightedMilliseconds.add(walk.heartRate.weightedMilliseconds)
    }

    private static func sum(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
        guard let one, let other else { return one ?? other }
        return one.plus(other)
    }
}

extension SessionReport {
    /// The local date on which it began.
    package var date: CivilDate {
        CivilDate(wallMilliseconds: startedAtMilliseconds, zoneOffsetMinutes: offsetMinutes)
    }

    /// Its climb, or nil without heights.
    package var knownAscentMillimetres: UInt64? {
        route.hasHeights ? route.ascentMillimetres : nil
    }

    /// Whether sums have it: not what is simulated, nor what the walker hides.
    package var isSummed: Bool { provenance != .simulated && !keeping.isHidden }
}
