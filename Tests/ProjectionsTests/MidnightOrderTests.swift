import Projections
import TestSelection
import TestSupport
import Testing

/// The same facts around midnight, in every order in which they can arrive.
///
/// Readings of one pedometer stay in their order: a smaller count after a greater one is a counter
/// that began anew (T7), so the other order would be another fact.
@Suite("Orders of arrival at midnight")
struct MidnightOrderTests {
    private enum Fact: Int, CaseIterable {
        case firstReading
        case secondReading
        case totalOfYesterday
        case totalOfToday
        case rollover
        case refresh
    }

    private struct Facts {
        var yesterday: UInt64 = 0
        var lateTotal: UInt64 = 0
        var total: UInt64 = 0
        var readings: [UInt64] = []
        /// What each reading adds: no more than legs make in a moment.
        var steps: [UInt64] = []

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            yesterday = 100 + random.below(5_000)
            lateTotal = random.below(8_000)
            total = random.below(60)
            let begins = seed.isMultiple(of: 2) ? yesterday + random.below(12) : random.below(20)
            let walked = random.below(30)
            readings = [begins, begins + walked]
            steps = [begins < yesterday ? begins : begins - yesterday, walked]
        }
    }

    static let seeds: Range<UInt64> = everythingIsTested ? 0..<20 : 0..<1

    private static let orders: [[Fact]] = permutations(Fact.allCases).filter {
        guard let first = $0.firstIndex(of: .firstReading),
            let second = $0.firstIndex(of: .secondReading)
        else { return false }
        return first < second
    }

    private static func permutations(_ facts: [Fact]) -> [[Fact]] {
        guard facts.count > 1 else { return [facts] }
        return facts.flatMap { fact in
            permutations(facts.filter { $0 != fact }).map { [fact] + $0 }
        }
    }

    /// Plays the facts half a second apart, after a last reading before midnight.
    private func play(_ order: [Fact], _ facts: Facts, carries: Bool) throws -> [UInt64] {
        var tape = Tape(rules: Rules(\.carryOverlap, carries))
        tape.count(0)
        tape.count(facts.yesterday, after: 15 * 3_600_000 - 1_000)
        let yesterday = try #require(tape.own.steps.current?.date)
        tape.wait(1_000)
        let midnight = tape.wallMilliseconds
        for fact in order {
            tape.wait(500)
            switch fact {
            case .firstReading: tape.count(facts.readings[0])
            case .secondReading: tape.count(facts.readings[1])
            case .totalOfYesterday:
                try tape.command(.healthTotal(facts.lateTotal, date: yesterday))
            case .totalOfToday:
                try tape.command(.healthTotal(facts.total, validUntilMilliseconds: midnight))
            case .rollover: try tape.command(.rollOver)
            case .refresh: try tape.command(.refresh())
            }
        }
        return tape.state.dayReports().map(\.displayed)
    }

    /// What T2 as written makes of an order.
    ///
    /// A total replaces what was counted before it came, if it is more. So it matters which
    /// readings came before today's total, and nothing else does.
    private func expected(_ order: [Fact], _ facts: Facts) -> UInt64 {
        var today: UInt64 = 0
        for fact in order {
            switch fact {
            case .firstReading: today += facts.steps[0]
            case .secondReading: today += facts.steps[1]
            case .totalOfToday: today = max(today, facts.total)
            case .totalOfYesterday, .rollover, .refresh: break
            }
        }
        return today
    }

    @Test(
        "T2: only readings before or after today's total make a difference",
        arguments: sample(seeds, 4))
    func asWritten(seed: UInt64) throws {
        let facts = Facts(seed: seed)
        for order in Self.orders {
            let days = try play(order, facts, carries: false)
            let expected = [max(facts.yesterday, facts.lateTotal), expected(order, facts)]
            #expect(days == expected, "seed \(seed), \(order)")
        }
    }

    @Test("T9: with the rule carryOverlap no order makes a difference", arguments: sample(seeds, 4))
    func carried(seed: UInt64) throws {
        let facts = Facts(seed: seed)
        let expected = [
            max(facts.yesterday, facts.lateTotal), facts.total + facts.steps[0] + facts.steps[1],
        ]
        for order in Self.orders {
            let days = try play(order, facts, carries: true)
            #expect(days == expected, "seed \(seed), \(order)")
        }
    }
}
