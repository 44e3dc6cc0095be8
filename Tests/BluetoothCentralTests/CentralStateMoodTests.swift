import TestSelection
import TestSupport
import Testing

@testable import BluetoothCentral
@testable import SimulatorModel

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
        [.daemon(.connectFails), .want, .wait1],
        [.daemon(.notifySilent), .daemon(.servicesLate), .want, .wait1, .wait1],
    ]

    @Test(
        "leads back to notifications after every two moods",
        arguments: everythingIsTested ? beginnings : [[.want, .wait10]])
    func exhaustive(_ beginning: [Mood]) {
        var start = MoodyWorld()
        for mood in beginning { start.fall(into: mood) }
        for first in Mood.allCases {
            var middle = start
            middle.fall(into: first)
            for second in Mood.allCases {
                var world = middle
                world.fall(into: second)
                check(world) { "\(beginning), \(first), \(second)" }
                checkPause(world) { "\(beginning), \(first), \(second)" }
            }
        }
    }

    @Test(
        "leads back to notifications after long random sequences",
        arguments: sample(1...40, 4))
    func random(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var world = MoodyWorld()
        for step in 0..<150 {
            guard let mood = Mood.allCases.randomElement(using: &random) else { continue }
            world.fall(into: mood)
            if step % 10 == 9 {
                check(world) { "seed \(seed), step \(step)" }
                checkPause(world) { "seed \(seed), step \(step)" }
            }
            world.forgetReports()
        }
    }

    private func check(_ unhealed: MoodyWorld, _ history: () -> String) {
        var world = unhealed
        world.forgetReports()
        world.heal()
        let isBack = world.runUntilValue(within: 150_000)
        #expect(isBack, "no value after \(history())")
        world.run(milliseconds: 5_000)
        #expect(world.complaints.isEmpty, "after \(history()): \(world.complaints)")
        if !isBack { print(world.calls, world.reports) }
    }

    /// While the heart rate is paused, a strap that comes back sends nothing.
    private func checkPause(_ unhealed: MoodyWorld, _ history: () -> String) {
        var world = unhealed
        world.fall(into: .pause)
        // A call that hangs is waited for; then nothing keeps the pause from being obeyed.
        world.run(milliseconds: 60_000)
        world.heal(wanting: MoodyWorld.paused)
        world.run(milliseconds: 150_000)
        world.forgetReports()
        world.change { $0.dropLink(0) }
        world.run(milliseconds: 10_000)
        #expect(
            !world.reports.contains {
                if case .valueNotified(_, .heartRateMeasurement, _) = $0 { true } else { false }
            }, "values in a pause after \(history())")
        #expect(!world.isSubscribed, "subscribed in a pause after \(history())")
    }
}
