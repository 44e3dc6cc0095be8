import Events
import Foundation
import JSON
import Projections
import TestSupport
import Testing
import Text

@testable import Words

@Suite("Figures in miles")
struct MilesTests {
    private static let miles = Units(isInMiles: true, isInPounds: true)

    private struct Walked {
        let report: SessionReport
        let series: SessionSeries
        let calendar: Projections.Calendar
    }

    /// 44 minutes at 75 m and 120 steps a minute, with a rise of 1 m each ten seconds: 3,300 m.
    private func walked(withLap hasLap: Bool = false) throws -> Walked {
        var story = Story()
        try story.add(
            .sessionStarted(
                SessionStarted(goal: Goal(kind: .distance, target: 3_000_000), outAndBack: true)))
        try story.walk(minutes: 44, withHeights: true)
        if hasLap { try story.add(.lapMarked(LapMarked())) }
        try story.add(.sessionEnded(SessionEnded(reason: .requested)))
        let (report, series) = try story.walked()
        return Walked(
            report: report, series: series, calendar: story.state.calendar(today: report.date))
    }

    private func found(_ walk: Walked) -> WalkFilter.Found { WalkFilter().find(in: [walk.report]) }

    @Test("are those of a list and of its sums")
    func list() throws {
        let walk = try walked()
        let lines = WalkList(found(walk), columns: 80, units: Self.miles, in: 2026).text
            .split(separator: "\n").map(String.init)
        #expect(lines[0].contains("Name") && lines[0].contains(" miles "))
        #expect(lines[1].contains("  2.05 ") && lines[3].contains("  2.05 "), "\(lines)")
        #expect(lines.allSatisfy { Text.columns(of: $0) <= 80 })
        let list = WalkList(found(walk), columns: 80, units: .metric, in: 2026)
        #expect(list.text.contains("  3.30 "))
    }

    @Test("are those of a chart, whose splits are of a mile")
    func chart() throws {
        let walk = try walked()
        let text = WalkChart(walk.report, walk.series, units: Self.miles).text
        #expect(text.contains("2.05 miles     44:10 active     21:32 /mile     5,280 steps"))
        #expect(text.contains("  miles    Pace  Climb  Steps\n"), "\(text)")
        #expect(text.contains(" ft climb") && text.contains("\n   1      21:"))
        let splits = walk.series.splits(of: 1_609_344)
        #expect(splits.map(\.distanceMillimetres) == [1_609_344, 1_609_344, 81_312])
        #expect(splits.map(\.activeMilliseconds).reduce(0, +) == 2_650_000)
        #expect(walk.series.splits.map(\.distanceMillimetres).first == 1_000_000)
    }

    @Test("are those of records; a pace keeps the length that it is the record of")
    func records() throws {
        let walk = try walked()
        let records = Records([walk.report], WalkOutlines(), walk.calendar)
        let year = walk.report.date.components.year
        let text = RecordsText(records, year: year, units: Self.miles).text(withNames: false)
        #expect(text.contains("2.05 miles") && text.contains(" ft"), "\(text)")
        #expect(!text.contains(" km") && !text.contains(" m "))
        let json = RecordsText(records, year: year, units: Self.miles).jsonLines
        #expect(json == RecordsText(records, year: year, units: .metric).jsonLines)
    }

    @Test("are those of a goal: its presets, its steps, and what is typed in either unit")
    func goals() throws {
        let tables = try object(JSONWriter.line { Self.miles.writeTables(to: &$0) })
        #expect(tables["units"] as? String == "miles")
        let goals = try #require(tables["goals"] as? [[String: Any]])
        let presets = try #require(goals[1]["presets"] as? [[String: Any]])
        #expect(presets.compactMap { $0["text"] as? String }.first == "2.00 miles")
        for (typed, target, text) in [
            ("3", 4_828_032, "3.00"), ("4.5 miles", 7_242_048, "4.50"),
            ("5km", 5_000_000, "3.11"), ("621", 999_402_624, "621.00"),
        ] {
            let goal = try #require(GoalView("distance", typed: typed, units: Self.miles))
            let view = try object(goal)
            #expect(view["target"] as? Int == target && view["typed"] as? String == text)
            #expect(view["unit"] as? String == "miles")
            #expect(view["lessWords"] as? String == "half a mile less")
        }
        #expect(GoalView.advice("distance", units: Self.miles) == "Enter miles, such as 3 or 4.5.")
        #expect(WrittenGoal("distance=5miles")?.goal.target == 8_046_720)
        #expect(WrittenGoal("distance=5yards") == nil)
    }

    @Test("are those of a page's walk, on axes of round numbers")
    func page() throws {
        let walk = try walked(withLap: true)
        let view = try object(SessionView(walk.report, walk.series, units: Self.miles))
        #expect(view["reached"] as? String == "Goal of 1.86 miles reached at 03:21.")
        #expect((view["end"] as? String)?.contains("Goal") == false)
        let laps = (view["laps"] as? [String: Any])?["heads"] as? [String]
        #expect(laps == ["Lap", "miles", "Time", "Pace"], "no strap, no heart rate")
        let splits = try #require(view["splits"] as? [String: Any])
        #expect(splits["name"] as? String == "Miles")
        #expect((splits["heads"] as? [String])?.first == "miles")
        let rows = (splits["rows"] as? [[String: Any]])?.compactMap { $0["cells"] as? [String] }
        #expect(rows?.map(\.[0]) == ["1", "2", "0.05"])
        let along = view["along"] as? [String: Any]
        let lanes = try #require(along?["lanes"] as? [[String: Any]])
        #expect(lanes[0]["name"] as? String == "Pace, minutes per mile")
        #expect(lanes[1]["name"] as? String == "Height, feet")
        for lane in lanes[...1] {
            let ticks = lane["ticks"] as? [[String: Any]] ?? []
            let labels = ticks.compactMap { $0["label"] as? String }
            #expect((2...4).contains(labels.count) && labels.allSatisfy { $0.hasSuffix("0") })
        }
    }

    /// Each text of a value, in order, those of an object by its keys.
    private func texts(_ value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(texts)
        case let object as [String: Any]:
            object.keys.sorted().flatMap { texts(object[$0] as Any) }
        default: []
        }
    }

    @Test("are those of a record, which is told once there are five walks to compare")
    func comparison() throws {
        let walk = try walked()
        for count in 4...5 {
            let walks = Array(repeating: walk.report, count: count)
            let told = WalkComparison(
                walk.report, among: walks, WalkOutlines(), walk.calendar, units: Self.miles)
            let record = ["Your longest walk of all time: 2.05 miles."]
            #expect(told.lines == (count < 5 ? [] : record))
        }
    }

    /// All that is told of a walk in some units.
    private func told(_ walk: Walked, _ units: Units) throws -> [String] {
        let walks = [walk.report]
        let year = walk.report.date.components.year
        return [
            WalkList(found(walk), columns: 80, units: units, in: year).text,
            WalkChart(walk.report, walk.series, units: units).text,
            SessionText(walk.report, in: LogState(), units: units).text,
            CalendarText(walk.calendar, columns: 80, units: units).months(of: year, walks),
            RecordsText(Records(walks, WalkOutlines(), walk.calendar), year: year, units: units)
                .text(withNames: true),
        ]
            + texts(try object(SessionView(walk.report, walk.series, units: units)))
            + texts(try object(YearsView(walks, walk.calendar, units: units)))
            + texts(try object(YearView(year, walks, walk.calendar, WalkFilter(), units: units)))
    }

    @Test("leave no kilometre in any text or view, and no mile in those of kilometres")
    func nothingElse() throws {
        let walk = try walked()
        let metric = #/\bkm\b|[Kk]ilomet|\bmetres|[0-9] m\b/#
        let imperial = #/\bmiles?\b|\bfeet\b|\bft\b/#
        for text in try told(walk, Self.miles) { #expect(!text.contains(metric), "\(text)") }
        for text in try told(walk, .metric) { #expect(!text.contains(imperial), "\(text)") }
    }

    @Test("are those of kilometres, converted, in each text and view")
    func converted() throws {
        let walk = try walked()
        let kilometres = #/([0-9]+\.[0-9]{2}) km\b/#
        let miles = #/([0-9]+\.[0-9]{2}) miles\b/#
        func hundredths(_ text: Substring) throws -> Double {
            try #require(Double(text.replacing(".", with: "")))
        }
        let metric = try told(walk, .metric).flatMap { $0.matches(of: kilometres) }.map(\.1)
        let imperial = try told(walk, Self.miles).flatMap { $0.matches(of: miles) }.map(\.1)
        #expect(metric.count == imperial.count && metric.count > 5)
        for (one, other) in zip(metric, imperial) {
            // A split of a mile is no split of a kilometre: all others are the same length.
            let difference = try hundredths(one) / 1.609344 - hundredths(other)
            #expect(abs(difference) <= 1, "\(one) km, \(other) miles")
        }
    }

    @Test("are the metric values converted, within half of the last digit, whatever they are")
    func anyValue() throws {
        var random = SeededGenerator(seed: 20_260_714)
        for _ in 0..<2_000 {
            let length = UInt64.random(in: 0...1 << UInt64.random(in: 1...36), using: &random)
            let time = UInt64.random(in: 1...100_000_000, using: &random)
            func number(_ text: String) -> Double? { Double(text.replacing(",", with: "")) }
            let hundredths = number(Self.miles.distanceNumber(length).replacing(".", with: ""))
            #expect(abs(try #require(hundredths) - Double(length) / 16_093.44) <= 0.501)
            let feet = number(Self.miles.climbNumber(length))
            #expect(abs(try #require(feet) - Double(length) / 304.8) <= 0.501)
            let pounds = number(String(Self.miles.weight(length).split(separator: " ")[0]))
            #expect(abs(try #require(pounds) - Double(length) / 453.59237) <= 0.0501)
            guard let mile = Self.miles.paceMilliseconds(length, time),
                let kilometre = Units.metric.paceMilliseconds(length, time)
            else { continue }
            #expect(abs(Double(mile) - Double(kilometre) * 1.609344) <= 2.7)
        }
    }
}
