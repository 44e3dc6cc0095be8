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
        arguments: sample(0..<200, 12) + [31, 102])
    func same(seed: Int) async throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 300)
        var random = SeededGenerator(seed: UInt64(seed))
        let log = InMemoryEventLog()
        var (state, earlier) = (LogState(), EarlierStates(interval: 1 + random.below(30)))
        let each = 1 + random.below(30)
        var certifiers = Certifiers(interval: each)
        while state.next < UInt64(tape.recorded.count) {
            let part = tape.recorded[Int(state.next)...].prefix(1 + Int(random.below(120)))
            _ = try await log.append(EventBatch(of: part), expecting: nil)
            try log.fold(until: try log.next, into: &state, keeping: &earlier)
            // They go through a file each time.
            certifiers = try #require(Certifiers(bytes: certifiers.bytes() ?? [], interval: each))
            let whole = try log.certify()
            for day in state.dayReports() {
                let (date, none) = (day.date, EarlierStates())
                var (begun, stairs, told) = (Certifiers(), [StepsChange](), [StepsChange]())
                let certified = try log.certify(
                    date, until: state, from: earlier, &certifiers
                ) { told.add($0) }
                let expected = try log.certify(
                    date, until: state, from: none, &begun
                ) { stairs.add($0) }
                #expect(try stairs == log.staircase(of: date, until: state, from: earlier))
                #expect(told == stairs)
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

    @Test("goes on from certifiers of this version only, and takes no harm from forged ones")
    func forged() async throws {
        let log = InMemoryEventLog()
        let tape = try RandomWalk.tape(seed: 7, steps: 300)
        _ = try await log.append(EventBatch(of: tape.recorded[...]), expecting: nil)
        var certifiers = Certifiers(interval: 40)
        _ = try log.certifier(before: log.next, from: &certifiers)
        let bytes = try #require(certifiers.bytes())
        // Whoever changes what a certifier does, or carries, gives it another version.
        #expect([Certifiers.version, Int(CRC32C.checksum(bytes.span))] == [2, 4_022_051_174])
        #expect(Certifiers(bytes: bytes.dropLast()) == nil)
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var forged = bytes
                forged[index] = value
                guard var read = Certifiers(bytes: forged, interval: 40) else { continue }
                _ = try log.certifier(before: log.next, from: &read)
            }
        }
    }

    @Test("begins anew with another log")
    func another() async throws {
        var certifiers = Certifiers(interval: 4)
        for seed in [1, 2] {
            let log = InMemoryEventLog()
            let tape = try RandomWalk.tape(seed: seed, steps: 100)
            _ = try await log.append(EventBatch(of: tape.recorded[...]), expecting: nil)
            let certifier = try log.certifier(before: log.next, from: &certifiers)
            var begun = Certifiers()
            let expected = try log.certifier(before: log.next, from: &begun)
            for date in tape.state.dayReports().map(\.date) {
                #expect(certifier.certificate(of: date) == expected.certificate(of: date))
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
