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
        var certifiers = Certifiers(interval: 1 + random.below(30))
        while state.next < UInt64(tape.recorded.count) {
            let part = tape.recorded[Int(state.next)...].prefix(1 + Int(random.below(120)))
            _ = try await log.append(EventBatch(of: part), expecting: nil)
            try log.fold(until: try log.next, into: &state, keeping: &earlier)
            let whole = try log.certify()
            for day in state.dayReports() {
                let (date, none) = (day.date, EarlierStates())
                let stairs = try log.staircase(of: date, until: state, from: earlier)
                #expect(try stairs == log.staircase(of: date, until: state, from: none))
                var begun = Certifiers()
                let certified = try log.certify(date, until: state, from: earlier, &certifiers)
                let expected = try log.certify(date, until: state, from: none, &begun)
                #expect(certified == expected, "seed \(seed), \(date)")
                if case .success(let all) = whole {
                    #expect(certified == .success(all.filter { $0.date == date }))
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

    @Test("begins anew with another log")
    func another() async throws {
        var certifiers = Certifiers(interval: 4)
        for seed in [1, 2] {
            let log = InMemoryEventLog()
            let tape = try RandomWalk.tape(seed: seed, steps: 100)
            _ = try await log.append(EventBatch(of: tape.recorded[...]), expecting: nil)
            let (state, none) = (tape.state, EarlierStates())
            for day in state.dayReports() {
                var begun = Certifiers()
                let certified = try log.certify(day.date, until: state, from: none, &certifiers)
                let expected = try log.certify(day.date, until: state, from: none, &begun)
                #expect(certified == expected, "seed \(seed), \(day.date)")
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
