import Events
import Projections
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
            let header = EventHeader(
                position: Position(index), source: source,
                stamp: Stamp(bootMilliseconds: 1, wallMilliseconds: 1, bootNumber: 0), flags: [],
                kind: event.kind, version: event.version)
            let payload = try event.encodedPayload()
            samples.evolve(header, payload.span)
        }
        return samples
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

    @Test("are left out after some days, and if there are too many")
    func bounds() throws {
        var samples = StepSamples()
        samples.add(sample(0, 1, 1))
        samples.add(sample(2 * day, 2 * day, 2))
        samples.add(sample(1 + StepSamples.keptMilliseconds, 1 + StepSamples.keptMilliseconds, 3))
        #expect(samples.all.map(\.steps) == [1, 2, 3])
        samples.add(sample(5 * day, 2 + StepSamples.keptMilliseconds, 4))
        #expect(samples.all.map(\.steps) == [2, 4, 3])
        for number in 0..<Int64(StepSamples.limit) {
            samples.add(sample(3 * day + number, 3 * day + number, 5))
        }
        #expect(samples.all.count == StepSamples.limit)
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

    @Test("come back from a snapshot")
    func snapshot() throws {
        let samples = try folded([sample(5, 10, 80).event, sample(-7, 6, 1, by: "é").event])
        let bytes = samples.canonicalBytes()
        #expect(try StepSamples(canonicalBytes: bytes.span) == samples)
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(throws: DamagedState.self) { try StepSamples(canonicalBytes: prefix.span) }
        }
    }
}
