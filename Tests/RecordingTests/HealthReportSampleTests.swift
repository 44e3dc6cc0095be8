import Deciding
import EventStore
import Events
import Projections
import Testing

@Suite("Taking samples of a health report")
struct HealthReportSampleTests {
    private let log = InMemoryEventLog()
    /// 09:00 UTC on 2026-03-01.
    private let nine: Int64 = 1_772_355_600_000
    private let hour: Int64 = 3_600_000

    private func sample(
        _ began: Int64, _ ended: Int64, _ steps: UInt64, by source: String = "phone"
    ) -> StepSample {
        StepSample(
            origin: "test", countedBy: source, beganAtMilliseconds: nine + began,
            endedAtMilliseconds: nine + ended, steps: steps)
    }

    /// Adds the samples of each date up.
    @Sendable
    private func sum(
        _ samples: [StepSample], _ offsetMinutes: @escaping @Sendable (Int64) -> Int64
    ) -> [HealthTotal] {
        let byDate = Dictionary(grouping: samples) { sample in
            CivilDate(
                wallMilliseconds: sample.lastMilliseconds,
                zoneOffsetMinutes: offsetMinutes(sample.lastMilliseconds))
        }
        return byDate.map { date, samples in
            HealthTotal(date: date, steps: samples.reduce(0) { $0 + $1.steps })
        }.sorted { $0.date < $1.date }
    }

    /// Takes samples, as a process does that knows only the log.
    private func take(
        _ samples: [StepSample], after milliseconds: UInt64 = 0
    ) async throws -> HealthOutcome {
        try await Appender(log, machine: machine).record(
            HealthReport(origin: .push, samples: samples), at: arrival(after: milliseconds),
            totals: sum)
    }

    private func ignored(
        _ date: String, _ reason: IgnoredSamples.Reason
    ) throws -> [IgnoredSamples] {
        let date: CivilDate = try #require(CivilDate(date))
        return [IgnoredSamples(date: date, count: 1, reason: reason)]
    }

    @Test("makes totals of samples, also of those that another process recorded")
    func totals() async throws {
        #expect(try await take([sample(0, 0, 100)]).days.map(\.displayed) == [100])
        #expect(try await take([sample(1, 1, 50)]).days.map(\.displayed) == [150])
        let head = try log.next
        let again = try await take([sample(0, 0, 100)])
        #expect(again.days.map(\.outcome) == [.known] && again.newSamples == 0)
        #expect(try log.next == head)
        // The store has counted further since.
        #expect(try await take([sample(1, 1, 70)]).days.map(\.displayed) == [170])
        let day = 24 * hour
        let oldest = try await take([sample(-5 * day, -5 * day, 9)])
        #expect(oldest.newSamples == 1 && oldest.ignored.isEmpty)
        let old = try await take([sample(-6 * day, -6 * day, 9)])
        #expect(old.newSamples == 0)
        #expect(try old.ignored == ignored("2026-02-23", .tooOld))
        let future = try await take([sample(day + 1, day + 1, 9)])
        #expect(future.newSamples == 0 && future.days.isEmpty)
        #expect(try future.ignored == ignored("2026-03-02", .inFuture))
    }

    @Test("counts no sample as new that the log does not hold")
    func refusedSample() async throws {
        let outcome = try await take([
            sample(0, 0, 1), sample(0, 0, 1, by: String(repeating: "x", count: 257)),
        ])
        #expect(outcome.days.map(\.total.steps) == [1])
        #expect(outcome.newSamples == 1)
        #expect(try outcome.ignored == ignored("2026-03-01", .invalid))
        #expect(try log.all.count { $0.kind == .stepSampleObserved } == 1)
    }

    @Test("does not count a fraction again that another message rounds otherwise")
    func fractions() async throws {
        // Seconds of 0.4 steps, of which each message repeats most, from one second later on.
        func report(from first: Int64) -> HealthReport {
            let samples = (first..<first + 60).map { second in
                let before = 400 * (second - first) + 500
                return sample(
                    second * 1_000, second * 1_000 + 1_000,
                    UInt64((before + 400) / 1_000 - before / 1_000))
            }
            var report = HealthReport(origin: .push, samples: samples)
            report.roundedSamples = Array(samples.indices)
            return report
        }
        let appender = Appender(log, machine: machine)
        var steps: UInt64?
        for first: Int64 in [0, 1, 2, 3] {
            let outcome = try await appender.record(
                report(from: first), at: arrival(after: 600_000), totals: sum)
            steps = outcome.days.last?.total.steps
        }
        #expect(steps.map { (24...27).contains($0) } == true, "\(steps ?? 0) for 25.2")

        // What is more than that is news; so is a step more of a whole number.
        var more = HealthReport(origin: .push, samples: [sample(0, 1_000, 3)])
        more.roundedSamples = [0]
        #expect(try await appender.record(more, at: arrival(after: 0), totals: sum).newSamples == 1)
        #expect(try await take([sample(0, 1_000, 4)]).newSamples == 1)
    }

    @Test("counts a sample that ends at midnight for the date before")
    func untilMidnight() async throws {
        let midnight = -9 * hour
        let last = try await take([sample(midnight - hour, midnight, 600)])
        #expect(last.days.map(\.total.date) == [CivilDate("2026-02-28")])
        // The last hour of the sixth date back is too old, and no part of the fifth.
        let edge = midnight - 5 * 24 * hour
        let old = try await take([sample(edge - hour, edge, 600)])
        #expect(old.days.isEmpty && old.newSamples == 0)
        #expect(try old.ignored == ignored("2026-02-23", .tooOld))
    }

    @Test("makes totals of whole dates only, where samples are too many to be kept")
    func tooManySamples() async throws {
        func take(_ day: Int64, _ range: Range<Int64>) async throws -> HealthOutcome {
            let start = day * 24 * hour - 9 * hour
            return try await self.take(
                range.map { sample(start + $0 * 2_000, start + $0 * 2_000, 1) })
        }
        for day: Int64 in [-2, -1, 0] {
            let outcome = try await take(day, 0..<8_000)
            #expect(outcome.newSamples == 8_000 && outcome.days.map(\.displayed) == [8_000])
        }
        // Half of the day before yesterday is forgotten.
        let more = try await take(-2, 8_000..<8_001)
        #expect(more.days.isEmpty && more.newSamples == 0)
        #expect(more.ignored.map(\.reason) == [.tooOld])
        #expect(try await take(-1, 8_000..<8_001).days.map(\.displayed) == [8_001])
    }

    @Test("reads a long log once for all reports, and no further for those that are given up")
    func foldsOnce() async throws {
        let samples = (0..<5_000).map { sample(Int64($0), Int64($0), 1) }
        _ = try await take(samples)
        let held = HeldLog(log)
        let appender = Appender(held, machine: machine)
        try await appender.catchUp()
        held.hold()
        func post(_ number: Int64) -> Task<HealthOutcome, any Error> {
            let report = HealthReport(
                origin: .push, samples: [sample(5_000 + number, 5_000 + number, 1)])
            return Task(executorPreference: HeldLog.executor) {
                try await appender.record(report, at: arrival(after: 0), totals: sum)
            }
        }
        let posts = [post(0), post(1)]
        while await appender.waitingForSamples.isEmpty { await Task.yield() }
        for post in posts { post.cancel() }
        held.letGo()
        for post in posts {
            await #expect(throws: CancellationError.self) { try await post.value }
        }
        #expect(held.starts == [0])
        #expect(try await post(2).value.days.map(\.displayed) == [5_001])
        #expect(held.starts.count { $0 == 0 } == 1)
    }
}
