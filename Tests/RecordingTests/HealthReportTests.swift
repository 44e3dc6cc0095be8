import Clocks
import Deciding
import EventStore
import Events
import Projections
import Testing

@Suite("Taking a health report")
struct HealthReportTests {
    private let log = InMemoryEventLog()
    private let today = CivilDate("2026-03-01") ?? .epoch
    private let yesterday = CivilDate("2026-02-28") ?? .epoch

    private func take(
        _ totals: [HealthTotal], _ appender: Appender, after milliseconds: UInt64 = 0
    ) async throws -> [HealthReceipt.Outcome] {
        let report = HealthReport(origin: .push, totals: totals)
        let outcome = try await appender.record(report, at: arrival(after: milliseconds)) {
            (_, _) in []
        }
        return outcome.days.map(\.outcome)
    }

    @Test("records each date's greatest total, and reconciles today's")
    func greatest() async throws {
        let appender = Appender(log, machine: machine)
        let outcomes = try await take(
            [
                HealthTotal(date: today, steps: 8_000), HealthTotal(date: yesterday, steps: 7_000),
                HealthTotal(date: today, steps: 8_123), HealthTotal(date: today, steps: 1),
            ], appender)
        #expect(outcomes == [.taken, .taken])
        #expect(await appender.state.own.steps[today]?.displayed == 8_123)
        #expect(await appender.state.own.steps[yesterday]?.displayed == 7_000)
        let kinds = try log.all.map(\.kind).filter { $0.lane == .steps }
        #expect(
            kinds == [
                .reconciliationTriggered, .healthTotalObserved, .healthTotalObserved,
                .reconciliationTriggered,
            ])
    }

    @Test("makes no event of what the log knows")
    func known() async throws {
        let appender = Appender(log, machine: machine)
        let total = HealthTotal(date: today, steps: 8_123, validUntilMilliseconds: 5)
        #expect(try await take([total], appender) == [.taken])
        let head = try log.next
        for other in [
            total, HealthTotal(date: today, steps: 8_122, validUntilMilliseconds: 9),
            HealthTotal(date: today, steps: 8_123),
            HealthTotal(date: today, steps: 8_123, validUntilMilliseconds: 4),
        ] {
            #expect(try await take([other], appender, after: 1_000) == [.known])
        }
        #expect(try log.next == head)
        #expect(try await take([total], Appender(log, machine: rebooted)) == [.known])
        #expect(try log.next == head, "nor of a boot for it")
        let later = HealthTotal(date: today, steps: 8_123, validUntilMilliseconds: 6)
        #expect(try await take([later], appender, after: 2_000) == [.taken])
    }

    static let wrong: [(date: String, steps: UInt64, outcomes: [HealthReceipt.Outcome])] = [
        ("2026-03-02", 5, [.taken, .refused(Refusal(.futureDate))]),
        ("2026-02-28", 200_001, [.refused(Refusal(.totalNotCredible)), .taken]),
    ]

    @Test("refuses a date to come, and what nobody walks, and takes the others", arguments: wrong)
    func refused(date: String, steps: UInt64, outcomes: [HealthReceipt.Outcome]) async throws {
        let wrong = HealthTotal(date: try #require(CivilDate(date)), steps: steps)
        let right = HealthTotal(date: today, steps: 5)
        let appender = Appender(log, machine: machine)
        #expect(try await take([wrong, right], appender) == outcomes)
    }

    @Test("says that the clock is not set, whatever is told")
    func clockNotSet() async throws {
        let appender = Appender(log, machine: machine)
        var early = arrival(after: 0)
        early.wallMilliseconds = Arrival.earliestTrustedMilliseconds - 1
        for report in [
            HealthReport(origin: .push),
            HealthReport(origin: .push, totals: [HealthTotal(date: today, steps: 5)]),
        ] {
            await #expect(throws: ClockNotSet.self) {
                try await appender.record(report, at: early) { _, _ in [] }
            }
        }
        #expect(try log.next == 0)
        early.wallMilliseconds += 1
        let report = HealthReport(
            origin: .push,
            totals: [HealthTotal(date: CivilDate("2024-01-01") ?? .epoch, steps: 5)])
        let outcome = try await appender.record(report, at: early) { _, _ in [] }
        #expect(outcome.days.map(\.outcome) == [.taken])
    }

    @Test("records a total once, however many processes are told it at once")
    func contention() async throws {
        let total = HealthTotal(date: today, steps: 8_123)
        let outcomes = try await withThrowingTaskGroup(of: [HealthReceipt.Outcome].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await take([total], Appender(log, machine: machine))
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count { $0 == .taken } == 1)
        let observed = try log.all.filter { $0.kind == .healthTotalObserved }
        #expect(observed.count == 1)
    }
}
