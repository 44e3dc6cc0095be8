import Clocks
import Deciding
import EventStore
import Events
import Projections
import TestSupport
import Testing

@Suite("The appender")
struct AppenderTests {
    private let log = InMemoryEventLog()

    @Test("decides again when others came first: nothing is lost, and nothing is told twice")
    func contention() async throws {
        let appenders = (0..<4).map { _ in Appender(log, machine: machine) }
        for appender in appenders { _ = try await appender.record([reading(1)]) }
        func number(_ writer: Int, _ index: Int) -> UInt16 { UInt16(10 + writer * 100 + index) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (writer, appender) in appenders.enumerated() {
                group.addTask {
                    for index in 0..<100 {
                        let reading = reading(number(writer, index), clockSetBy: 60_000)
                        _ = try await appender.record([reading])
                    }
                }
            }
            try await group.waitForAll()
        }
        let values = try values(log.all)
        #expect(values.count == 404)
        for writer in 0..<4 {
            let own = (0..<100).map { value(number(writer, $0)) }
            #expect(values.filter(own.contains) == own, "each writer's order is kept")
        }
        #expect(try log.all.count { $0.kind == .bootBegan } == 1)
        #expect(try steps == [.clockStepped(ClockStepped(stepMilliseconds: 60_000))])
    }

    @Test("makes a request again from the state of those who came first")
    func decidingAgain() async throws {
        let other = Appender(log, machine: machine)
        let busy = ContestedLog(log) {
            _ = try await other.record([setProfile { $0.weightGrams = 75_000 }])
            _ = try await other.record([setProfile { $0.dailyGoalSteps = 8_000 }])
        }
        let appender = Appender(busy, machine: machine)
        let outcomes = try await appender.record { (state) throws(EventLogError) in
            var profile = state.own.recorder.profile
            profile.heightMillimetres = 1_800
            return [Input(.setProfile(profile), at: arrival(after: 1))]
        }
        #expect(outcomes == [.recorded(3..<4)])
        let profile = await appender.state.own.recorder.profile
        #expect(profile.heightMillimetres == 1_800)
        #expect(profile.dailyGoalSteps == 8_000)
        #expect(try log.all.count == 4, "one boot and one event of each change")
    }

    @Test("appends nothing of a request that is given up, and says why")
    func givingUp() async throws {
        let appender = Appender(log, machine: machine)
        let reason = EventLogError(.permission, detail: "I will not")
        await #expect(throws: reason) {
            try await appender.record { (_) throws(EventLogError) in throw reason }
        }
        #expect(try log.next == 0)
    }

    @Test("takes a total that the log knows for no news, however late it is decided")
    func news() async throws {
        let date = try #require(CivilDate(year: 2026, month: 3, day: 1))
        let total = HealthTotal(date: date, steps: 500)
        let telling = Input(.news(total, origin: Reporter(.push)), at: arrival(after: 1))
        let other = Appender(log, machine: machine)
        let busy = ContestedLog(log) { _ = try await other.record([telling]) }
        _ = try await Appender(busy, machine: machine).record([telling])
        #expect(try log.all.count { $0.kind == .healthTotalObserved } == 1)
    }

    @Test("takes a wall clock for set only beyond two seconds", arguments: [1, -1] as [Int64])
    func clockLimit(sign: Int64) async throws {
        let appender = Appender(log, machine: machine)
        let outcomes = try await appender.record([
            reading(1), reading(2, clockSetBy: sign * 2_000),
        ])
        #expect(outcomes == [.recorded(0..<2), .recorded(2..<3)], "the boot is of the first")
        #expect(try values(log.all.suffix(2)) == [value(1), value(2)])
        _ = try await appender.record([reading(3, clockSetBy: sign * 4_001)])
        let step = ClockStepped(stepMilliseconds: sign * 2_001)
        #expect(try log.all.suffix(2).first == .clockStepped(step))
    }

    private var steps: [Event] {
        get throws { try log.all.filter { $0.kind == .clockStepped } }
    }

    @Test("a clock that was set while nobody appended is noted by the next who does")
    func clockAcrossRestart() async throws {
        _ = try await Appender(log, machine: machine).record([reading(1)])
        let start = Command.startRecorder(
            programVersion: "2", zoneOffsetMinutes: 60, zoneName: "CET")
        _ = try await Appender(log, machine: machine).record([
            Input(start, at: arrival(after: 2, clockSetBy: -7_200_000))
        ])
        _ = try await Appender(log, machine: machine).record([reading(3, clockSetBy: -7_200_000)])
        #expect(try steps == [.clockStepped(ClockStepped(stepMilliseconds: -7_200_000))])
        // Nothing of a recorder stands before its start: its links ended with what does.
        #expect(try log.all[2].kind == .recorderStarted)
    }

    @Test("a stamp from before a step, appended after it, is no step back")
    func clockLateStamp() async throws {
        let (one, other) = (Appender(log, machine: machine), Appender(log, machine: machine))
        _ = try await one.record([reading(1)])
        _ = try await other.record([reading(9, clockSetBy: 60_000)])
        _ = try await one.record([reading(8), reading(10, clockSetBy: 60_000)])
        #expect(try steps == [.clockStepped(ClockStepped(stepMilliseconds: 60_000))])
    }

    @Test("another boot's clock is no step")
    func clockOfAnotherBoot() async throws {
        _ = try await Appender(log, machine: machine).record([reading(9)])
        _ = try await Appender(log, machine: rebooted).record([reading(1, clockSetBy: 60_000)])
        #expect(try steps.isEmpty)
    }

    @Test(
        "a boot clock that jumps within a boot's identity is another boot's",
        arguments: [(5_000_000_000, 5_000), (-900_000, 5_000)] as [(Int64, Int64)])
    func jump(boot: Int64, wall: Int64) async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(9)])
        _ = try await appender.record([late(boot: boot, wall: wall)])
        // Others find the same boot, and so does who comes later.
        let other = Appender(log, machine: machine)
        _ = try await other.record([late(boot: boot + 1, wall: wall + 1)])
        _ = try await appender.record([late(boot: boot + 2, wall: wall + 2)])
        #expect(try steps == [.clockStepped(ClockStepped(stepMilliseconds: wall - boot))])
        let events = try log.events(in: 0..<log.next)
        let numbers = events.map(\.header.stamp.bootNumber)
        #expect(numbers.first == 0 && numbers.last == 1 && Set(numbers).count == 2)
        #expect(await other.state.own.clock.milliseconds == 1_000_009 + UInt64(wall) + 1)
    }

    @Test(
        "a wall clock that is set, or a stamp that was held up, is no other boot",
        arguments: [
            (100_000_000, -5_000_000_000), (5_000, 5_000_000_000), (5_000, -5_000_000_000),
            (-900_000, -900_000), (86_000_000, 1_000), (-50_000, 10_000),
        ] as [(Int64, Int64)])
    func noJump(boot: Int64, wall: Int64) async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(9)])
        _ = try await appender.record([late(boot: boot, wall: wall)])
        let events = try log.events(in: 0..<log.next)
        #expect(events.allSatisfy { $0.header.stamp.bootNumber == 0 })
    }

    /// A reading so much later than the ninth by each of the clocks.
    private func late(boot: Int64, wall: Int64) -> Input {
        var input = reading(9)
        input.arrival.bootMilliseconds = UInt64(Int64(input.arrival.bootMilliseconds) + boot)
        input.arrival.wallMilliseconds += wall
        return input
    }
}

/// A request that replaces the profile of an empty log.
private func setProfile(_ change: (inout Profile) -> Void) -> Input {
    var profile = Profile()
    change(&profile)
    return Input(.setProfile(profile), at: arrival(after: 0))
}
