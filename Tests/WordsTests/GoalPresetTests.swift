import Events
import Testing

@testable import Words

@Suite("Goal presets")
struct GoalPresetTests {
    private let all = WalkSensors(hasHeart: true, hasCounter: true, hasPositions: true)

    @Test("S11: begin with what the sensors that are there can measure, without a daily goal else")
    func sensors() {
        for hasPositions in [false, true] {
            let sensors = WalkSensors(
                hasHeart: true, hasCounter: false, hasPositions: hasPositions)
            let first = GoalPreset.next(
                after: Goal(), isDailyOpen: true, sensors, units: .metric)
            #expect(first.kind == (hasPositions ? .distance : .duration))
        }
    }

    @Test(
        "S11: follow each other in a ring, with the daily goal while it is open",
        arguments: [
            (isDailyOpen: true, count: 14), (isDailyOpen: false, count: 13),
        ])
    func ring(isDailyOpen: Bool, count: Int) {
        let next = { GoalPreset.next(after: $0, isDailyOpen: isDailyOpen, all, units: .metric) }
        var goals = [Goal()]
        while goals.count < count { goals.append(next(goals[goals.count - 1])) }
        #expect(Set(goals).count == count)
        #expect(goals.contains { $0.kind == .daily } == isDailyOpen)
        #expect(next(goals[count - 1]) == Goal())
        #expect(next(Goal(kind: .steps, target: 7_777)) == Goal(), "of the walker's own")
        #expect(Set(goals.map { $0.text(.metric) }).count == count)
    }
}
