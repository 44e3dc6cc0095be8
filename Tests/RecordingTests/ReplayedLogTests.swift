import Deciding
import EventStore
import Events
import Projections
import TestSelection
import TestSupport
import Testing

import Sensors

/// A recorder's run, and the replay of what it wrote.
@Suite("The replay of a recorded log")
struct ReplayedLogTests {
    /// What comes next of a walk that goes on and off.
    private static func next(
        _ random: inout SeededGenerator, at milliseconds: UInt64
    ) -> Input {
        let command: Command =
            switch random.below(12) {
            case 0: .pause
            case 1: .resume
            case 2: .record(.linkLost(LinkLost(device: strap, cause: .timeout)))
            case 3: .record(.linkUp(LinkUp(device: strap)))
            case 4: .mark("")
            case 5: .refresh(.manual)
            case 6, 7: .record(counted(milliseconds / 700, by: strap))
            default: .record(notified([0, UInt8(60 + random.below(120))]))
            }
        return Input(command, at: arrival(after: milliseconds))
    }

    @Test(
        "has the recorder's state at every position, and its views with now from the log",
        arguments: sample(0..<12, 3))
    func replays(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        var replayed = LogState()
        var time: UInt64 = 0
        var inputs = [Input(.start(), at: arrival(after: 0))]
        for _ in 0..<150 {
            let before = try log.next
            _ = try await appender.record(inputs)
            let own = await appender.state
            let events = try log.events(in: before..<log.next)
            for event in events { try replayed.evolve(event) }
            #expect(replayed == own, "seed \(seed), \(events.count) events from \(before)")
            #expect(replayed.canonicalBytes() == own.canonicalBytes())
            if let last = events.last {
                // Live views were made when it came; replayed ones have now from its stamp.
                let now = arrival(after: time).moment(bootNumber: last.header.stamp.bootNumber)
                let then = Moment(last.header.stamp, last.header.flags)
                #expect(ConnectionView(own, at: now) == ConnectionView(replayed, at: then))
                #expect(own.sessionReports(at: now) == replayed.sessionReports(at: then))
            }
            time += [40, 900, 1_000, 7_000, 12_000][Int(random.below(5))]
            inputs = [Self.next(&random, at: time)]
        }
    }

    @Test("differs from the live view between two events: there a replay's now stands still")
    func between() async throws {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([
            input(.linkUp(LinkUp(device: strap))), input(notified([0, 90])),
            input(.linkLost(LinkLost(device: strap, cause: .timeout))),
        ])
        let state = await appender.state
        let own = arrival(after: 10_001).moment(bootNumber: state.lastMoment.stamp.bootNumber)
        #expect(ConnectionView(state, at: own).status == .disconnected)
        #expect(ConnectionView(state, at: state.lastMoment).status == .held)
    }
}

@Suite("The pace of a replay")
struct PaceTests {
    private let start = ContinuousClock().now

    private func stamp(_ boot: UInt64, _ number: UInt32 = 0) -> Stamp {
        Stamp(bootMilliseconds: boot, wallMilliseconds: 0, bootNumber: number)
    }

    /// When events are due, in milliseconds after the first, if each is waited for with a delay.
    private func dues(
        _ events: [(stamp: Stamp, source: UInt32)], rate: Double, delay: Duration = .zero
    ) -> [Duration] {
        var pace = Pace(rate: rate)
        var now = start
        return events.map { event in
            if let due = pace.due(for: event.stamp, of: event.source, now: now) { now = due }
            defer { now = now.advanced(by: delay) }
            return start.duration(to: now)
        }
    }

    @Test("keeps the events as far apart as they were, divided by the rate", arguments: [1.0, 8.0])
    func rate(_ rate: Double) {
        let boots: [UInt64] = [5_000, 6_000, 6_040, 9_000, 70_000]
        let dues = dues(boots.map { (stamp($0), 0) }, rate: rate)
        #expect(dues == boots.map { .milliseconds(Int64(Double($0 - 5_000) / rate)) })
    }

    @Test("lets no delay add up")
    func drift() {
        let dues = dues(
            (0..<10_000).map { (stamp(1_000 * $0), 0) }, rate: 1, delay: .milliseconds(30))
        #expect(dues.last == .seconds(9_999))
    }

    @Test("follows a boot clock that starts anew at once, and goes on by it")
    func restarts() {
        let events = [
            stamp(500_000), stamp(501_000), stamp(900, 1), stamp(1_900, 1), stamp(700_000, 2),
            stamp(700_500, 2),
            // Without a boot's number only the clock tells.
            stamp(10, 2), stamp(510, 2),
        ]
        let dues = dues(events.map { ($0, 0) }, rate: 1)
        let expected = [0, 1_000, 1_000, 2_000, 2_000, 2_500, 2_500, 3_000]
        #expect(dues == expected.map { .milliseconds($0) })
    }

    @Test("does not wait for what another source says, or for a stamp that runs back a little")
    func sources() {
        let dues = dues(
            [
                (stamp(1_000), 0), (stamp(2_000), 0), (stamp(90_000_000), 1),
                (stamp(90_000_500), 1), (stamp(3_000), 0), (stamp(2_990), 0), (stamp(4_000), 0),
            ], rate: 1)
        let expected = [0, 1_000, 1_000, 1_500, 1_500, 1_500, 2_500]
        #expect(dues == expected.map { .milliseconds($0) })
    }

    @Test("waits for nothing without a rate")
    func none() {
        var pace = Pace(rate: nil)
        #expect(pace.due(for: stamp(0), now: start) == nil)
        #expect(pace.due(for: stamp(9_000_000), now: start) == nil)
    }
}
