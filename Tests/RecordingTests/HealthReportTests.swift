import Clocks
import Deciding
import EventStore
import Events
import Projections
import Recording
import Testing

@Suite("Taking a health report")
struct HealthReportTests {
    private let log = InMemoryEventLog()
    private let today = CivilDate("2026-03-01") ?? .epoch
    private let yesterday = CivilDate("2026-02-28") ?? .epoch

    private func take(
        _ totals: [HealthTotal], _ appender: Appender, after milliseconds: UInt64 = 0
    ) async throws -> [HealthReceipt.Outcome] {
        let report = HealthReport(origin: "test", totals: totals)
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
        #expect(await appender.state.live.steps[today]?.displayed == 8_123)
        #expect(await appender.state.live.steps[yesterday]?.displayed == 7_000)
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
        let later = HealthTotal(date: today, steps: 8_123, validUntilMilliseconds: 6)
        #expect(try await take([later], appender, after: 2_000) == [.taken])
    }

    @Test("refuses a date to come and takes the others")
    func future() async throws {
        let appender = Appender(log, machine: machine)
        let tomorrow = CivilDate("2026-03-02") ?? .epoch
        let outcomes = try await take(
            [HealthTotal(date: today, steps: 5), HealthTotal(date: tomorrow, steps: 5)], appender)
        #expect(outcomes == [.taken, .refused(Refusal(.futureDate))])
    }

    @Test("refuses a total that nobody walks in a day, and takes the others")
    func notCredible() async throws {
        let appender = Appender(log, machine: machine)
        let yesterday = CivilDate("2026-02-28") ?? .epoch
        let outcomes = try await take(
            [HealthTotal(date: yesterday, steps: 200_001), HealthTotal(date: today, steps: 5)],
            appender)
        #expect(outcomes == [.refused(Refusal(.totalNotCredible)), .taken])
    }

    @Test("says that the clock is not set, whatever is told")
    func clockNotSet() async throws {
        let appender = Appender(log, machine: machine)
        var early = arrival(after: 0)
        early.wallMilliseconds = Arrival.earliestTrustedMilliseconds - 1
        for report in [
            HealthReport(origin: "test"),
            HealthReport(origin: "test", totals: [HealthTotal(date: today, steps: 5)]),
        ] {
            await #expect(throws: ClockNotSet.self) {
                try await appender.record(report, at: early) { _, _ in [] }
            }
        }
        #expect(try log.next == 0)
        early.wallMilliseconds += 1
        let report = HealthReport(
            origin: "test",
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

    @Test("makes totals of samples, also of those that another process recorded")
    func samples() async throws {
        func report(_ began: Int64, _ steps: UInt64) -> HealthReport {
            let start = 1_772_355_600_000 + began
            let sample = StepSample(
                origin: "test", countedBy: "phone", beganAtMilliseconds: start,
                endedAtMilliseconds: start, steps: steps)
            return HealthReport(origin: "test", samples: [sample])
        }
        func take(_ report: HealthReport) async throws -> HealthOutcome {
            // A process that knows only the log.
            let appender = Appender(log, machine: machine)
            return try await appender.record(report, at: arrival(after: 0)) { samples, _ in
                [HealthTotal(date: today, steps: samples.reduce(0) { $0 + $1.steps })]
            }
        }
        #expect(try await take(report(0, 100)).days.map(\.displayed) == [100])
        #expect(try await take(report(1, 50)).days.map(\.displayed) == [150])
        let head = try log.next
        let again = try await take(report(0, 100))
        #expect(again.days.map(\.outcome) == [.known])
        #expect(again.newSamples == 0)
        #expect(try log.next == head)
        // The store has counted further since.
        #expect(try await take(report(1, 70)).days.map(\.displayed) == [170])
        let day: Int64 = 86_400_000
        let oldest = try await take(report(-5 * day, 9))
        #expect(oldest.newSamples == 1 && oldest.ignored.isEmpty)
        let old = try await take(report(-6 * day, 9))
        #expect(old.newSamples == 0)
        #expect(
            old.ignored == [
                IgnoredSamples(
                    date: CivilDate("2026-02-23") ?? .epoch, count: 1, reason: .tooOld)
            ])
        let future = try await take(report(day + 1, 9))
        #expect(future.newSamples == 0 && future.days.isEmpty)
        #expect(
            future.ignored == [
                IgnoredSamples(
                    date: CivilDate("2026-03-02") ?? .epoch, count: 1, reason: .inFuture)
            ])
    }

    @Test("counts no sample as new that the log does not hold")
    func refusedSample() async throws {
        let start = arrival(after: 0).wallMilliseconds
        let samples = ["phone", String(repeating: "x", count: 257)].map {
            StepSample(
                origin: "test", countedBy: $0, beganAtMilliseconds: start,
                endedAtMilliseconds: start, steps: 1)
        }
        let outcome = try await Appender(log, machine: machine).record(
            HealthReport(origin: "test", samples: samples), at: arrival(after: 0)
        ) { samples, _ in [HealthTotal(date: today, steps: UInt64(samples.count))] }
        #expect(outcome.days.map(\.total.steps) == [1])
        #expect(outcome.newSamples == 1)
        #expect(outcome.ignored == [IgnoredSamples(date: today, count: 1, reason: .invalid)])
        #expect(try log.all.count { $0.kind == .stepSampleObserved } == 1)
    }

    @Test("calls a total known that it knows, also where the machine has something to say first")
    func knownAfterBoot() async throws {
        let total = HealthTotal(date: today, steps: 8_123)
        #expect(try await take([total], Appender(log, machine: machine)) == [.taken])
        let head = try log.next
        let rebooted = Machine(bootID: [UInt8](repeating: 8, count: 16)) { _ in (60, "CET") }
        #expect(try await take([total], Appender(log, machine: rebooted)) == [.known])
        #expect(try log.next == head)
    }
}
