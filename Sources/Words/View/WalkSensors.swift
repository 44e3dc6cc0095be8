package import Events
package import Projections

/// What measures a walk, and so what is shown of it: nothing is offered, promised or reproached
/// that no sensor of this walk can measure.
package struct WalkSensors: Hashable, Sendable {
    /// Whether a heart rate comes.
    package let hasHeart: Bool
    /// Whether something counts steps.
    package let hasCounter: Bool
    /// Whether positions come.
    package let hasPositions: Bool
    /// Whether anything gives a length.
    package let hasLength: Bool
    /// Whether a phone tells the positions.
    package var areOfPhone = false

    /// Names what measures a walk; lengths come of positions and steps, or also by themselves.
    package init(
        hasHeart: Bool, hasCounter: Bool, hasPositions: Bool, hasLength: Bool = false
    ) {
        (self.hasHeart, self.hasCounter) = (hasHeart, hasCounter)
        self.hasPositions = hasPositions
        self.hasLength = hasLength || hasPositions || hasCounter
    }

    /// What a length is by that comes of positions.
    static let byPositions = "by GPS"

    /// The measure that is loud without a goal.
    package var lead: Measure { hasCounter ? .steps : hasPositions ? .distance : .active }

    /// The goals as they are offered, the first of them chosen.
    package var goals: [GoalKind] {
        hasCounter
            ? [.steps, .distance, .duration]
            : hasPositions ? [.distance, .duration, .steps] : [.duration, .distance, .steps]
    }

    /// What measures a goal, in two words, and what is missing where nothing does.
    package func measuring(_ goal: GoalKind) -> (by: String, lack: String?) {
        switch goal {
        case .duration, .none: return ("by the clock", nil)
        case .steps, .daily:
            if hasCounter { return ("", nil) }
            return (
                "no counter",
                "Nothing counts your steps. A PineTime, a foot pod or a phone's total can."
            )
        case .distance:
            if hasPositions { return (areOfPhone ? "by the phone" : Self.byPositions, nil) }
            if hasLength { return (hasCounter ? "by your stride" : "", nil) }
            return (
                "no GPS",
                "Nothing measures your way. A GPS receiver, a foot pod or a step counter can."
            )
        }
    }

    /// The row of three below the loud measure: each measure once.
    package func row(below loud: Measure) -> [Measure] {
        if hasCounter {
            let others = [Measure.steps, .distance, .energy].filter { $0 != loud }
            return [others[0], others[1], .today]
        }
        if hasPositions {
            let own: [Measure] = loud == .distance ? [.paceNow] : [.distance]
            let last: [Measure] = loud == .distance ? [.climb] : [.paceNow]
            return own + [hasHeart ? .energy : .pace] + last
        }
        return hasHeart ? [.mean, .energy, .raised] : []
    }

    /// What stands beside the heart rate in large figures.
    package var large: [Measure] {
        if hasCounter {
            return [.active, .distance, .steps]
                + (hasHeart ? [] : hasPositions ? [.paceNow] : [.today])
        }
        if hasPositions { return [.active, .distance, .paceNow] + (hasHeart ? [] : [.climb]) }
        return hasHeart ? [.active, .mean, .energy] : [.active]
    }

    /// Whether there is a way, or steps that tell of one.
    var hasWay: Bool { hasCounter || hasPositions }

    /// Whether a heart rate is all that there is.
    var hasHeartOnly: Bool { hasHeart && !hasWay }

    /// The figures of a walk that is over.
    package var figures: [Measure] { Measure.all.filter { $0.isOf(self) } }
}

extension SessionReport {
    /// What has measured it.
    package var sensors: WalkSensors {
        WalkSensors(
            hasHeart: heartRate.samples > 0, hasCounter: isCounted, hasPositions: route.fixes > 0,
            hasLength: distanceMillimetres != nil)
    }

    /// Without the energy where neither steps nor the heart rate tell of it, as without an age.
    package func known(_ measures: [Measure], by sensors: WalkSensors) -> [Measure] {
        let isKnown = sensors.hasCounter || heartRateEnergyCalories != nil
        return isKnown ? measures : measures.filter { $0 != .energy }
    }

    /// Why its strap tells no heart rate.
    var strapLack: String {
        if !straps.isEmpty { return "No value of the strap could be used" }
        return link.connects > 0 ? "The strap sent no value" : "No strap was connected"
    }

    /// What a walk needs whose heart rate could tell the energy, and no steps; nil if it has that.
    package var energyLack: String? {
        guard !isCounted, heartRate.timeWeightedMean != nil, heartRateEnergyCalories == nil else {
            return nil
        }
        return isWeightAssumed ? "weight, birth year and sex" : "birth year and sex"
    }

    /// Why its goal was not measured; nil if it was.
    package var goalSentence: String? {
        guard let goal, sensors.measuring(goal.kind).lack != nil else { return nil }
        return goal.kind == .distance
            ? "Nothing measured your way." : "Nothing counted your steps."
    }
}
