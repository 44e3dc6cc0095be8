import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("Multiplied delivery")
struct DeliveryPropertyTests {
    @Test(
        "B9: a walk whose values all came k times has the figures of the walk",
        arguments: sample(0..<40, 8))
    func division(seed: UInt64) throws {
        let walk = Walk(seed: seed)
        let once = try walk.tape(factor: 1, seed: seed).tape.session
        for factor in 2...4 {
            let (tape, copies) = try walk.tape(factor: factor, seed: seed)
            let many = tape.session
            let place: Comment = "seed \(seed), \(factor) times"
            #expect(tape.own.devices.strap?.link.delivery.factor == UInt64(factor), place)
            #expect(many.link.deliveryFactor == UInt64(factor), place)
            #expect(many.heartRate.samples == once.heartRate.samples, place)
            #expect(many.heartRate.sum == once.heartRate.sum, place)
            #expect(many.heartRate.mean == once.heartRate.mean, place)
            #expect(many.heartRate.weightedSum == once.heartRate.weightedSum, place)
            #expect(many.heartRate.timeWeightedMean == once.heartRate.timeWeightedMean, place)
            #expect(many.heartRate.minimum == once.heartRate.minimum, place)
            #expect(many.heartRate.maximum?.bpm == once.heartRate.maximum?.bpm, place)
            #expect(
                many.heartRate.supportedMaximum?.bpm == once.heartRate.supportedMaximum?.bpm, place)
            #expect(many.heartRate.zones == once.heartRate.zones, place)
            #expect(many.heartRate.excluded.zero == once.heartRate.excluded.zero, place)
            #expect(many.heartRate.excluded.noContact == once.heartRate.excluded.noContact, place)
            #expect(many.heartRate.excluded.paused == once.heartRate.excluded.paused, place)
            #expect(
                many.heartRate.excluded.undecodable == once.heartRate.excluded.undecodable, place)
            #expect(many.rr == once.rr, place)
            #expect(many.filteredRR == once.filteredRR, place)
            #expect(many.rrConservation == once.rrConservation, place)
            #expect(many.accounting == once.accounting, place)
            #expect(many.heartRate.excluded.copies == copies, place)
            #expect(
                many.link.spans.map(\.durationMilliseconds)
                    == once.link.spans.map(\.durationMilliseconds), place)
        }
    }
}

/// A walk in values: how long after the start each came, and what it was.
struct Walk {
    enum Act {
        case value(bpm: UInt16, contact: UInt8, rr: [UInt16])
        case malformed
        case pause
        case resume
        case loss
        case link

        /// The event of a value; only values have one.
        var value: Event {
            guard case .value(let bpm, let contact, let rr) = self else {
                return .characteristicNotified(CharacteristicNotified(device: strap, value: [1]))
            }
            return .notified(strap, heartValue(bpm, contact, rr))
        }
    }

    var acts: [(after: UInt64, act: Act)] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bpm: UInt16 = 90
        var isPaused = false
        var isLost = false
        for _ in 0..<150 {
            switch random.below(30) {
            case 0:
                acts.append((20 + random.below(3_000), isPaused ? .resume : .pause))
                isPaused.toggle()
            case 1:
                acts.append((20 + random.below(20_000), isLost ? .link : .loss))
                isLost.toggle()
            case 2: acts.append((400 + random.below(8_000), .malformed))
            default: break
            }
            // Often the same bytes as the value before, a second later.
            if random.below(3) == 0 { bpm = 80 + UInt16(random.below(40)) }
            let rr = (0..<random.below(3)).map { _ in UInt16(640 + random.below(2) * 60) }
            let contact: UInt8 = random.below(15) == 0 ? 2 : 3
            let gap = random.below(12) == 0 ? 7_000 : 300 + random.below(1_200)
            acts.append((gap, .value(bpm: bpm, contact: contact, rr: rr)))
            isLost = false
        }
    }

    /// The tape of the walk, each value `factor` times, the copies within 20 ms.
    ///
    /// A link loss takes some of the copies of the value before it.
    func tape(factor: Int, seed: UInt64) throws -> (tape: Tape, copies: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tape = try Tape.walkingLinked()
        var copies: UInt64 = 0
        var late: UInt64 = 0
        for (index, (after, act)) in acts.enumerated() {
            tape.wait(after - late)
            late = 0
            switch act {
            case .value, .malformed:
                var count = factor
                if index + 1 < acts.count, case .loss = acts[index + 1].act {
                    count = 1 + Int(random.below(UInt64(factor)))
                }
                for copy in 0..<count {
                    if copy > 0 {
                        let delay = random.below(UInt64(20 / (factor - 1)))
                        tape.wait(delay)
                        late += delay
                        copies += 1
                    }
                    tape.append(act.value)
                }
            case .pause: try tape.command(.pause)
            case .resume: try tape.command(.resume)
            case .loss: tape.linkLost()
            case .link: tape.linkUp()
            }
        }
        tape.wait(2_000 - late)
        return (tape, copies)
    }
}
