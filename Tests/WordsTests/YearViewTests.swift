import Events
import Foundation
import Projections
import TestSupport
import Testing

@testable import Words

/// A year as a page lays it out, against figures that were counted by hand.
@Suite("A year on a page")
struct YearViewTests {
    /// 14 February is a Saturday; the goal is 8,000 steps.
    private static let today = CivilDate("2026-02-14")
    static let totals: [(String, UInt64)] = [
        ("2026-01-31", 12_000), ("2026-02-02", 8_000), ("2026-02-03", 9_123), ("2026-02-04", 2_499),
        ("2026-02-10", 4_999), ("2026-02-11", 5_000), ("2026-02-13", 8_000), ("2026-02-14", 900),
    ]

    private struct Log {
        let calendar: Projections.Calendar
        private var state = LogState()
        private var next: Position = 0
        private var wall: Int64 = 1_735_689_600_000
        var walks: [SessionReport] { state.sessionReports(at: Moment(stamp, .wallTrusted)) }

        private var stamp: Stamp {
            Stamp(boot: UInt64(wall - 1_735_000_000_000), wall: wall)
        }

        init(goal: UInt64? = 8_000, isWalked: Bool = true) throws {
            let totals = try YearViewTests.totals.map { (try #require(CivilDate($0)), $1) }
            let today = try #require(YearViewTests.today)
            calendar = try WordsTests.calendar(totals, goal: goal, today: today)
            if isWalked { try walkAll() }
        }

        private mutating func add(_ event: Event) throws {
            try state.evolve(RecordedEvent(event, at: next, stamp, flags: .wallTrusted))
            next += 1
        }

        /// Walks north, a fix each ten seconds.
        mutating func walk(
            _ date: String, at hour: Int64 = 9, fixes: Int64, _ said: SessionDescribed
        ) throws {
            let day = try #require(CivilDate(date)).daysSinceEpoch
            wall = day * 86_400_000 + hour * 3_600_000
            let position = next
            try add(.sessionStarted(SessionStarted()))
            for number in 0..<fixes {
                let fix = PositionFixed(
                    north: 480_000_000 + number * 1_200, east: 110_000_000, within: 3_000)
                try add(.positionFixed(fix))
                wall += 10_000
            }
            try add(.sessionEnded(SessionEnded()))
            var said = said
            said.session = position
            try add(.sessionDescribed(said))
        }

        /// Four walks: a long one, a hike, a hidden one, and one of the year before.
        private mutating func walkAll() throws {
            try walk(
                "2025-12-31", fixes: 30, SessionDescribed(sessionName: "Last of the year"))
            try walk(
                "2026-02-03", fixes: 240,
                SessionDescribed(
                    sessionName: "Round the lake", place: "Park", note: "muddy", tags: "dog,wet"))
            try walk("2026-02-13", fixes: 60, SessionDescribed(sport: .hike))
            try walk(
                "2026-02-13", at: 15, fixes: 12,
                SessionDescribed(sessionName: "Desk", listing: .hidden))
        }
    }

    private func view(
        _ log: Log, _ year: Int64? = nil, _ change: (inout WalkFilter) -> Void = { _ in }
    ) throws -> [String: Any] {
        var filter = WalkFilter()
        change(&filter)
        return try object(YearView(year, log.walks, log.calendar, filter, units: .metric))
    }

    private func objects(_ value: Any?) throws -> [[String: Any]] {
        try #require(value as? [[String: Any]])
    }

    private func figures(_ value: Any?) throws -> [String] {
        try objects(value).map { figure in
            [figure["name"], figure["value"], figure["unit"]]
                .compactMap { $0 as? String }.filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    @Test("lists months before 700 walks once they are asked for, and loses no day of them")
    func full() throws {
        var log = try Log(isWalked: false)
        try log.walk("2026-01-31", fixes: 30, SessionDescribed())
        try log.walk("2026-02-13", fixes: 30, SessionDescribed())
        let walks = [log.walks[0]] + Array(repeating: log.walks[1], count: 700)
        let view = try object(YearView(nil, walks, log.calendar, WalkFilter(), units: .metric))
        let groups = try objects(view["groups"])
        #expect(groups.map { $0["isLeft"] as? Bool } == [false, true])
        #expect(try groups.map { try objects($0["rows"]).count } == [700, 0])
        let cells = try objects((view["calendar"] as? [String: Any])?["cells"])
        #expect(cells[30]["distance"] as? String != nil)
        var filter = WalkFilter()
        filter.from = CivilDate(try #require(groups[1]["from"] as? String))
        filter.until = CivilDate(try #require(groups[1]["until"] as? String))
        let january = try object(YearView(nil, walks, log.calendar, filter, units: .metric))
        #expect(try objects(objects(january["groups"])[0]["rows"]).count == 1)
    }

    @Test("has its sums, its means without today, and its streaks")
    func lead() throws {
        let log = try Log()
        let view = try view(log)
        let measures = try objects(view["measures"])
        #expect(measures.map { $0["name"] as? String } == ["Steps", "Distance"])
        #expect(measures[0]["loud"] as? String == "50,521")
        #expect(measures[0]["loudName"] as? String == "steps in 2026, until today")
        let walked = log.walks[1...2].compactMap(\.knownDistanceMillimetres).reduce(0, +)
        #expect(walked > 3_000_000)
        let distance = Units.metric.distance(walked)
        #expect(
            try figures(measures[0]["figures"]) == [
                "A day, on average 7,089", "Goal reached 4 of 7 days",
                "In a row now 1 day", "Walks 2", "Distance \(distance)",
                "Active 0:50 h",
            ])
        #expect("\(measures[1]["loud"] ?? "") km" == distance)
        // From 31 December on, which is known by its walk, there are 44 days in this year that are
        // over: 7 of 44 of all.
        #expect(
            try figures(measures[1]["figures"])[0]
                == "A week, on average \(Units.metric.distance(walked / 44 * 7))")
        #expect((view["before"] as? [String: Any])?["key"] as? String == "2025")
        let after = view["after"] as? [String: Any]
        #expect(after?["key"] is NSNull)
        #expect(after?["label"] as? String == "The next year has not begun")
        #expect(view["years"] as? [Int] == [2025, 2026])
        let last = try self.view(log, 2025)
        let measure = try objects(last["measures"])[0]
        #expect(measure["loudName"] as? String == "kilometres in 2025")
        #expect(measure["months"] as? [String] == Array(repeating: "", count: 11) + ["0.39"])
        let ticks = try objects(measure["ticks"]).map { $0["label"] as? String }
        #expect(ticks == ["0", "0.3", "0.6", "0.9", "1.2"])
        #expect(
            (last["before"] as? [String: Any])?["label"] as? String
                == "Nothing was recorded before 2025")
    }

    @Test("has a cell for each day until today, with its levels and signs")
    func cells() throws {
        let log = try Log()
        let view = try view(log) { $0.hasHidden = true }
        let calendar = try #require(view["calendar"] as? [String: Any])
        // 2026 began on a Thursday.
        #expect(calendar["weekday"] as? Int == 3 && calendar["days"] as? Int == 365)
        let cells = try objects(calendar["cells"])
        #expect(cells.count == 45)
        let levels = cells.map { ($0["levels"] as? [Any])?.map { $0 as? Int } ?? [] }
        #expect(levels[0] == [nil, nil])
        #expect(levels[30...34].map { $0[0] } == [5, nil, 4, 4, 1])
        #expect(levels[40...44].map { $0[0] } == [2, 3, nil, 4, 1])
        #expect(levels[33][1] == 2 && levels[32][1] == 0 && levels[43][1] == 1)
        let signs = cells.map { ($0["signs"] as? [String]) ?? [] }
        #expect(signs[32] == ["met"] && signs[43] == ["met", "hidden"] && signs[44] == ["today"])
        let long = Units.metric.distance(try #require(log.walks[1].knownDistanceMillimetres))
        #expect(
            cells[33]["say"] as? [String]
                == ["Tuesday 3 February", "9,123 steps", "goal reached", "1 walk, \(long)"])
        #expect(cells[0]["say"] as? [String] == ["Thursday 1 January", "none counted", "no walk"])
        #expect(
            cells[44]["say"] as? [String]
                == ["Today, 14 February", "900 steps so far", "no walk"])
        let measures = try objects(view["measures"])
        #expect(
            measures[0]["legend"] as? [String] == [
                "below 2,500", "from 2,500", "from 5,000", "from 8,000, the goal", "from 12,000",
            ])
        // Weeks are cut by the year; the last is under way.
        #expect(measures[0]["weeks"] as? [Int] == [0, 0, 0, 0, 12_000, 19_622, 18_899])
        let weeks = try objects(calendar["weeks"])
        #expect(weeks.indices.filter { weeks[$0]["isPart"] as? Bool == true } == [0, 6])
        #expect(weeks[4]["say"] as? String == "Week of 26 Jan, 12,000 steps")
        #expect(measures[0]["means"] as? [Int] == [84_000, 6_270 * 7])
        #expect(measures[0]["months"] as? [String] == ["12,000", "38,521"])
    }

    @Test("has months with their walks, the newest first, and no hidden one in a sum")
    func list() throws {
        let log = try Log()
        let plain = try view(log)
        let groups = try objects(plain["groups"])
        #expect(groups.map { $0["title"] as? String } == ["February"])
        let sum = try #require(WalkSums(log.walks[1...2]).distanceMillimetres)
        #expect(groups[0]["note"] as? String == "2 walks, \(Units.metric.distance(sum)), 0:50 h")
        let rows = try objects(groups[0]["rows"])
        #expect(rows.map { $0["title"] as? String } == ["Fri 13 Feb, 09:00", "Round the lake"])
        #expect(rows[0]["notes"] as? [String] == ["hike"])
        #expect(rows[1]["place"] as? String == "Park")
        #expect(rows[1]["day"] as? String == "Tue 3 Feb, 09:00")
        #expect(rows[1]["hasTrack"] as? Bool == true)
        #expect(plain["hiddenNote"] as? String == "1 hidden walk is not listed.")
        let shown = try view(log) { $0.hasHidden = true }
        #expect(try objects(shown["groups"])[0]["note"] as? String == groups[0]["note"] as? String)
        let all = try objects(objects(shown["groups"])[0]["rows"])
        #expect(all.map { $0["isHidden"] as? Bool } == [true, false, false])
        #expect(
            shown["hiddenShown"] as? String
                == "There is 1 in 2026. It is in no sum; the log keeps it, and its steps stay in "
                + "the day.")
        let table = try #require(plain["table"] as? [String: Any])
        let cells = try objects(table["rows"]).map { $0["cells"] as? [String] }
        let short = String(Units.metric.distance(sum).dropLast(3))
        #expect(
            cells == [
                ["February", "38,521", "6,270", "3 of 6", "2", short, "0:50", "–"],
                ["January", "12,000", "12,000", "1 of 1", "0", "–", "0:00", "–"],
            ])
        #expect(
            table["sums"] as? [String]
                == ["2026", "50,521", "7,089", "4 of 7", "2", short, "0:50", "–"])
    }

    @Test("shows what a search found, and its share of the year")
    func search() throws {
        let log = try Log()
        for text in ["LAKE", "park", "dog", "MUD"] {
            let view = try view(log) { $0.text = text }
            let search = try #require(view["search"] as? [String: Any])
            #expect(search["isSearch"] as? Bool == true)
            let long = try #require(WalkSums(log.walks[1...1]).distanceMillimetres)
            let whole = try #require(WalkSums(log.walks[1...2]).distanceMillimetres)
            let length = Units.metric.distance(long)
            #expect(
                search["sentence"] as? String
                    == "1 walk with “\(text)” in 2026: \(length) in 0:40 h.")
            // The line has what was typed: it is no filter.
            #expect(try objects(search["chips"]).isEmpty)
            let measure = try #require(try objects(view["measures"]).first)
            #expect("\(measure["loud"] ?? "") km" == Units.metric.distance(long))
            #expect(
                measure["loudName"] as? String
                    == "kilometres in this search, of \(Units.metric.distanceNumber(whole)) in 2026"
            )
            let figures = try objects(measure["figures"])
            let longest = figures.first { $0["name"] as? String == "Longest" }
            #expect(longest?["walk"] as? Int == Int(log.walks[1].position))
            let cells = try objects((view["calendar"] as? [String: Any])?["cells"])
            let hits = cells.indices.filter { (cells[$0]["signs"] as? [String]) == ["hit"] }
            #expect(hits == [33])
            #expect(cells[43]["say"] as? [String] == ["Friday 13 February", "no walk found"])
        }
        let none = try view(log) { $0.text = "desk" }
        #expect(
            (none["search"] as? [String: Any])?["sentence"] as? String
                == "No walk in 2026 matches.")
        #expect(none["hiddenNote"] as? String == "1 hidden walk is not listed.")
        let chips = try view(log) {
            $0.from = CivilDate("2025-05-01")
            $0.atLeastMillimetres = 2_500_000
            $0.sport = .hike
            $0.tags = ["dog"]
            $0.hasHidden = true
        }
        let search = try #require(chips["search"] as? [String: Any])
        #expect(
            try objects(search["chips"]).map { $0["text"] as? String } == [
                "from 1 May 2025", "2.5 km or longer", "Hike", "dog", "Hidden walks shown",
            ])
        #expect(search["places"] as? [String] == ["Park"])
        #expect(search["tags"] as? [String] == ["dog", "wet"])
    }

    @Test("looks for walks in all years, those of a year together")
    func allYears() throws {
        var log = try Log()
        for day in 10...15 {
            try log.walk("2025-05-\(day)", fixes: 30, SessionDescribed(place: "Park"))
        }
        var filter = WalkFilter()
        filter.text = "park"
        let view = try object(
            YearView(nil, log.walks, log.calendar, filter, inAllYears: true, units: .metric))
        let groups = try objects(view["groups"])
        #expect(groups.map { $0["title"] as? String } == ["2026", "2025"])
        #expect(groups[1]["first"] as? Int == 5)
        #expect(groups[1]["more"] as? String == "Show 1 more from 2025")
        let search = try #require(view["search"] as? [String: Any])
        #expect(search["isOfAllYears"] as? Bool == true)
        #expect(
            (search["sentence"] as? String)?.hasPrefix(
                "7 walks with “park” since May 2025: ") == true)
        #expect(try objects((view["calendar"] as? [String: Any])?["cells"]).isEmpty)
        // Nothing is looked for: it is the year.
        let plain = YearView(
            nil, log.walks, log.calendar, WalkFilter(), inAllYears: true, units: .metric)
        #expect(plain.days.count == 45)
    }

    @Test("compares this month with last, both to yesterday's date, and a first week with none")
    func months() throws {
        func against(_ totals: [(String, UInt64)], _ today: String) throws -> [String] {
            let days = try totals.map { (try #require(CivilDate($0)), $1) }
            let calendar = try WordsTests.calendar(
                days, goal: 8_000, today: try #require(CivilDate(today)))
            let view = try object(YearView(nil, [], calendar, WalkFilter(), units: .metric))
            #expect(view["first"] == nil || totals.count == 1)
            return try #require(try objects(view["measures"])[0]["against"] as? [String])
        }
        let january: (String, UInt64) = ("2026-01-01", 1_000)
        let tooLate: (String, UInt64) = ("2026-01-14", 50_000)
        for (steps, sentence) in [
            (1_150, "15\u{A0}% more in February than in January: 1,150 steps against 1,000."),
            (850, "15\u{A0}% fewer in February than in January: 850 steps against 1,000."),
            (1_009, "As many in February as in January: 1,009 steps."),
        ] as [(UInt64, String)] {
            #expect(
                try against([january, tooLate, ("2026-02-13", steps)], "2026-02-14")
                    == [sentence, "Both from the 1st to the 13th."])
        }
        // The 29th of March is compared with all of February.
        let long = try against([("2026-02-01", 5), ("2026-03-29", 9), january], "2026-03-31")
        #expect(long[1] == "Both from the 1st to the 28th.")
        #expect(try against([january, tooLate], "2026-02-01").isEmpty)
        #expect(try against([tooLate, ("2026-02-13", 9)], "2026-02-14").isEmpty)
        #expect(try against([("2026-02-10", 9)], "2026-02-14").isEmpty)
        #expect(
            [1, 2, 3, 4, 11, 12, 13, 21, 22, 23].map(ordinal).joined(separator: " ")
                == "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd")
    }

    @Test("a month and the year have their own name and streak in a walker's first 28 days")
    func first() throws {
        let known = try Log(isWalked: false).calendar.counted.suffix(2)
        let days = known.map { ($0.date.advanced(by: -14), $0.steps) }
        let calendar = try WordsTests.calendar(days, goal: 8_000, today: try #require(Self.today))
        let view = try object(YearView(nil, [], calendar, WalkFilter(), units: .metric))
        let january = try objects(objects(view["months"])[0]["leads"])[0]
        let first = try objects(#require(view["first"] as? [String: Any])["leads"])[0]
        #expect(january["loudName"] as? String == "steps in January")
        #expect(try figures(january["figures"]).contains("Longest streak 1 day"))
        #expect(first["loudName"] as? String == "steps in 16 days, since Friday 30 January")
        #expect(try figures(first["figures"]).contains("In a row now none"))
    }

    @Test("says nothing of a goal without one, and nothing at all of an empty log")
    func without() throws {
        var log = try Log(goal: nil, isWalked: false)
        let measure = try #require(try objects(view(log)["measures"]).first)
        #expect(
            try figures(measure["figures"]) == [
                "A day, on average 7,089", "Walks 0", "Distance 0.00 km", "Active 0:00 h",
            ])
        #expect((measure["legend"] as? [String])?[3] == "from 8,000")
        let empty = Projections.Calendar([], goal: nil, today: try #require(Self.today))
        let none = try object(YearView(nil, [], empty, WalkFilter(), units: .metric))
        #expect(none["isEmpty"] as? Bool == true)
        // A clock that was reset: the only walk is of tomorrow.
        try log.walk("2026-02-15", fixes: 12, SessionDescribed())
        _ = try object(YearView(nil, log.walks, empty, WalkFilter(), units: .metric))
        for year: Int64 in [1, 1972, 2024, 2027, 9_999] {
            let view = try object(YearView(year, [], empty, WalkFilter(), units: .metric))
            #expect(view["year"] as? Int64 == year)
        }
    }

    @Test("adds up all years, a row for each")
    func years() throws {
        let log = try Log()
        let view = try object(YearsView(log.walks, log.calendar, units: .metric))
        let rows = try objects(view["rows"])
        #expect(view["lastTrack"] as? Position == log.walks[2].position)
        #expect(rows.map { $0["year"] as? String } == ["2026", "2025"])
        #expect(rows.map { $0["note"] as? String } == ["so far", ""])
        let summed = WalkSums(log.walks[0...2])
        let all = try #require(summed.distanceMillimetres)
        #expect("\(view["loud"] ?? "") km" == Units.metric.distance(all))
        #expect(view["loudName"] as? String == "kilometres since December 2025")
        #expect(
            view["sums"] as? [String]
                == [
                    "All", String(Units.metric.distance(all).dropLast(3)), "3", "0:55", "–",
                    "50,521",
                ])
        let chart = try #require(view["chart"] as? [String: Any])
        let months = try objects(chart["months"])
        #expect(months.count == 24)
        let walked = months.indices.filter { months[$0]["value"] as? Int ?? 0 > 0 }
        #expect(walked == [11, 13])
        #expect(try figures(view["figures"]).contains("Longest streak 2 days, 2026"))
    }
}
