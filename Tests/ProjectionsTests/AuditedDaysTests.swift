import Deciding
import EventStore
import Events
import Projections
import TestSelection
import TestSupport
import Testing

/// What is kept of an audit, against an audit from the first event on.
@Suite("Days audited as the log grows")
struct AuditedDaysTests {
    private func append(_ events: ArraySlice<RecordedEvent>, to log: InMemoryEventLog) async throws
    {
        _ = try await log.append(EventBatch(of: events), expecting: nil)
    }

    @Test(
        "have the staircases and certificates of one reading of all", arguments: sample(0..<12, 3))
    func grows(seed: Int) async throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 200)
        var random = SeededGenerator(seed: UInt64(seed))
        let log = InMemoryEventLog()
        var days = AuditedDays(interval: 1 + random.below(12))
        var state = LogState()
        while state.next < UInt64(tape.recorded.count) {
            let part = tape.recorded[Int(state.next)...].prefix(1 + Int(random.below(60)))
            try await append(part, to: log)
            try log.fold(from: state.next, into: &state)
            for day in state.dayReports() {
                let answer = try days.audit(day, in: log)
                #expect(try answer.staircase == log.staircase(of: day), "seed \(seed)")
                #expect(try answer.certified == log.certify(day.date), "seed \(seed)")
            }
        }
        #expect(try !log.staircase(of: state.dayReports()[0]).isEmpty)
    }

    @Test("begin anew with another log")
    func another() async throws {
        var days = AuditedDays(interval: 4)
        for seed in [1, 2] {
            let tape = try RandomWalk.tape(seed: seed, steps: 100)
            let log = InMemoryEventLog()
            try await append(tape.recorded[...], to: log)
            try days.read(log)
            let expected = try log.certify(nil)
            #expect(days.certified(nil) == expected)
        }
    }
}
