package import Events
internal import Text

/// The goals to choose from while a session is set up.
package enum GoalPreset {
    /// Steps, mm or ms; a daily goal is what is still missing today.
    static func targets(of kind: GoalKind, _ units: Units) -> [UInt64] {
        switch kind {
        case .none, .daily: [0]
        case .steps: [2_000, 4_000, 6_000, 10_000]
        case .distance:
            (units.isInMiles ? [2, 3, 5, 6] : [3, 5, 8, 10]).map { $0 * units.distanceMillimetres }
        case .duration: [1_800_000, 2_700_000, 3_600_000, 5_400_000]
        }
    }

    /// The preset after a goal; the first one after the last, and after a goal of the walker's
    /// own.
    ///
    /// The daily goal is among them while there is one that is not reached yet, and something
    /// counts steps.
    package static func next(
        after goal: Goal, isDailyOpen: Bool, _ sensors: WalkSensors, units: Units
    ) -> Goal {
        let daily: [GoalKind] = isDailyOpen && sensors.hasCounter ? [.daily] : []
        let kinds = [.none] + daily + sensors.goals
        let presets = kinds.flatMap { kind in
            targets(of: kind, units).map { Goal(kind: kind, target: $0) }
        }
        let index = presets.firstIndex(of: goal).map { $0 + 1 } ?? 0
        return presets[index % presets.count]
    }
}

extension GoalKind {
    /// What a walker can aim at: steps, mm or ms; nil for what nobody chooses by a number.
    package var targets: ClosedRange<UInt64>? {
        switch self {
        case .none, .daily: nil
        case .steps: 1...1_000_000
        case .distance: 1...1_000_000_000
        case .duration: 1_000...604_800_000
        }
    }
}

extension Goal {
    /// Whether a walker can aim at it.
    package var canBeChosen: Bool { kind.targets?.contains(target) ?? true }

    /// The target as a preset has it: `6,000`, `5 km`, `45 min`, `1 h`, `1:30 h`.
    func short(_ units: Units) -> String {
        switch kind {
        case .distance: units.shortDistance(target)
        case .duration where target < 3_600_000: "\(target / 60_000) min"
        case .duration: hours(target).replacing(":00", with: "") + " h"
        case .none, .steps, .daily: grouped(target)
        }
    }

    /// The target as people read it; of the daily goal, before its target is known, its name.
    package func text(_ units: Units) -> String {
        switch kind {
        case .none: "none"
        case .daily where target == 0: "complete the daily goal"
        case .steps, .daily: "\(grouped(target)) steps"
        case .distance: units.distance(target)
        case .duration: TimeText.duration(target)
        }
    }
}
