import Certification
import Deciding
import EventStore
import Events
import Projections
import TestSelection
import TestSupport
import Testing

/// What looks back at a day from the states along a log, against what begins with the first event.
@Suite("A day, audited from the states along the log")
struct DayAuditTests {
    @Test(
        "is what it is from the first event on, at every end of the log",
        arguments: sample(0..<200, 12))
    func same(seed: Int) async throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 300)
        var random = SeededGenerator(seed: UInt64(seed))
        let log = InMemoryEventLog()
        var (state, earlier) = (LogState(), EarlierStates(interval: 1 + random.below(30)))
        while state.next < UInt64(tape.recorded.count) {
            let part = tape.recorded[Int(state.next)...].prefix(1 + Int(random.below(120)))
            _ = try await log.append(EventBatch(of: part), expecting: nil)
            try log.fold(until: try log.next, into: &state, keeping: &earlier)
            let whole = try log.certify()
            for day in state.dayReports() {
                let (date, none) = (day.date, EarlierStates())
                let audit = try log.audit(date, until: state, from: earlier)
                let expected = try log.audit(date, until: state, from: none)
                #expect(audit.staircase == expected.staircase, "seed \(seed), \(date)")
                #expect(audit.certified == expected.certified, "seed \(seed), \(date)")
                if case .success(let all) = whole {
                    #expect(audit.certified == .success(all.filter { $0.date == date }))
                }
                let explained = try log.explain(date, until: state, from: earlier)
                let fully = try log.explain(date, until: state, from: none)
                #expect(explained.isSame(as: fully), "seed \(seed), \(date)")
                let events = try log.canonicalEvents(of: date, asOf: state.next, from: earlier)
                #expect(try events == log.canonicalEvents(of: date, asOf: state.next))
            }
        }
        #expect(earlier.count > 3)
    }

    @Test("goes on from what a certifier carried, and from no other bytes")
    func carried() throws {
        var certifier = StepsCertifier()
        for recorded in try RandomWalk.tape(seed: 4, steps: 300).recorded {
            try recorded.withView { certifier.take($0) }
            let bytes = try #require(certifier.carried(since: 0))
            #expect(try StepsCertifier(carried: [bytes]).carried(since: 0) == bytes)
            for end in [0, bytes.count / 2, bytes.count - 1] {
                #expect(throws: FieldError.self) {
                    try StepsCertifier(carried: [Array(bytes[..<end])])
                }
            }
        }
    }
}

extension StepsExplanation {
    /// Whether it says the same.
    fileprivate func isSame(as other: StepsExplanation) -> Bool {
        String(reflecting: parts) == String(reflecting: other.parts)
    }

    private var parts: [Any] {
        let sums: [Any] = [displayed, corrected, delta, earlierStretches, earlierSteps]
        let counts: [Any] = [uncountedReadings, unreadableReadings, openedPosition as Any]
        let lists: [Any] = [stretches, corrections, uncounted, otherPedometers, setAside]
        return sums + counts + lists + [baseline, lateTotal as Any]
    }
}
