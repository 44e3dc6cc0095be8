import Events
import Projections
import TestSupport
import Testing

@testable import Interchange

@Suite("Summaries by several intervals")
struct SummariesTests {
    /// 2026-03-01T09:00:00Z.
    private let nine: Int64 = 1_772_355_600_000
    private let hour: Int64 = 3_600_000
    private let minute: Int64 = 60_000

    private func sample(
        _ began: Int64, _ length: Int64, _ steps: UInt64, by source: String = "iPhone"
    ) -> StepSample {
        StepSample(
            origin: "Health Auto Export, \(length)", countedBy: source,
            beganAtMilliseconds: nine + began, endedAtMilliseconds: nine + began + length,
            steps: steps)
    }

    private func steps(_ samples: [StepSample]) -> UInt64 {
        HealthTotal.totals(of: samples) { _ in 0 }.reduce(0) { $0 + $1.steps }
    }

    private func minutes(_ count: Int64, _ steps: UInt64) -> [StepSample] {
        (0..<count).map { sample($0 * minute, minute, steps, by: "iPhone|Watch") }
    }

    @Test("count an hour or its minutes, whichever say more, and never both")
    func hourAndMinutes() {
        let vectors: [(hour: UInt64, minutes: [StepSample], expected: UInt64)] = [
            (600, minutes(60, 10), 600), (600, minutes(20, 30), 600), (600, minutes(10, 60), 600),
            (300, minutes(60, 10), 600), (600, minutes(30, 10), 600), (0, minutes(1, 7), 7),
            (600, [], 600),
        ]
        for (whole, minutes, expected) in vectors {
            #expect(steps([sample(0, hour, whole)] + minutes) == expected)
            #expect(steps(minutes + [sample(0, hour, whole)]) == expected)
            // Another hour beside it counts by itself.
            #expect(
                steps([sample(0, hour, whole), sample(hour, hour, 50)] + minutes) == expected + 50)
        }
    }

    @Test("count the same interval once, whoever it is said to be of")
    func sources() {
        #expect(steps([sample(0, hour, 59), sample(0, hour, 58, by: "Watch")]) == 59)
        #expect(steps([sample(0, 0, 5), sample(0, minute, 9), sample(0, hour, 7)]) == 9)
    }

    @Test(
        "never fall when more is told, nor exceed what was walked",
        arguments: 0..<64 as Range<UInt64>)
    func property(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let walked = (0..<120).map { _ in UInt64.random(in: 0..<40, using: &random) }
        var told: [StepSample] = []
        var before: UInt64 = 0
        for _ in 0..<60 {
            // What was known of a minute, an hour, or a second of it when somebody looked.
            let length = [1_000, minute, hour].randomElement(using: &random) ?? hour
            let first =
                length == hour
                ? [0, 60].randomElement(using: &random) ?? 0
                : Int.random(in: 0..<120, using: &random)
            let count = length == hour ? 60 : 1
            let known = walked[first..<first + count].reduce(0, +)
            told.append(
                sample(Int64(first) * minute, length, UInt64.random(in: 0...known, using: &random)))
            let now = steps(told)
            #expect(now >= before, "seed \(seed)")
            #expect(now <= walked.reduce(0, +), "seed \(seed)")
            before = now
        }
    }
}
