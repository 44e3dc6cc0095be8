import EventStore
import Events
import Projections
import Recording
import Testing

@Suite("The appender")
struct AppenderTests {
    private let log = InMemoryEventLog()

    @Test("records readings as they came, behind the boot that they belong to")
    func readings() async throws {
        let appender = Appender(log, machine: machine)
        let outcomes = try await appender.record((0..<50).map { reading($0) })
        let events = try log.all
        #expect(values(events) == (0..<50).map { value($0) })
        guard case .bootBegan = events.first else {
            Issue.record("the log begins with \(events.prefix(1))")
            return
        }
        #expect(outcomes.first == .recorded(0..<2))
        #expect(outcomes.last == .recorded(50..<51))
    }

    @Test("decides again when others came first, and loses nothing of anybody")
    func contention() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { [log] in
                    let appender = Appender(log, machine: machine)
                    for number in 0..<100 {
                        _ = try await appender.record([reading(UInt16(writer * 100 + number))])
                    }
                }
            }
            try await group.waitForAll()
        }
        let events = try log.all
        #expect(values(events).count == 400)
        #expect(Set(values(events)) == Set((0..<400).map { value($0) }))
        for writer in 0..<4 {
            let own = (writer * 100..<writer * 100 + 100).map { value(UInt16($0)) }
            #expect(values(events).filter(own.contains) == own, "each writer's order is kept")
        }
        let boots = events.filter { if case .bootBegan = $0 { true } else { false } }
        #expect(boots.count == 1, "the boot is told by whoever came first")
    }

    @Test("its state is the fold of the log, also of what others appended")
    func state() async throws {
        let one = Appender(log, machine: machine)
        let other = Appender(log, machine: machine)
        _ = try await one.record([reading(1)])
        _ = try await other.record([Input(.start(), at: arrival(after: 2)), reading(3)])
        try await one.catchUp()
        #expect(await one.state == other.state)
        var folded = LogState()
        try log.fold(into: &folded)
        #expect(await one.state == folded)
    }

    @Test("notes a clock that was set, before the reading that showed it")
    func clock() async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(1)])
        _ = try await appender.record([reading(2, clockSetBy: 1_999)])
        _ = try await appender.record([reading(3, clockSetBy: -3_600_000)])
        let events = try log.all.suffix(3)
        #expect(values([events.first].compactMap { $0 }) == [value(2)], "two seconds are jitter")
        #expect(
            events.dropFirst().first == .clockStepped(ClockStepped(stepMilliseconds: -3_601_999)))
    }

    @Test("takes a wall clock for set only beyond two seconds", arguments: [1, -1] as [Int64])
    func clockLimit(sign: Int64) async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(1), reading(2, clockSetBy: sign * 2_000)])
        #expect(try values(log.all.suffix(2)) == [value(1), value(2)])
        _ = try await appender.record([reading(3, clockSetBy: sign * 4_001)])
        let step = ClockStepped(stepMilliseconds: sign * 2_001)
        #expect(try log.all.suffix(2).first == .clockStepped(step))
    }

    @Test("refuses what makes no sense, and nothing else with it")
    func refusals() async throws {
        let appender = Appender(log, machine: machine)
        let outcomes = try await appender.record([
            reading(1), Input(.pause, at: arrival(after: 2)), reading(3),
        ])
        guard case .refused(let refusal) = outcomes[1] else {
            Issue.record("a pause without a session became \(outcomes[1])")
            return
        }
        #expect(refusal.code == .noSession)
        #expect(try values(log.all) == [value(1), value(3)])
    }
}
