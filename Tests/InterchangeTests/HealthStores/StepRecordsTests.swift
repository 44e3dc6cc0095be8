import Events
import Interchange
import Projections
import TestSupport
import Testing

/// 2026-03-01T09:00:00Z.
private let nine: Int64 = 1_772_355_600_000
private let minute: Int64 = 60_000
private let hour: Int64 = 3_600_000

/// A record, as the tests write it: times in milliseconds after ``nine``.
private struct Entry: Hashable {
    var source: String
    var from: Int64
    var until: Int64
    var steps: Int64

    init(_ source: String, _ from: Int64, _ until: Int64, steps: Int64) {
        (self.source, self.from, self.until, self.steps) = (source, from, until, steps)
    }

    init(_ from: Int64, _ until: Int64, steps: Int64) {
        self.init("phone", from, until, steps: steps)
    }
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
) throws -> [HealthTotal] {
    var records = try collect(entries, offsetMinutes: offsetMinutes)
    return try records.totals()
}

private struct Vector: CustomTestStringConvertible, Sendable {
    var testDescription: String
    fileprivate var entries: [Entry]
    var steps: UInt64
    /// Milliseconds after ``nine``.
    var until: Int64

    init(_ name: String, _ entries: [Entry], steps: UInt64, until: Int64) {
        (testDescription, self.entries, self.steps, self.until) = (name, entries, steps, until)
    }
}

private let vectors = [
    Vector(
        "one minute of one source", [Entry(0, minute, steps: 80)], steps: 80, until: minute),
    Vector(
        "one source adds up, also within a minute",
        [Entry(0, 20_000, steps: 30), Entry(20_000, minute, steps: 50)], steps: 80, until: minute),
    Vector(
        "the greater of two sources that count the same minute",
        [Entry("phone", 0, minute, steps: 80), Entry("watch", 0, minute, steps: 95)],
        steps: 95, until: minute),
    Vector(
        "each minute has its own greatest source",
        [
            Entry("phone", 0, minute, steps: 80),
            Entry("watch", 0, minute, steps: 10),
            Entry("phone", minute, 2 * minute, steps: 0),
            Entry("watch", minute, 2 * minute, steps: 70),
        ], steps: 150, until: 2 * minute),
    Vector(
        "a longer record and shorter ones in it are the same steps",
        [
            Entry("phone", 0, 10 * minute, steps: 1_000),
            Entry("watch", 0, minute, steps: 200),
            Entry("watch", 2 * minute, 3 * minute, steps: 200),
            Entry("watch", 4 * minute, 5 * minute, steps: 200),
            Entry("watch", 6 * minute, 7 * minute, steps: 200),
            Entry("watch", 8 * minute, 9 * minute, steps: 200),
        ], steps: 1_000, until: 10 * minute),
    Vector(
        "a whole day and its minutes are the same steps, of one source too",
        [
            Entry(-9 * hour, 15 * hour, steps: 150),
            Entry(0, minute, steps: 80),
            Entry(hour, hour + minute, steps: 95),
        ], steps: 175, until: 15 * hour),
    Vector(
        "two apps that name nobody do not add up",
        [
            Entry("", 0, 30 * minute, steps: 1_490),
            Entry("", 2 * minute, 33 * minute, steps: 1_500),
        ],
        steps: 1_500, until: 33 * minute),
    Vector(
        // Half of the first one lies in the second one: 50 and 60.
        "records that overlap in part are united by time",
        [Entry(0, 10 * minute, steps: 100), Entry(5 * minute, 15 * minute, steps: 120)],
        steps: 170, until: 15 * minute),
    Vector(
        "three lengths within each other count the greatest, each in its time",
        [
            Entry("ring", 0, hour, steps: 700),
            Entry("phone", 0, 10 * minute, steps: 400),
            Entry("watch", 0, minute, steps: 90),
            Entry("phone", 20 * minute, 30 * minute, steps: 400),
        ], steps: 800, until: hour),
    Vector(
        "records of several sources that do not overlap add up",
        [Entry("phone", 0, 20_000, steps: 30), Entry("watch", 20_000, minute, steps: 50)],
        steps: 80, until: minute),
    Vector(
        "a record told twice counts once",
        [Entry(0, minute, steps: 80), Entry(0, minute, steps: 80)], steps: 80, until: minute),
    Vector(
        "of one period the greater count holds, the later one or the earlier",
        [
            Entry(0, minute, steps: 80), Entry(0, minute, steps: 90),
            Entry(minute, 2 * minute, steps: 7),
            Entry(minute, 2 * minute, steps: 5),
        ], steps: 97, until: 2 * minute),
    Vector(
        "a record without length belongs to its minute",
        [Entry(minute, minute, steps: 5), Entry("watch", minute, 2 * minute, steps: 3)],
        steps: 5, until: 2 * minute),
    Vector(
        "records of no step tell until when nothing came",
        [Entry(0, minute, steps: 80), Entry(hour, 2 * hour, steps: 0)], steps: 80, until: 2 * hour),
]

@Suite("Step records")
struct StepRecordsTests {
    @Test("give the total of their date and until when it counts", arguments: vectors)
    private func total(_ vector: Vector) throws {
        let expected = HealthTotal(
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
                source: "phone", from: start, until: nine, steps: 450_000, offsetMinutes: offset)
            let totals = try records.totals()
            let sum = totals.reduce(0) { $0 + $1.steps }
            #expect(sum == 450_000)
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
            [Entry(midnight - minute, midnight + minute, steps: 101)],
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
            [Entry(0, 6 * hour, steps: 600)],
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
            (0, 0, 1_000_001, "phone", .countOutOfRange),
            (0, minute, Int64.max, "phone", .countOutOfRange),
            (0, minute, 301, "phone", .tooFast), (0, 1, 301, "phone", .tooFast),
            (0, minute + 1, 601, "phone", .tooFast), (0, 25 * hour, 450_001, "phone", .tooFast),
            (946_684_799_999 - nine, 0, 1, "phone", .dateOutOfRange),
            (0, 4_102_444_800_001 - nine, 1, "phone", .dateOutOfRange),
            (Int64.min + nine, Int64.max - nine, 1, "phone", .dateOutOfRange),
            (0, minute, 1, String(repeating: "n", count: 257), .sourceNameTooLong),
        ] as [(Int64, Int64, Int64, String, StepRecords.Refusal)])
    func refusals(
        _ from: Int64, _ until: Int64, _ steps: Int64, _ source: String,
        _ expected: StepRecords.Refusal
    ) throws {
        var records = try collect([Entry(0, minute, steps: 3)])
        let refusal = try records.add(
            source: source, from: nine + from, until: nine + until, steps: steps)
        #expect(refusal == expected)
        #expect(records.refusedCount == 1 && records.takenCount == 1)
        #expect(try records.totals().map(\.steps) == [3])
    }

    @Test("say how many and which first nobody can have walked")
    func tooFast() throws {
        let records = try collect([
            Entry(0, minute, steps: 300), Entry(0, 1_000, steps: 2_941),
            Entry(0, minute, steps: 400),
        ])
        #expect(records.tooFastCount == 2 && records.takenCount == 1)
        #expect(records.firstTooFast?.steps == 2_941)
        #expect(records.firstTooFast?.milliseconds == 1_000)
    }

    @Test("take the longest record, the greatest count and the ends of time, and sum to it")
    func greatest() throws {
        let days = try totals([Entry(17, 17 + 25 * hour, steps: 450_000)])
        #expect(days.map(\.steps).reduce(0, +) == 450_000)
        let ends = [946_684_800_000, nine, 4_102_444_800_000]
        for at in ends.map({ $0 - nine }) {
            let instant = Entry(at, at, steps: StepRecords.greatestCount)
            #expect(try totals([instant]).map(\.steps) == [UInt64(StepRecords.greatestCount)])
        }
    }

    @Test("answer in time however many records overlap")
    func many() throws {
        let entries = (0..<2_000).map { index in
            Entry(Int64(index), 24 * hour + Int64(index % 7), steps: 1_000)
        }
        let days = try totals(entries)
        #expect((1_000...1_100).contains(days.map(\.steps).reduce(0, +)))
    }

    @Test("are refused as a whole when there are too many of them or of their sources")
    func limits() throws {
        let few = StepRecords.Limits(records: 2, sources: 2)
        let minutes = (0..<3).map { Entry($0 * minute, ($0 + 1) * minute, steps: 1) }
        var records = try collect(minutes, limits: few)
        #expect(throws: HealthStoreError.self) { _ = try records.totals() }
        var repeated = try collect([minutes[0], minutes[1], minutes[0], minutes[1]], limits: few)
        #expect(try repeated.totals().map(\.steps) == [2])
        let sources = ["a", "b", "c"].map { Entry($0, 0, 1, steps: 1) }
        #expect(throws: HealthStoreError.self) { _ = try collect(sources, limits: few) }
        let many = (0..<10_000).map { Entry($0, $0 + 1, steps: 1) }
        #expect(throws: HealthStoreError.self) { _ = try collect(many, limits: few) }
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
                sources.randomElement(using: &generator) ?? "phone", from,
                from + Int64.random(in: 0...(longest ?? 0), using: &generator),
                steps: Int64.random(in: 0...300, using: &generator))
        }
    }

    @Test(
        "follow the rule, in any order and any number of times",
        arguments: 1...60 as ClosedRange<UInt64>)
    func properties(seed: UInt64) throws {
        let entries = Self.entries(seed: seed)
        let days = try totals(entries)
        #expect(days == days.sorted { $0.date < $1.date }, "seed \(seed)")
        let sum = days.map(\.steps).reduce(0, +)
        #expect(sum <= UInt64(entries.map(\.steps).reduce(0, +)), "seed \(seed)")

        var generator = SeededGenerator(seed: seed)
        #expect(try totals(entries.shuffled(using: &generator)) == days, "seed \(seed)")
        #expect(try totals(entries + entries.reversed()) == days, "seed \(seed)")

        // At least what any records say that do not overlap: of these, the ones that end first.
        for source in Set(entries.map(\.source)) {
            var end = Int64.min
            var least: UInt64 = 0
            for entry in entries.sorted(by: { $0.until < $1.until })
            where entry.source == source && entry.from < entry.until && entry.from >= end {
                guard entry.steps <= 300 * ((entry.until - entry.from + minute - 1) / minute) else {
                    continue
                }
                least += UInt64(entry.steps)
                end = entry.until
            }
            #expect(sum >= least, "seed \(seed), \(source)")
        }
    }

    @Test(
        "of one source that do not overlap are their sum", arguments: 1...20 as ClosedRange<UInt64>)
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var from: Int64 = 0
        let entries = (0..<50).map { _ in
            let length = Int64.random(in: 1...(20 * minute), using: &generator)
            defer { from += length + [0, 0, minute].randomElement(using: &generator)! }
            return Entry(from, from + length, steps: Int64.random(in: 0...300, using: &generator))
        }
        let sum = entries.map(\.steps).reduce(0, +)
        #expect(try totals(entries).map(\.steps).reduce(0, +) == UInt64(sum), "seed \(seed)")
    }
}
