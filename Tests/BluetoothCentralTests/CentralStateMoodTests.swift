import TestSupport
import Testing

@testable import BluetoothCentral

/// From every state that the world's moods lead to, a willing strap leads to notifications; on the
/// way there are never two `Connect` pending, and no spinning.
@Suite("Central state in all moods", .timeLimit(.minutes(5)))
struct CentralStateMoodTests {
    /// The states from which short sequences start.
    static let beginnings: [[Mood]] = [
        [],
        [.want],
        [.want, .wait1],
        [.outOfRange, .want, .wait1],
        [.want, .wait10],
        [.want, .wait10, .outOfRange, .wait10],
        [.want, .wait10, .scan, .outOfRange, .wait10],
        [.want, .wait10, .wantNothing],
        [.connectFails, .want, .wait1],
        [.notifySilent, .servicesLate, .want, .wait1, .wait1],
    ]

    @Test("leads back to notifications after every two moods", arguments: beginnings)
    func exhaustive(_ beginning: [Mood]) {
        var start = Simulation()
        for mood in beginning { start.fall(into: mood) }
        for first in Mood.allCases {
            var middle = start
            middle.fall(into: first)
            for second in Mood.allCases {
                var simulation = middle
                simulation.fall(into: second)
                check(simulation) { "\(beginning), \(first), \(second)" }
                checkPause(simulation) { "\(beginning), \(first), \(second)" }
            }
        }
    }

    @Test("leads back to notifications after long random sequences", arguments: 1...40)
    func random(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var simulation = Simulation()
        for step in 0..<150 {
            guard let mood = Mood.allCases.randomElement(using: &random) else { continue }
            simulation.fall(into: mood)
            if step % 10 == 9 {
                check(simulation) { "seed \(seed), step \(step)" }
                checkPause(simulation) { "seed \(seed), step \(step)" }
            }
            simulation.forgetReports()
        }
    }

    private func check(_ unhealed: Simulation, _ history: () -> String) {
        var simulation = unhealed
        simulation.forgetReports()
        simulation.heal()
        let isBack = simulation.runUntilValue(within: 150_000)
        #expect(isBack, "no value after \(history())")
        simulation.run(milliseconds: 5_000)
        #expect(simulation.complaints.isEmpty, "after \(history()): \(simulation.complaints)")
        if !isBack { print(simulation.calls, simulation.reports) }
    }

    /// While the heart rate is paused, a strap that comes back sends nothing.
    private func checkPause(_ unhealed: Simulation, _ history: () -> String) {
        var simulation = unhealed
        simulation.fall(into: .pause)
        // A call that hangs is waited for; then nothing keeps the pause from being obeyed.
        simulation.run(milliseconds: 60_000)
        simulation.heal(wanting: Simulation.paused)
        simulation.run(milliseconds: 150_000)
        simulation.forgetReports()
        simulation.dropLink()
        simulation.run(milliseconds: 10_000)
        #expect(
            !simulation.reports.contains {
                if case .valueNotified(_, .heartRateMeasurement, _) = $0 { true } else { false }
            }, "values in a pause after \(history())")
        #expect(!simulation.isSubscribed, "subscribed in a pause after \(history())")
    }
}
