import Events
import Interchange
import TestSupport
import Testing

/// 2026-03-01T09:00:00Z.
private let nine: Int64 = 1_772_355_600_000
private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000

/// A record, as the tests write it: times in milliseconds after ``nine``.
private struct Entry: Hashable {
    var source = "phone"
    var from: Int64
    var until: Int64
    var steps: Int64
}

private func collect(
    _ entries: [Entry], limits: StepRecords.Limits = StepRecords.Limits(),
    offsetMinutes: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
) throws -> StepRecords {
    var records = StepRecords(limits: limits, offsetMinutes: offsetMinutes)
    for entry in entries {
        try records.add(
            source: entry.source, from: nine + entry.from, until: nine + entry.until,
            steps: entry.steps)
    }
    return records
}

private func totals(
    _ entries: [Entry], offsetMinutes: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
) throws -> [DayTotal] {
    var records = try collect(entries, offsetMinutes: offsetMinutes)
    return try records.totals()
}

private struct Vector: CustomTestStringConvertible, Sendable {
    var testDescription: String
    fileprivate var entries: [Entry]
    var steps: UInt64
    /// Milliseconds after ``nine``.
    var until: Int64
}

private let vectors = [
    Vector(
        testDescription: "one minute of one source",
        entries: [Entry(from: 0, until: minute, steps: 80)], steps: 80, until: minute),
    Vector(
        testDescription: "one source adds up, also within a minute",
        entries: [
            Entry(from: 0, until: 20_000, steps: 30), Entry(from: 20_000, until: minute, steps: 50),
        ], steps: 80, until: minute),
    Vector(
        testDescription: "the greater of two sources that count the same minute",
        entries: [
            Entry(source: "phone", from: 0, until: minute, steps: 80),
            Entry(source: "watch", from: 0, until: minute, steps: 95),
        ], steps: 95, until: minute),
    Vector(
        testDescription: "each minute has its own greatest source",
        entries: [
            Entry(source: "phone", from: 0, until: minute, steps: 80),
            Entry(source: "watch", from: 0, until: minute, steps: 10),
            Entry(source: "phone", from: minute, until: 2 * minute, steps: 0),
            Entry(source: "watch", from: minute, until: 2 * minute, steps: 70),
        ], steps: 150, until: 2 * minute),
    Vector(
        // 100 over three minutes: 33, 33, 34; the watch has 40 in the second.
        testDescription: "a long record is spread in whole steps, with the rest in the last minute",
        entries: [
            Entry(source: "phone", from: 0, until: 3 * minute, steps: 100),
            Entry(source: "watch", from: minute, until: 2 * minute, steps: 40),
        ], steps: 33 + 40 + 34, until: 3 * minute),
    Vector(
        // Half of the first minute and a quarter of the second: 40 and 20.
        testDescription: "a record is spread in proportion to the time in each minute",
        entries: [
            Entry(source: "phone", from: 30_000, until: 75_000, steps: 60),
            Entry(source: "watch", from: 0, until: minute, steps: 41),
        ], steps: 41 + 20, until: 75_000),
    Vector(
        testDescription: "a record told twice counts once",
        entries: [
            Entry(from: 0, until: minute, steps: 80), Entry(from: 0, until: minute, steps: 80),
        ], steps: 80, until: minute),
    Vector(
        testDescription: "of one period the greater count holds, the later one or the earlier",
        entries: [
            Entry(from: 0, until: minute, steps: 80), Entry(from: 0, until: minute, steps: 90),
            Entry(from: minute, until: 2 * minute, steps: 7),
            Entry(from: minute, until: 2 * minute, steps: 5),
        ], steps: 97, until: 2 * minute),
    Vector(
        testDescription: "a record without length belongs to its minute",
        entries: [
            Entry(from: minute, until: minute, steps: 5),
            Entry(source: "watch", from: minute, until: 2 * minute, steps: 3),
        ], steps: 5, until: 2 * minute),
    Vector(
        testDescription: "records of no step tell until when nothing came",
        entries: [
            Entry(from: 0, until: minute, steps: 80), Entry(from: hour, until: 2 * hour, steps: 0),
        ], steps: 80, until: 2 * hour),
]

@Suite("Step records")
struct StepRecordsTests {
    @Test("give the total of their date and until when it counts", arguments: vectors)
    private func total(_ vector: Vector) throws {
        let expected = DayTotal(
            date: try #require(CivilDate("2026-03-01")), steps: vector.steps,
            validUntilMilliseconds: nine + vector.until)
        #expect(try totals(vector.entries) == [expected])
        #expect(try totals(vector.entries.reversed()) == [expected])
    }

    @Test("count a minute in the zone of the last record in it that tells one, in any order")
    func zones() throws {
        let told: [(Int64, Int64?)] = [(0, 60), (1_000, 840), (2_000, nil)]
        for order in [told, told.reversed()] {
            var records = StepRecords { _ in 0 }
            for (from, offset) in order {
                try records.add(
                    source: "phone", from: nine + 6 * hour + from, until: nine + 6 * hour + from,
                    steps: 5, offsetMinutes: offset)
            }
            #expect(try records.totals().map { "\($0.date) \($0.steps)" } == ["2026-03-02 15"])
        }
    }

    @Test("keep every offset of a zone, the greatest count and the longest record apart")
    func packing() throws {
        for offset in [-1_440, -1, 0, 1, 1_440] as [Int64] {
            var records = StepRecords { _ in 720 }
            let start = nine - StepRecords.longestMilliseconds
            try records.add(
                source: "phone", from: start, until: nine, steps: StepRecords.greatestCount,
                offsetMinutes: offset)
            let totals = try records.totals()
            #expect(totals.reduce(0) { $0 + $1.steps } == UInt64(StepRecords.greatestCount))
            #expect(
                totals.first?.date == CivilDate(wallMilliseconds: start, zoneOffsetMinutes: offset))
            #expect(totals.last?.validUntilMilliseconds == nine)
        }
    }

    @Test("have no totals when there are none")
    func nothing() throws {
        #expect(try totals([]).isEmpty)
    }

    @Test("are split at local midnight, and the first date counts until then")
    func midnight() throws {
        // Midnight at +01:00 is 14 hours after nine; the record stands one minute on each side.
        let midnight = 14 * hour
        let days = try totals(
            [Entry(from: midnight - minute, until: midnight + minute, steps: 101)],
            offsetMinutes: { _ in 60 })
        #expect(days.map(\.date.description) == ["2026-03-01", "2026-03-02"])
        #expect(days.map(\.steps) == [50, 51])
        #expect(
            days.map(\.validUntilMilliseconds) == [nine + midnight, nine + midnight + minute])
    }

    @Test("belong to the date that the zone had at their time")
    func zoneChange() throws {
        // The walker lands at noon in a zone fourteen hours further east: a later date.
        let landing = nine + 3 * hour
        let days = try totals(
            [Entry(from: 0, until: 6 * hour, steps: 600)],
            offsetMinutes: { $0 < landing ? 0 : 840 })
        #expect(days.map(\.date.description) == ["2026-03-01", "2026-03-02"])
        #expect(days.map(\.steps) == [300, 300])
    }

    @Test(
        "refuse what cannot be a record, count it, and go on",
        arguments: [
            (0, 25 * hour + 1, 1, "phone", StepRecords.Refusal.tooLong),
            (0, -1, 1, "phone", .reversed),
            (0, minute, -1, "phone", .countOutOfRange),
            (0, minute, 1_000_001, "phone", .countOutOfRange),
            (946_684_799_999 - nine, 0, 1, "phone", .dateOutOfRange),
            (0, 4_102_444_800_001 - nine, 1, "phone", .dateOutOfRange),
            (Int64.min + nine, Int64.max - nine, 1, "phone", .dateOutOfRange),
            (0, minute, 1, String(repeating: "n", count: 257), .sourceNameTooLong),
        ] as [(Int64, Int64, Int64, String, StepRecords.Refusal)])
    func refusals(
        _ from: Int64, _ until: Int64, _ steps: Int64, _ source: String,
        _ expected: StepRecords.Refusal
    ) throws {
        var records = try collect([Entry(from: 0, until: minute, steps: 3)])
        let refusal = try records.add(
            source: source, from: nine + from, until: nine + until, steps: steps)
        #expect(refusal == expected)
        #expect(records.refusedCount == 1 && records.takenCount == 1)
        #expect(try records.totals().map(\.steps) == [3])
    }

    @Test("take the longest record and the greatest count, and sum to it")
    func greatest() throws {
        let days = try totals([
            Entry(from: 17, until: 17 + 25 * hour, steps: StepRecords.greatestCount)
        ])
        #expect(days.map(\.steps).reduce(0, +) == UInt64(StepRecords.greatestCount))
    }

    @Test("are refused as a whole when there are too many of them or of their sources")
    func limits() throws {
        let few = StepRecords.Limits(records: 2, sources: 2)
        let minutes = (0..<3).map { Entry(from: $0 * minute, until: ($0 + 1) * minute, steps: 1) }
        var records = try collect(minutes, limits: few)
        #expect(throws: StepRecordsError.self) { _ = try records.totals() }
        var repeated = try collect([minutes[0], minutes[1], minutes[0], minutes[1]], limits: few)
        #expect(try repeated.totals().map(\.steps) == [2])
        let sources = ["a", "b", "c"].map { Entry(source: $0, from: 0, until: 1, steps: 1) }
        #expect(throws: StepRecordsError.self) { _ = try collect(sources, limits: few) }
        let many = (0..<10_000).map { Entry(from: $0, until: $0 + 1, steps: 1) }
        #expect(throws: StepRecordsError.self) { _ = try collect(many, limits: few) }
    }
}

@Suite("Random step records")
struct RandomStepRecordsTests {
    /// Records that overlap, repeat, cross minutes and midnight, and have no length now and then.
    private static func entries(seed: UInt64) -> [Entry] {
        var generator = SeededGenerator(seed: seed)
        let sources = ["phone", "watch", "band"].prefix(Int.random(in: 1...3, using: &generator))
        return (0..<Int.random(in: 1...60, using: &generator)).map { _ in
            let from = Int64.random(in: 0...(40 * hour), using: &generator)
            let longest = [0, 1, 59_999, 5 * minute, 25 * hour].randomElement(using: &generator)
            return Entry(
                source: sources.randomElement(using: &generator) ?? "phone", from: from,
                until: from + Int64.random(in: 0...(longest ?? 0), using: &generator),
                steps: Int64.random(in: 0...300, using: &generator))
        }
    }

    /// The rule once more, slow and obvious.
    private static func naiveTotals(_ entries: [Entry]) -> [CivilDate: UInt64] {
        var greatest: [Entry: Int64] = [:]
        for entry in entries {
            var key = entry
            key.steps = 0
            greatest[key] = max(greatest[key] ?? 0, entry.steps)
        }
        var perSource: [Int64: [String: Int64]] = [:]
        for (entry, steps) in greatest {
            var left = steps
            let first = (nine + entry.from) / minute
            let last = max(first, (nine + entry.until - 1) / minute)
            for number in stride(from: last, to: first, by: -1) {
                let before = steps * (number * minute - nine - entry.from)
                let part = left - before / (entry.until - entry.from)
                perSource[number, default: [:]][entry.source, default: 0] += part
                left -= part
            }
            perSource[first, default: [:]][entry.source, default: 0] += left
        }
        var days: [CivilDate: UInt64] = [:]
        for (number, sources) in perSource {
            let date = CivilDate(wallMilliseconds: number * minute, zoneOffsetMinutes: 0)
            days[date, default: 0] += UInt64(sources.values.max() ?? 0)
        }
        return days.filter { $0.value > 0 }
    }

    @Test(
        "follow the rule, in any order and any number of times",
        arguments: 1...60 as ClosedRange<UInt64>)
    func properties(seed: UInt64) throws {
        let entries = Self.entries(seed: seed)
        let days = try totals(entries)
        let found = Dictionary(uniqueKeysWithValues: days.map { ($0.date, $0.steps) })
        #expect(found.filter { $0.value > 0 } == Self.naiveTotals(entries), "seed \(seed)")
        #expect(days == days.sorted { $0.date < $1.date }, "seed \(seed)")

        var generator = SeededGenerator(seed: seed)
        #expect(try totals(entries.shuffled(using: &generator)) == days, "seed \(seed)")
        #expect(try totals(entries + entries.reversed()) == days, "seed \(seed)")

        for source in Set(entries.map(\.source)) {
            let own = entries.filter { $0.source == source }
            let ownDays = try totals(own)
            for day in ownDays {
                #expect(found[day.date] ?? 0 >= day.steps, "seed \(seed), \(source)")
            }
            var different: [Entry: Int64] = [:]
            for entry in own {
                var period = entry
                period.steps = 0
                different[period] = max(different[period] ?? 0, entry.steps)
            }
            let sum = different.values.reduce(0, +)
            #expect(ownDays.map(\.steps).reduce(0, +) == UInt64(sum), "seed \(seed), \(source)")
        }
    }
}
