import Events
import Projections
import TestSupport
import Testing

@Suite("Delivery of values")
struct DeliveryTests {
    /// A tape of groups: each value as often as told, its copies 1 ms apart, groups a second apart.
    private func tape(_ counts: [Int], gap: UInt64 = 1_000, rules: Rules = Rules()) throws -> Tape {
        var tape = try Tape.walking(rules: rules)
        tape.groups(counts, gap: gap)
        return tape
    }

    private static let never = Rules(\.copyMilliseconds, 0)

    static let stretches: [(name: String, counts: [Int], samples: UInt64, copies: UInt64)] = [
        ("once each", [1, 1, 1, 1, 1, 1, 1], 7, 0),
        ("a pair is two values", [1, 1, 2, 1, 1], 6, 0),
        ("four pairs in a row are eight values", [1, 2, 2, 2, 2, 1], 10, 0),
        ("five pairs without the value that completes them are ten", [2, 2, 2, 2, 2], 10, 0),
        ("five complete pairs are five values", [2, 2, 2, 2, 2, 1], 6, 5),
        ("and so is what comes before and after", [1, 1, 2, 2, 2, 2, 2, 2, 1, 1], 10, 6),
        ("three times", [3, 3, 3, 3, 3, 3, 1], 7, 12),
        ("counts that differ prove nothing", [2, 3, 2, 3, 2, 3, 2, 3], 20, 0),
        ("what breaks a row begins none", [2, 2, 3, 3, 3, 3, 3, 3, 1], 13, 10),
        ("true values that come together are counted each", [2, 2, 2, 2, 2, 4, 2, 2, 1], 10, 9),
        ("over, and again", [2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 1], 14, 11),
        ("from three to two", [3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1], 14, 19),
        ("over with a pair, which is one value", [3, 3, 3, 3, 3, 3, 2, 1, 1], 9, 13),
    ]

    @Test("B9: is divided where it is proven, and nowhere else", arguments: stretches)
    func stretch(_ vector: (name: String, counts: [Int], samples: UInt64, copies: UInt64)) throws {
        let report = try tape(vector.counts).session.heartRate
        #expect(report.samples == vector.samples, "\(vector.name)")
        #expect(report.excluded.copies == vector.copies, "\(vector.name)")
    }

    @Test("B9: a rule of 0 ms switches it off")
    func switchedOff() throws {
        let report = try tape([2, 2, 2, 2, 2, 2, 2], rules: Self.never).session
        #expect(report.heartRate.samples == 14)
        #expect(report.link.deliveryFactor == 1)
    }

    @Test(
        "B9: true equal values at a high rate are no copies", arguments: [0, 1, 5, 10, 20, 21, 99])
    func bursts(gap: UInt64) throws {
        for count in [7, 40, 500] {
            var tape = try Tape.walking()
            for _ in 0..<count {
                tape.heart(80, rr: [750])
                tape.wait(gap)
            }
            #expect(tape.session.heartRate.samples == UInt64(count))
            #expect(tape.session.heartRate.excluded.copies == 0)
        }
    }

    @Test("B9: pairs less than 200 ms apart prove nothing", arguments: [30, 198] as [UInt64])
    func tooDense(gap: UInt64) throws {
        #expect(try tape([Int](repeating: 2, count: 30), gap: gap).session.heartRate.samples == 60)
    }

    @Test("B9: pairs more than 1.5 s apart prove nothing: a strap may send two at a time")
    func batches() throws {
        let report = try tape([Int](repeating: 2, count: 30), gap: 2_000).session.heartRate
        #expect(report.samples == 60)
        #expect(report.excluded.copies == 0)
    }

    /// Copies that come so late; whether they are recognized, with RR intervals and without.
    static let late: [(milliseconds: UInt64, isFound: Bool)] = [
        (10, true), (23, true), (100, true), (250, true), (251, false),
    ]

    @Test("B9: copies that come late are divided if the RR intervals prove them", arguments: late)
    func lateCopies(_ vector: (milliseconds: UInt64, isFound: Bool)) throws {
        let report = try Self.late(by: vector.milliseconds, [2, 2, 2, 2, 2, 2, 2, 1, 1]).session
        #expect(report.heartRate.samples == (vector.isFound ? 9 : 16))
        #expect(report.heartRate.excluded.copies == (vector.isFound ? 7 : 0))
        #expect(report.link.deliveryFactor == (vector.isFound ? 2 : 1))
        // Without intervals nothing proves it, as long as copies are no quicker than values.
        let bare = try Self.late(by: vector.milliseconds, [2, 2, 2, 2, 2, 2, 1], rr: []).session
        #expect(bare.heartRate.samples == (vector.milliseconds <= 20 ? 7 : 13))
    }

    @Test("B9: intervals that would leave half the time empty prove that the values are true")
    func trueTwins() throws {
        let counts = [Int](repeating: 2, count: 30)
        let report = try Self.late(by: 100, counts, rr: [512]).session
        #expect(report.heartRate.samples == 60)
        #expect(report.heartRate.excluded.copies == 0)
    }

    @Test("B9: copies that become late in a trial, or after a proof, are copies all the same")
    func becomingLate() throws {
        for prompt in [2, 7] {
            var tape = try tape([Int](repeating: 2, count: prompt))
            try tape.late(by: 60, [Int](repeating: 2, count: 8) + [1])
            #expect(tape.session.heartRate.samples == UInt64(prompt + 9))
        }
    }

    private static func late(
        by milliseconds: UInt64, _ counts: [Int], rr: [UInt16] = [1_000]
    ) throws -> Tape {
        var tape = try Tape.walking()
        try tape.late(by: milliseconds, counts, rr: rr)
        return tape
    }

    @Test("B9: what came twice ends with the last copy, not with the value that proved it")
    func untilTheLastCopy() throws {
        var tape = try tape([2, 2, 2, 2, 2])
        try tape.pause(for: 600_000)
        tape.heart(80)
        tape.heart(81, after: 1_400)
        #expect(tape.session.link.multipliedMilliseconds <= 4_001)
    }

    @Test("B9: the trial of a strap that is left hinders no other strap")
    func trialOfAnother() throws {
        var tape = try Tape.walking()
        tape.heart(70, device: otherStrap)
        tape.heart(70, device: otherStrap)
        tape.linkLost(otherStrap)
        tape.wait(1_000)
        tape.groups([2, 2, 2, 2, 2, 1])
        #expect(tape.session.heartRate.samples == 2 + 6)
        #expect(tape.session.heartRate.excluded.copies == 5)
    }

    @Test("B9: values that differ in length, their first or their last 8 bytes are no copies")
    func differing() throws {
        var tape = try Tape.walking()
        for index: UInt16 in 0..<20 {
            tape.heart(80, rr: [700, 710, 720, 730, 740, 750, 760 + index])
            tape.heart(80, rr: [700, 710, 720, 730, 740, 750, 761 + index])
            tape.heart(81, rr: [700, 710, 720, 730, 740, 750, 761 + index], lasting: 1_000)
        }
        #expect(tape.session.heartRate.samples == 60)
    }

    @Test("B9: random coincidences change no count and no interval", arguments: 0..<30)
    func coincidences(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var counts: [Int] = []
        while counts.count < 200 {
            // A run of equal counts that is too short to prove anything, then a single value.
            let count = 2 + Int(random.below(3))
            counts += [Int](repeating: count, count: Int(random.below(5))) + [1]
        }
        let divided = try tape(counts).session
        let raw = try tape(counts, rules: Self.never).session
        #expect(divided.heartRate.samples == raw.heartRate.samples, "seed \(seed)")
        #expect(divided.heartRate.sum == raw.heartRate.sum, "seed \(seed)")
        #expect(divided.heartRate.excluded.copies == 0, "seed \(seed)")
        #expect(divided.rr == raw.rr, "seed \(seed)")
    }

    @Test("B9: a lost link leaves the question open: no copy counts, and no reading is lost")
    func losses() throws {
        var tape = try tape([2, 2, 2, 2, 2, 2])
        tape.heart(99)
        tape.linkLost()
        tape.wait(3_000)
        tape.linkUp()
        tape.groups([2, 2])
        #expect(tape.session.heartRate.samples == 9)
        tape.linkLost()
        tape.wait(3_000)
        tape.linkUp()
        // The other program has gone: the first value that came once says so.
        tape.groups([1, 1, 1])
        #expect(tape.session.heartRate.samples == 12)
        #expect(tape.session.heartRate.excluded.copies == 8)
        #expect(tape.own.devices.strap?.link.delivery.factor == 1)
        #expect(tape.session.link.spans.map(\.deliveryFactor) == [2, 2, 1])
    }

    @Test("B9: the values of another strap are judged on their own")
    func twoStraps() throws {
        var tape = try Tape.walking()
        for index: UInt16 in 0..<12 {
            for copy in 0..<2 {
                tape.heart(80 + index)
                if copy == 0 || index < 3 { tape.heart(120 + index, device: otherStrap) }
            }
            tape.wait(1_000)
        }
        // 12 of the first, divided; 3 pairs and 9 single ones of the other, as they came.
        #expect(tape.session.heartRate.samples == 12 + 15)
        #expect(tape.session.heartRate.excluded.copies == 12)
        #expect(tape.own.devices[otherStrap]?.link.delivery.factor == 1)
    }

    @Test("B9: a session that begins in the middle divides from its start")
    func inTheMiddle() throws {
        var tape = Tape()
        tape.groups([2, 2, 2, 2, 2, 2])
        try tape.command(.start())
        tape.groups([2, 2, 2])
        #expect(tape.session.heartRate.samples == 3)
        #expect(tape.session.heartRate.excluded.copies == 3)
        try tape.command(.end())
        #expect(tape.session.link.deliveryFactor == 2)
        #expect(tape.session.link.multipliedMilliseconds == 2_001)
    }

    @Test("B9: a claim says when values begin to come several times, and when no more")
    func claims() throws {
        var tape = Tape()
        try tape.command(.start(goal: Goal(kind: .duration, target: 5_000)))
        var claims: [UInt64] = []
        for count in [1, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 1] {
            for _ in 0..<count {
                let value = CharacteristicNotified(device: strap, value: [0, 80])
                for event in try tape.command(.record(.characteristicNotified(value))) {
                    if case .deliveryMultiplied(let claim) = event {
                        #expect(claim.device == strap)
                        #expect(claim.characteristic == .heartRateMeasurement)
                        claims.append(claim.factor)
                    }
                }
                tape.wait(1)
            }
            tape.wait(1_000)
        }
        #expect(claims == [2, 1])
        #expect(tape.session.isGoalReached)
    }

    @Test("A7: a snapshot in the midst of copies goes on like the log", arguments: [false, true])
    func snapshots(areLate: Bool) throws {
        let whole =
            areLate
            ? try Self.late(by: 60, [1, 2, 2, 2, 1, 3, 3, 3, 3, 3, 3, 2, 1, 2])
            : try tape([1, 2, 2, 1, 3, 3, 3, 3, 3, 3, 2, 1, 2, 2])
        for cut in 0...whole.recorded.count {
            let state = LogState(folding: whole.recorded[..<cut])
            var restored = try LogState(canonicalBytes: state.canonicalBytes().span)
            #expect(restored == state)
            for event in whole.recorded[cut...] { restored.take(event) }
            #expect(restored.canonicalBytes() == whole.state.canonicalBytes())
        }
    }
}

extension Tape {
    /// Appends values a second apart, each as often as told, the copies so late after the first.
    fileprivate mutating func late(
        by milliseconds: UInt64, _ counts: [Int], rr: [UInt16] = [1_000]
    ) throws {
        for (index, count) in counts.enumerated() {
            for copy in 0..<count {
                if copy == 1 { wait(milliseconds) }
                heart(UInt16(60 + index % 3), rr: rr.map { $0 + UInt16(index % 5) })
            }
            wait(1_000 - (count > 1 ? milliseconds : 0))
        }
    }

    /// Appends values, each as often as told, the copies 1 ms apart.
    fileprivate mutating func groups(_ counts: [Int], gap: UInt64 = 1_000) {
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                heart(UInt16(80 + index % 7), rr: [UInt16(750 + index % 3)])
                wait(1)
            }
            wait(gap - UInt64(count))
        }
    }
}
