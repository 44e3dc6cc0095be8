public import Events
internal import Interchange
internal import Text

/// The goals to choose from with a key while a session is set up.
public enum GoalPreset {
    /// Steps, mm and ms; the daily goal is what is still missing today.
    private static let all: [Goal] = [
        Goal(), Goal(kind: .daily, target: 0),
        Goal(kind: .steps, target: 3_000), Goal(kind: .steps, target: 6_000),
        Goal(kind: .steps, target: 10_000),
        Goal(kind: .distance, target: 2_000_000), Goal(kind: .distance, target: 5_000_000),
        Goal(kind: .distance, target: 10_000_000),
        Goal(kind: .duration, target: 900_000), Goal(kind: .duration, target: 1_800_000),
        Goal(kind: .duration, target: 3_600_000),
    ]

    /// The preset after a goal; the first one after the last, and after a goal of the walker's
    /// own.
    ///
    /// The daily goal is among them while there is one that is not reached yet.
    public static func next(after goal: Goal, isDailyOpen: Bool) -> Goal {
        let presets = all.filter { $0.kind != .daily || isDailyOpen }
        let index = presets.firstIndex(of: goal).map { $0 + 1 } ?? 0
        return presets[index % presets.count]
    }
}

extension Goal {
    /// The target as people read it; of the daily goal, before its target is known, its name.
    public var text: String {
        switch kind {
        case .none: "none"
        case .daily where target == 0: "complete the daily goal"
        case .steps, .daily: "\(grouped(target)) steps"
        case .distance: kilometres(target)
        case .duration: TimeText.duration(target)
        }
    }
}
