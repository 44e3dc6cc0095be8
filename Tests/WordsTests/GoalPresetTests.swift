import Events
import Testing

@testable import Words

@Suite("Goal presets")
struct GoalPresetTests {
    @Test(
        "S11: follow each other in a ring, with the daily goal while it is open",
        arguments: [
            (isDailyOpen: true, count: 14), (isDailyOpen: false, count: 13),
        ])
    func ring(isDailyOpen: Bool, count: Int) {
        var goals = [Goal()]
        while goals.count < count {
            goals.append(
                GoalPreset.next(
                    after: goals[goals.count - 1], isDailyOpen: isDailyOpen, units: .metric))
        }
        #expect(Set(goals).count == count)
        #expect(goals.contains { $0.kind == .daily } == isDailyOpen)
        #expect(
            GoalPreset.next(after: goals[count - 1], isDailyOpen: isDailyOpen, units: .metric)
                == Goal())
        #expect(Set(goals.map { $0.text(.metric) }).count == count)
    }

    @Test("S11: a goal of the walker's own is followed by the first preset")
    func own() {
        let goal = Goal(kind: .steps, target: 7_777)
        #expect(GoalPreset.next(after: goal, isDailyOpen: true, units: .metric) == Goal())
    }
}
