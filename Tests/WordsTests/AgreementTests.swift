import Events
import Projections
import TestSelection
import TestSupport
import Testing

@testable import Words

/// What a page, a script and a terminal get of the same walks.
@Suite("A page, a script and a terminal")
struct AgreementTests {
    /// A part of what one of them gets.
    private struct Part {
        let value: Any?
        init(_ value: Any?) { self.value = value }
        subscript(key: String) -> Part { Part((value as? [String: Any])?[key]) }
        var parts: [Part] { (value as? [Any] ?? []).map(Part.init) }
        var text: String { value.map { "\($0)" } ?? "" }
        /// Its digits as one number, or the smallest units of a time; 0 of a dash.
        var number: Int {
            text.split(separator: ":").reduce(0) { $0 * 60 + (Int($1.filter(\.isNumber)) ?? 0) }
        }
    }

    private typealias Start = (position: Position, before: LogState)

    /// Walks over some years, each with a strap, steps or positions, or without.
    private func history(_ seed: UInt64) throws -> (story: Story, starts: [Start], units: Units) {
        var (random, story, starts) = (SeededGenerator(seed: seed), Story(), [Start]())
        func some(_ value: UInt64) -> UInt64? { random.chance(60) ? value : nil }
        let profile = Profile(
            heightMillimetres: some(1_800), weightGrams: some(75_000), dailyGoalSteps: some(6_000))
        try story.add(.profileChanged(profile))
        let walker = Walker(birthYear: some(1_980), sex: .female)
        try story.add(.walkerDescribed(walker))
        try story.pair("Strap")
        var (count, way, heart) = (UInt64(0), UInt64(0), UInt64(90))
        for _ in 0..<10 {
            story.now += 3_600_000 + random.below(random.chance(30) ? 90_000_000 : 9_000_000_000)
            let today = try #require(story.state.own.localDate(at: story.moment))
            let total = HealthTotalObserved(date: today, total: random.below(20_000))
            if random.chance(50) { try story.add(.healthTotalObserved(total)) }
            let less = StepsCorrected(date: today, correction: -50, reason: "a tram", author: "me")
            if random.chance(30) { try story.add(.stepsCorrected(less)) }
            starts.append((Position(story.events.count), story.state))
            try story.add(.sessionStarted(SessionStarted()))
            let (hasHeart, hasSteps, hasWay) = (some(1), some(1), some(1))
            let (hasFixes, height, paused) = (some(1), some(9_000), random.below(50))
            for step in 0..<random.below(200) {
                story.now += 500 + random.below(11_000)
                if step == paused { try story.add(.sessionPaused(SessionPaused())) }
                if step == paused + 9 { try story.add(.sessionResumed(SessionResumed())) }
                (count, way) = (count + random.below(25), way + random.below(20_000))
                heart = max(60, min(190, heart + random.below(9) - 4))
                let counted = Event.counted(
                    DeviceID(address: 1, space: .kernel), count, distance: hasWay.map { _ in way })
                if hasSteps != nil { try story.add(counted) }
                if hasHeart != nil { try story.notify(.heartRateMeasurement, [0, UInt8(heart)]) }
                let fix = PositionFixed(
                    north: 480_000_000 + Int64(step) * 900, east: 100_000_000,
                    height: height.map { Int64(random.below($0) * step / 50) }, within: 3_000)
                if hasFixes != nil { try story.add(.positionFixed(fix)) }
            }
            try story.add(.sessionEnded(SessionEnded(reason: .requested)))
        }
        return (story, starts, Units(isInMiles: random.chance(50)))
    }

    private func flat(_ text: some StringProtocol) -> String {
        text.split { $0 == " " || $0 == "\u{A0}" || $0 == "\n" }.joined(separator: " ")
    }

    /// What stands after some words; where they do not, nothing does.
    private func after(_ words: String, in text: String) -> Part {
        let rest = text.firstRange(of: words).map { text[$0.upperBound...] } ?? ""
        return Part(rest.drop { $0 == " " }.prefix { $0 != " " && $0 != "\n" })
    }

    /// All times of a line, added up.
    private func times(_ label: String, in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix("  \(label) ") } ?? ""
        return line.matches(of: /[\d:]+:\d\d/).reduce(0) { $0 + Part($1.0).number }
    }

    @Test("tell the same of each walk, and its parts add up", arguments: sample(0..<20, 2))
    func walks(seed: UInt64) throws {
        let (story, starts, units) = try history(seed)
        for (walk, start) in zip(story.state.sessionReports(at: story.moment), starts) {
            var series = SessionSeries(of: start.position, .walked, after: start.before)
            let events = story.events[Int(start.position)...]
            for event in events { try event.withView { series.evolve($0) } }
            let (json, text) = (Part(try object(walk)), SessionText(walk, units: units).text)
            let view = Part(try object(SessionView(walk, series, units: units)))
            let chart = WalkChart(walk, series, units: units).text
            func rounded(_ value: Int, _ divisor: Int) -> Int {
                (2 * value + divisor) / divisor / 2
            }
            let (mile, heart) = (Int(units.distanceMillimetres), json["heartRate"])
            let (way, active) = (
                json["distanceMillimetres"].number, json["activeMilliseconds"].number
            )
            let paused = json["elapsedMilliseconds"].number / 1_000 - active / 1_000
            let energy = [json["energyCalories"].number, json["heartRateEnergyCalories"].number]
            let climb = json["route"]["ascentMillimetres"].number
            let mean = chart.firstMatch(of: /\d+(?= BPM mean)/).map(\.0)
            let rise = units.isInMiles ? rounded(climb * 10, 3_048) : rounded(climb, 1_000)
            let told = [
                "distance": (rounded(way * 100, mile), after("  Distance ", in: text)),
                "active": (active / 1_000, after(", active ", in: text)),
                "paused": (paused, after(", paused ", in: text)),
                "steps": (json["steps"]["session"].number, after("  Steps ", in: text)),
                "energy": (rounded(energy.max() ?? 0, 1_000), after("  Energy ", in: text)),
                "climb": (rise, after("GPS, up ", in: text)),
                "mean": (rounded(heart["timeWeightedMean"].number, 100), Part(mean)),
                "highest": (heart["supportedMax"].number, after("supported, ", in: chart)),
                "pace": (way > 0 ? active * mile / way / 1_000 : 0, after(" active ", in: chart)),
            ]
            for figure in view["figures"].parts {
                guard let (number, words) = told[figure["key"].text] else { continue }
                let shown = figure["value"]
                let isSame = shown.number == number && (number == 0 || words.number == number)
                #expect(isSame, "\(seed), \(figure), \(number), \(words): \(text)\(chart)")
            }
            let (signal, zones) = (times("Signal", in: text), times("Zones", in: text))
            #expect(times("Time", in: text) == 2 * (active / 1_000 + paused), "\(text)")
            #expect(signal == 0 || signal == active / 1_000, "\(text)")
            #expect(zones == after("measured ", in: text).number, "\(seed): \(text)")
            let isUp = text.contains("Link       up")
            #expect(!isUp || !(chart + view["noHeart"].text).contains("No strap was connected"))
        }
    }

    @Test("tell the same of days, months and years, which add up", arguments: sample(0..<20, 2))
    func spans(seed: UInt64) throws {
        let (story, _, units) = try history(seed)
        let (state, walks) = (story.state, story.state.sessionReports(at: story.moment))
        let today = try #require(walks.last?.date).advanced(by: Int64(seed % 3))
        let calendar = state.calendar(today: today)
        let years = Part(try object(YearsView(walks, calendar, units: units)))
        for ofAll in years["rows"].parts {
            let year = Int64(ofAll["year"].number)
            let view = Part(try object(YearView(year, walks, calendar, WalkFilter(), units: units)))
            let table = view["table"]
            let names = table["columns"].parts.map(\.text)
            func named(_ cells: [Part], _ names: some Sequence<String>) -> [String: Part] {
                Dictionary(uniqueKeysWithValues: zip(names, cells))
            }
            let sums = named(table["sums"].parts, names)
            let rows = table["rows"].parts.map { named($0["cells"].parts, names) }
            let hasSteps = names.contains("Steps")
            let about = "\(seed) \(rows) \(sums) \(ofAll)"
            for name in names.dropFirst() where !["A day", "Goal"].contains(name) {
                let sum = rows.reduce(0) { $0 + ($1[name]?.number ?? 0) }
                let slack = ["Steps", "Walks"].contains(name) ? 0 : 6
                #expect(abs(sum - (sums[name]?.number ?? 0)) <= slack, "\(name) \(about)")
            }
            let heads = years["columns"].parts.map(\.text).dropFirst()
            for (name, cell) in named(ofAll["cells"].parts, heads) {
                #expect(sums[name].map { $0.text == cell.text } ?? true, "\(name) \(about)")
            }
            let text = flat(
                CalendarText(calendar, columns: 80, units: units).months(of: year, walks))
            for row in table["rows"].parts.map(\.["cells"].parts) + [table["sums"].parts]
            where hasSteps {
                let month = row[0].text == "\(year)" ? "─" : "\(row[0].text.prefix(3))"
                let figures = zip(names, row).dropFirst()
                    .filter { !["Active", "Climb"].contains($0.0) }.map(\.1.text)
                let isIn = text.contains("\(month) \(year) \(flat(figures.joined(separator: " ")))")
                #expect(isIn || !text.contains("\(month) \(year)"), "\(about) \(text)")
            }
            for (month, row) in zip(view["months"].parts, rows.reversed()) where hasSteps {
                let weeks = month["weeks"].parts.reduce(0) { $0 + $1["steps"].number }
                #expect(weeks == row["Steps"]?.number, "\(about)")
            }
            for group in view["groups"].parts {
                let row = rows.first { $0[names[0]]?.text == group["title"].text } ?? [:]
                let figures = group["sums"].parts.map(\.["value"].text)
                let same = ["Walks", units.distanceName, "Active"].map { row[$0]?.text }
                #expect(figures.prefix(3).map(\.self) == same, "\(about)")
            }
            let days = view["calendar"]["cells"].parts
            for day in state.dayReports() {
                let told = DayText(day, state)
                let json = Part(try object(told))
                #expect(after("Displayed", in: told.text).number == json["displayed"].number)
                #expect(after("Corrected", in: told.text).number == json["corrected"].number)
                let cell = days.first { $0["date"].text == "\(day.date)" } ?? json
                #expect(
                    cell["steps"].number == json["corrected"].number || cell["steps"].value == nil)
            }
        }
    }

    @Test("tell the same of trends, which add up", arguments: sample(0..<20, 2))
    func trends(seed: UInt64) throws {
        let (story, _, units) = try history(seed)
        let (state, walks) = (story.state, story.state.sessionReports(at: story.moment))
        let today = try #require(walks.last?.date).advanced(by: Int64(seed % 3))
        let calendar = state.calendar(today: today)
        for measure in Trends.Measure.allCases where measure.isSum {
            let trends = Trends(measure, walks, WalkOutlines(), calendar)
            for span in Trends.Span.allCases {
                let table = TrendTable(TrendText(trends, span, units), today: today)
                let view = Part(try object(TrendsView(trends, span, calendar, units)))
                let (lines, json) = (flat(table.lines(columns: 100)), Part(try object(table)))
                for row in view["table"]["rows"].parts.map(\.["cells"].parts) {
                    #expect(lines.contains(flat(row.map(\.text).joined(separator: " "))))
                }
                _ = json["rows"].parts.reduce(0) { sum, row in
                    let (amount, isSum) = (row["amount"].number, row["isSum"].value as? Bool)
                    #expect(isSum == false || sum == amount, "\(seed) \(json)")
                    return isSum == false ? sum + amount : 0
                }
            }
        }
    }
}
