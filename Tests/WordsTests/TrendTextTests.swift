import Events
import Projections
import Testing

@testable import Words

/// What is said of trends and records, and how they are drawn.
@Suite("Trends in words")
struct TrendTextTests {
    /// 14 February 2026 is a Saturday.
    private static let today = CivilDate("2026-02-14")

    private func calendar(_ steps: [UInt64], goal: UInt64? = 8_000) throws -> Projections.Calendar {
        let today = try #require(Self.today)
        let totals = steps.enumerated().map { index, total in
            (today.advanced(by: Int64(index - steps.count)), total)
        }
        return try WordsTests.calendar(totals, goal: goal, today: today)
    }

    private func text(
        _ steps: [UInt64], _ span: Trends.Span = .fourWeeks, of measure: Trends.Measure = .steps,
        _ units: Units = .metric
    ) throws -> TrendText {
        TrendText(Trends(measure, [], WalkOutlines(), try calendar(steps)), span, units)
    }

    /// Two weeks, and two weeks before them.
    private func weeks(_ before: UInt64, _ now: UInt64) -> [UInt64] {
        Array(repeating: before, count: 14) + Array(repeating: now, count: 14)
    }

    @Test("say a percent from 1 on, and below it that there is no difference")
    func percent() throws {
        let two = "in the two weeks before."
        for (before, now, sentence) in [
            (10_000, 11_000, "You walked 10\u{A0}% more steps than \(two)"),
            (10_000, 10_100, "You walked 1\u{A0}% more steps than \(two)"),
            (10_000, 10_099, "You walked as much as \(two)"),
            (10_000, 10_000, "You walked as much as \(two)"),
            (10_000, 9_901, "You walked as much as \(two)"),
            (10_000, 9_900, "You walked 1\u{A0}% fewer steps than \(two)"),
            (9_000, 18_045, "You walked 101\u{A0}% more steps than \(two)"),
        ] as [(UInt64, UInt64, String)] {
            #expect(try text(weeks(before, now)).sentence == sentence, "\(before) \(now)")
        }
        let note = try text(weeks(10_000, 11_000)).note
        #expect(note == "11,000 against 10,000 a day, from 14 and 14 days.")
        // Of sums a week has seven days, whether or not something was counted on each.
        var steps = Array(repeating: UInt64(5_000), count: 56)
        steps[40] = 0
        #expect(try text(steps).note.hasSuffix(", from 27 and 28 days."))
        #expect(try text(steps, of: .active).note.hasSuffix(", from 28 and 28 days."))
        let year = try text(Array(repeating: 5_000, count: 500), .year)
        #expect(year.sentence == "You walked as much as in the 52 weeks before.")
        #expect(year.note.hasSuffix("The log goes back to 2 October 2024."))
        #expect(year.meanName == "steps a day, in the last 52 weeks")
        let rows = TrendTable(year, today: try #require(Self.today)).rows
        // From 15 February on, so that head and table have one figure.
        #expect(rows.map(\.isSum) == Array(repeating: false, count: 13) + [true])
        #expect(rows.suffix(2).map(\.cells[0]) == ["from 15 Feb 2025", "52 weeks"])
        #expect(rows.last?.cells[2] == year.mean.map(year.figure))
        func days(_ rows: ArraySlice<TrendTable.Row>) -> Int {
            rows.reduce(0) { $0 + (Int($1.cells.last ?? "") ?? 0) }
        }
        #expect(days(rows.suffix(1)) == days(rows.dropLast()))
    }

    @Test("say when there will be a comparison, and of what there is nothing")
    func early() throws {
        let week = try text(Array(repeating: 8_000, count: 6))
        #expect(week.sentence == "It is too early to compare. You have 6 whole days.")
        #expect(
            week.note == "Each of the two spans needs 14. The first comparison, of two weeks with "
                + "the two before, comes by 8 March if every day is counted.")
        #expect(week.meanName == "steps a day, in 6 whole days")
        let nothing = "Nothing has been recorded for this yet."
        #expect(try text([]).sentence == nothing)
        #expect(try text(weeks(1, 1), of: .hrv).sentence == nothing)
        #expect(try text(weeks(1, 1), of: .hrv).mean == nil)
        #expect(try text([]).note.hasPrefix("It needs a pedometer, or a phone"))
        #expect(try text(weeks(1, 1), .all).sentence == "All figures since your first day.")
        #expect(try text(weeks(1, 1), .all).meanName == "steps a day, since January 2026")
    }

    @Test("are in the walker's units")
    func units() throws {
        var wanted = Preferences()
        wanted.lengthUnit = OpenCode(.miles)
        func words(_ measure: Trends.Measure, _ value: UInt64) throws -> String {
            let text = try text([], of: measure, Units(wanted))
            return "\(text.figure(value)) \(text.unit)"
        }
        #expect(try words(.distance, 1_609_344) == "1.00 miles")
        #expect(try words(.climb, 30_480) == "100 ft")
        #expect(try words(.pace, 600_000) == "16:05 /mile")
        #expect(try words(.load, 90_000) == "2 TRIMP")
        #expect(try words(.heart, 119_50) == "120 BPM")
    }

    @Test("an axis of rates is around their values, in at most six marks")
    func axis() {
        #expect(TrendsView.ticks(of: [59_00, 68_10], 100) == [55_00, 60_00, 65_00, 70_00])
        #expect(TrendsView.ticks(of: [60_00], 100) == [60_00, 65_00])
        #expect(
            TrendsView.ticks(of: [100_00, 180_00], 100)
                == [100_00, 120_00, 140_00, 160_00, 180_00])
        #expect(TrendsView.ticks(of: [], 100).isEmpty)
        #expect(
            TrendsView.ticks(of: [756_000, 870_000], 6_000)
                == [750_000, 780_000, 810_000, 840_000, 870_000])
        for least: UInt64 in stride(from: 0, to: 20_000, by: 77) {
            for width: UInt64 in [0, 1, 499, 500, 501, 3_000, 40_000] {
                let ticks = TrendsView.ticks(of: [least, least + width], 100)
                #expect((2...7).contains(ticks.count))
                #expect((ticks.first ?? .max) <= least && (ticks.last ?? 0) >= least + width)
            }
        }
    }

    @Test("rows of a table have sums of their own, and fit into 80 columns")
    func table() throws {
        let steps = (0..<100).map { UInt64(7_000 + $0 * 20) }
        let today = try #require(Self.today)
        for span in Trends.Span.allCases {
            let text = try text(steps, span)
            let table = TrendTable(text, today: today)
            for line in table.lines(columns: 80).split(separator: "\n") {
                #expect(line.count <= 80, "\(line)")
            }
            #expect(table.rows.allSatisfy { $0.cells.count == table.columns.count })
        }
        let rows = TrendTable(try text(steps), today: today).rows
        #expect(rows.filter(\.isSum).map(\.cells.first) == ["Four weeks", "Four before"])
        #expect(rows[4].cells == ["Four weeks", "243,880", "8,710", "28"])
        #expect(rows[0].cells.first == "7 to 13 Feb")
    }

    @Test("a page has one chart: bars from 0, the span before paler, one far above cut")
    func view() throws {
        var steps = Array(repeating: UInt64(7_000), count: 80)
        steps[70] = 48_000
        let calendar = try calendar(steps)
        let trends = Trends(.steps, [], WalkOutlines(), calendar)
        let json = try object(TrendsView(trends, .fourWeeks, calendar, .metric))
        let chart = try #require(json["chart"] as? [String: Any])
        let parts = try #require(chart["parts"] as? [[String: Any]])
        #expect(parts.count == 56)
        #expect(parts.map { $0["isBefore"] as? Bool } == (0..<56).map { $0 < 28 })
        #expect(chart["bottom"] as? Int == 0 && chart["top"] as? Int == 16_000)
        #expect(parts.compactMap { $0["value"] as? Int }.max() == 48_000)
        let key = try #require(json["key"] as? [[String: String]])
        #expect(key.map { $0["shape"] } == ["now", "before", "means", "goal", "cut"])
        #expect(parts[55]["say"] as? [String] == ["Friday 13 February", "7,000 steps"])
        let means = try #require(chart["means"] as? [[String: Any]])
        #expect(means.map { $0["label"] as? String } == ["7,000", "8,464"])
    }
}
