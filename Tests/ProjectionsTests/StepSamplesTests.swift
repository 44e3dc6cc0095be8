import Events
import Projections
import TestSupport
import Testing

@Suite("The samples of the last days")
struct StepSamplesTests {
    private let day: Int64 = 86_400_000

    private func sample(
        _ began: Int64, _ ended: Int64, _ steps: UInt64, by source: String = "phone"
    ) -> StepSample {
        StepSample(
            origin: "app", countedBy: source, beganAtMilliseconds: began,
            endedAtMilliseconds: ended, steps: steps)
    }

    private func folded(_ events: [Event], source: UInt32 = 0) throws -> StepSamples {
        var samples = StepSamples()
        for (index, event) in events.enumerated() {
            let stamp = Stamp(bootMilliseconds: 1, wallMilliseconds: 1, bootNumber: 0)
            try samples.take(RecordedEvent(event, at: Position(index), stamp, source: source))
        }
        return samples
    }

    /// Folds the next event, which came at a wall time.
    private func evolve(_ samples: inout StepSamples, _ event: Event, at wall: Int64) throws {
        let stamp = Stamp(bootMilliseconds: 1, wallMilliseconds: wall, bootNumber: 0)
        try samples.take(RecordedEvent(event, at: samples.next, stamp))
    }

    @Test("count each counting once, as far as it was told, in any order")
    func once() throws {
        let told = [
            sample(5, 10, 80), sample(5, 20, 120), sample(5, 15, 100), sample(5, 20, 119),
            sample(5, 10, 70, by: "watch"), sample(1, 2, 3), sample(5, 25, 120), sample(1, 2, 3),
        ]
        for turn in 0..<told.count {
            let order = told[turn...] + told[..<turn]
            let samples = try folded(order.map(\.event))
            #expect(samples.all.first == sample(1, 2, 3))
            #expect(
                Set(samples.all)
                    == [sample(1, 2, 3), sample(5, 25, 120), sample(5, 10, 70, by: "watch")])
            #expect(samples.all.count == 3)
            #expect(samples.next == 8)
            #expect(told.allSatisfy { !samples.isNews($0) })
            #expect(samples.isNews(sample(5, 5, 121)))
            #expect(samples.isNews(sample(5, 26, 120)))
            #expect(samples.isNews(sample(6, 6, 0)))
        }
    }

    @Test("are of the live recorder alone")
    func live() throws {
        #expect(try folded([sample(1, 2, 3).event], source: 1).all.isEmpty)
        let others: [Event] = [.sessionPaused(SessionPaused()), .noted(Noted(text: "x"))]
        #expect(try folded(others).next == 2)
    }

    @Test("are left out eight days after they ended, and it is known until when some are missing")
    func outdated() throws {
        let kept = StepSamples.keptMilliseconds
        let old = [sample(0, 5, 1), sample(1, 2, 2), sample(5, 6, 3)]
        let late = sample(7 * day, 7 * day, 4)
        var samples = try folded(old.map(\.event))
        try evolve(&samples, late.event, at: kept + 2)
        #expect(samples.all == old + [late])
        #expect(samples.incompleteUntilMilliseconds == nil)
        // What stands behind a sample that goes on is left out with it.
        try evolve(&samples, sample(8 * day, 8 * day, 5).event, at: kept + 6)
        #expect(samples.all.map(\.steps) == [3, 4, 5])
        #expect(samples.incompleteUntilMilliseconds == 4)
        // A clock that is set back leaves nothing out, and brings nothing back.
        try evolve(&samples, sample(1, 2, 2).event, at: 1)
        #expect(samples.all.map(\.steps) == [2, 3, 4, 5])
        #expect(samples.incompleteUntilMilliseconds == 4)
    }

    @Test("are left out if there are too many, the first ones first")
    func tooMany() throws {
        var samples = StepSamples()
        for number in 0..<Int64(StepSamples.limit) { samples.add(sample(number, number + 10, 5)) }
        #expect(samples.incompleteUntilMilliseconds == nil)
        samples.add(sample(3 * day, 3 * day, 5))
        #expect(samples.all.count == StepSamples.limit)
        #expect(samples.all.first == sample(1, 11, 5))
        #expect(samples.incompleteUntilMilliseconds == 9)
        let later = (0..<3).map { sample(3 * day + 3 - $0, 3 * day + 3, 5) }
        #expect(samples.add(later) == later)
        #expect(samples.all.count == StepSamples.limit)
        #expect(samples.all.first == sample(4, 14, 5))
        #expect(samples.incompleteUntilMilliseconds == 12)
    }

    @Test("are the same added at once as one by one", arguments: 0..<32 as Range<UInt64>)
    func addedAtOnce(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func told(_ count: Int) -> [StepSample] {
            (0..<count).map { _ in
                let began = Int64.random(in: 0..<12, using: &random)
                return sample(
                    began, began + Int64.random(in: 0..<3, using: &random),
                    UInt64.random(in: 0..<6, using: &random),
                    by: ["phone", "watch"].randomElement(using: &random) ?? "")
            }
        }
        var (atOnce, oneByOne) = (StepSamples(), StepSamples())
        for count in [0, 1, 10, 30] {
            let told = told(count)
            let expected = told.filter { sample in
                defer { oneByOne.add(sample) }
                return oneByOne.isNews(sample)
            }
            #expect(atOnce.add(told) == expected, "seed \(seed)")
            #expect(atOnce == oneByOne, "seed \(seed)")
        }
    }

    @Test("never trap on what a log may hold")
    func extremes() {
        var samples = StepSamples()
        let limit = FieldRange.signed
        for began in [limit.lowerBound, 0, limit.upperBound] {
            for ended in [limit.lowerBound, 0, limit.upperBound] {
                samples.add(sample(began, ended, FieldRange.stepsTotal.upperBound))
            }
        }
        #expect(!samples.all.isEmpty)
    }
}

extension StepSamples {
    fileprivate mutating func take(_ recorded: RecordedEvent) throws {
        let payload = try recorded.event.encodedPayload()
        evolve(recorded.header, payload.span)
    }
}
