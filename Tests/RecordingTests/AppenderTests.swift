import EventStore
import Events
import Projections
import Recording
import Synchronization
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

    @Test("makes a request again from the state of those who came first")
    func decidingAgain() async throws {
        let other = Appender(log, machine: machine)
        let busy = ContestedLog(log) {
            _ = try await other.record([setProfile { $0.weightGrams = 75_000 }])
            _ = try await other.record([setProfile { $0.dailyGoalSteps = 8_000 }])
        }
        let appender = Appender(busy, machine: machine)
        let outcomes = try await appender.record { (state) throws(EventLogError) in
            var profile = state.live.recorder.profile
            profile.heightMillimetres = 1_800
            return [Input(.setProfile(profile), at: arrival(after: 1))]
        }
        #expect(outcomes.count == 1)
        let profile = await appender.state.live.recorder.profile
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
        let telling = Input(.news(total, origin: "phone"), at: arrival(after: 1))
        let other = Appender(log, machine: machine)
        let busy = ContestedLog(log) { _ = try await other.record([telling]) }
        _ = try await Appender(busy, machine: machine).record([telling])
        let observed = try log.all.filter {
            if case .healthTotalObserved = $0 { true } else { false }
        }
        #expect(observed.count == 1)
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

/// A request that replaces the profile of an empty log.
private func setProfile(_ change: (inout Profile) -> Void) -> Input {
    var profile = Profile()
    change(&profile)
    return Input(.setProfile(profile), at: arrival(after: 0))
}

/// A log to which others append just before the first append.
private final class ContestedLog: EventLog {
    private let log: InMemoryEventLog
    private let others: Mutex<(@Sendable () async throws -> Void)?>

    init(_ log: InMemoryEventLog, others: @escaping @Sendable () async throws -> Void) {
        self.log = log
        self.others = Mutex(others)
    }

    var next: Position {
        get throws(EventLogError) { try log.next }
    }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        if let others = others.withLock({ $0.take() }) {
            do {
                try await others()
            } catch {
                throw EventLogError(.storage, detail: "\(error)")
            }
        }
        return try await log.append(batch, expecting: expected)
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try log.readBlocks(from: start, body)
    }

    func waitForEvent(at position: Position) async throws(EventLogError) {
        try await log.waitForEvent(at: position)
    }
}
