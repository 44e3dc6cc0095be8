/// The numbers that folds use and that a what-if replay can change.
///
/// They are part of a snapshot's key: other rules, another state.
package struct Rules: StatePart, Hashable, Sendable {
    /// How long a lost link is shown as if nothing had happened.
    package var graceMilliseconds: UInt64 = 10_000
    /// How long a heart-rate value is fresh.
    package var silenceMilliseconds: UInt64 = 5_000
    /// Length of a step in thousandths of the height.
    package var stridePermille: UInt64 = 415
    /// Whether pedometer steps after a health total's end are added to it.
    package var carryOverlap = false
    /// Longest time for which a foot pod's cadence counts without a new value.
    package var cadenceMilliseconds: UInt64 = 5_000
    /// Lower bounds of moderate, vigorous and maximum in BPM, instead of the profile's.
    package var zones: Zones?
    /// How long after a value an equal one may be a copy of it; 0 for never.
    package var copyMilliseconds: UInt64 = 20
    /// Whether a health total that wins covers steps that no reading reported before.
    package var coverUnheard = true

    /// Whether a reading counts that the strap gave without contact, as if the walker chose so.
    package var countNoContact = false
    /// Whether a reading of 0 BPM counts.
    package var countZero = false
    /// Which RR intervals are no artefacts.
    package var artefacts = ArtefactRule()
    /// Whether what is simulated is the walker's, as it was up to version 7 of the folds.
    package var countSimulated = false
    /// Whether numbers count that nobody can have walked, as they did up to version 8 of the folds.
    package var countImplausible = false
    /// Whether the time counts for which nobody recorded a session that ended so, as it did up to
    /// version 10 of the folds.
    package var countUnrecorded = false
    /// Whether a session goes on while the walker stands still, whatever it was recorded with.
    package var countStandstill = false
    /// Whether each reading of a pedometer has a margin of its own, and a day of readings no bound,
    /// as from version 9 to 15 of the folds.
    package var countEachMargin = false
    /// Whether noise is taken out of the way by positions; if not, it goes from fix to fix.
    package var smoothWay = true
    /// Whether noise is taken out of heights; if not, a climb counts from 5 m on.
    package var smoothClimb = true
    /// Whether a foot pod's speed, times time, is a way.
    package var countPodSpeed = true
    /// Whether steps give the way rather than positions, as up to version 19 of the folds.
    package var stepsBeforePositions = false
    /// Whether a way that others contradict is doubted.
    package var doubtLengths = true
    /// Whether the walker's own stride is used, where it is known.
    package var countOwnStride = true
    /// Whether a day's first reading counts nothing unless its counter restarted, as up to version
    /// 19 of the folds.
    package var countNothingOverMidnight = false

    /// Makes the rules that the product states.
    package init() {}

    /// The rules as bytes: equal rules, equal bytes.
    package func canonicalBytes() -> [UInt8] { StateCoder.bytes(of: CollectionOfOne(self)) }

    /// Whether one of the rules is another one that had no place in the bytes at first.
    private var hasLaterRules: Bool {
        countNoContact || countZero || artefacts != ArtefactRule() || countSimulated
            || countImplausible || countUnrecorded || countStandstill || countEachMargin
            || !countPodSpeed || stepsBeforePositions || !doubtLengths || !countOwnStride
            || !smoothWay || !smoothClimb || countNothingOverMidnight
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&graceMilliseconds, &silenceMilliseconds, &stridePermille, &carryOverlap)
        try coder(&cadenceMilliseconds, &zones, &copyMilliseconds)
        // The second bit says that more follow; so the recorder's states have the bytes they had.
        var bits: UInt8 = (coverUnheard ? 1 : 0) | (hasLaterRules ? 2 : 0)
        try coder(&bits)
        try coder.require(bits < 4)
        coverUnheard = bits & 1 != 0
        guard bits & 2 != 0 else { return }
        try coder(&countNoContact, &countZero, &artefacts, &countSimulated)
        try coder(&countImplausible, &countUnrecorded, &countStandstill, &countEachMargin)
        try coder(&countPodSpeed, &stepsBeforePositions, &doubtLengths, &countOwnStride)
        try coder(&smoothWay, &smoothClimb, &countNothingOverMidnight)
        try coder.require(hasLaterRules)
    }
}

extension Rules {
    /// The rules by which records of days were made: each that gave other steps, the latest first.
    package static var formerly: [Rules] {
        var midnights = Rules()
        midnights.countNothingOverMidnight = true
        var margins = midnights
        margins.countEachMargin = true
        var numbers = midnights
        numbers.countImplausible = true
        return [midnights, margins, numbers]
    }

    /// The rules that gave a session's heart rate in version 1: copies of a value and implausible
    /// heart rates counted.
    package static var firstHeartRate: Rules {
        var rules = Rules.believing
        rules.copyMilliseconds = 0
        return rules
    }

    /// The rules by which every number counts, as it did up to version 8.
    package static var believing: Rules {
        var rules = Rules()
        rules.countImplausible = true
        return rules
    }
}
