internal import Events
package import JSON
package import Projections
internal import Text

/// A year as a page lays it out: its days as a calendar, what its weeks and months add up to, and
/// those of its walks that somebody looks for.
package struct YearView: JSONObject {
    /// A day and what was walked on it.
    struct Day {
        let date: CivilDate
        /// Its steps, or nil if none were counted.
        let steps: UInt64?
        /// Its walks that are summed; of a search, those of them that were found.
        var walks = WalkSums()
        /// Whether a hidden walk of it is shown.
        var hasHidden = false

        /// How much of a measure it has, or nil.
        func amount(_ measure: Measure) -> UInt64? {
            switch measure {
            case .steps: steps
            case .active: walks.walks > 0 ? walks.activeMilliseconds : nil
            default: walks.distanceMillimetres
            }
        }
    }

    let year: Int64
    let calendar: Calendar
    /// The year's first and last day.
    let dates: ClosedRange<CivilDate>
    /// What somebody has asked for.
    let asked: WalkFilter
    /// The walks that were found.
    let found: WalkFilter.Found
    /// The year's walks that are summed, in order of position.
    let summed: [SessionReport]
    /// All walks, in order of position.
    let walks: [SessionReport]
    /// The year's days until today.
    let days: [Day]
    /// Whether only some of its walks are looked for.
    let isSearch: Bool
    /// Whether they are looked for in all years; it has no calendar then.
    let isOfAllYears: Bool
    let units: Units
    /// The first day of which anything is known.
    let firstKnown: CivilDate
    /// Whether that is so late in the year that its weeks stand for all of it.
    var isFirst: Bool {
        !isSearch && firstKnown >= dates.lowerBound && dates.contains(calendar.today)
            && (firstKnown...calendar.today).days <= Self.firstDays
    }
    /// So long the weeks since the first day stand in the place of the year.
    private static let firstDays: Int64 = 28

    /// Shows a year.
    ///
    /// - Parameters:
    ///   - year: Which one, 1 to 9999; nil for this one.
    ///   - walks: All walks, in order of position.
    ///   - calendar: All days.
    ///   - filter: What is looked for.
    ///   - inAllYears: Whether it is looked for in all of them.
    ///   - units: The walker's.
    package init(
        _ year: Int64?, _ walks: [SessionReport], _ calendar: Calendar, _ filter: WalkFilter,
        inAllYears: Bool = false, units: Units
    ) {
        self.units = units
        let year = year ?? calendar.today.components.year
        let dates = CivilDate.days(of: year...year) ?? calendar.today...calendar.today
        let first = dates.lowerBound
        (self.year, self.walks, self.calendar, self.dates) = (year, walks, calendar, dates)
        asked = filter
        var plain = filter
        plain.hasHidden = false
        isSearch = plain != WalkFilter()
        let isWide = inAllYears && isSearch
        isOfAllYears = isWide
        var filter = filter
        if !isWide {
            filter.from = max(filter.from ?? first, first)
            filter.until = min(filter.until ?? dates.upperBound, dates.upperBound)
        }
        found = filter.find(in: walks)
        summed = walks.filter { (isWide || dates.contains($0.date)) && $0.isSummed }
        let last = isWide ? first.advanced(by: -1) : min(dates.upperBound, calendar.today)
        var days = (first.daysSinceEpoch..<max(last.daysSinceEpoch + 1, first.daysSinceEpoch)).map {
            let date = first.advanced(by: $0 - first.daysSinceEpoch)
            return Day(date: date, steps: calendar[date])
        }
        for walk in found.walks {
            let index = Int(walk.date.daysSinceEpoch - first.daysSinceEpoch)
            guard days.indices.contains(index) else { continue }
            if walk.isSummed { days[index].walks.add(walk) }
            if walk.keeping.isHidden { days[index].hasHidden = true }
        }
        self.days = days
        let firstWalk = walks.lazy.filter { $0.isSummed && $0.date <= calendar.today }
        let firsts = [calendar.counted.first?.date, firstWalk.map(\.date).min()]
        firstKnown = firsts.compactMap(\.self).min() ?? calendar.today
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        json.field("isEmpty", walks.isEmpty && calendar.counted.isEmpty)
        json.list("open", walks.filter { $0.state != .ended }) { json, walk in
            json.field("position", walk.position)
            json.field("sentence", walk.openSentence)
        }
        writeHead(to: &json)
        json.list("measures", measures) { writeMeasure($1, to: &$0) }
        writeCalendar(to: &json)
        writeMonths(to: &json)
        if isFirst { json.object("first") { writeFirst(to: &$0) } }
        writeFound(to: &json)
    }

    /// The weeks since the first day.
    private func writeFirst(to json: inout JSONWriter) {
        let today = calendar.today
        let (monday, sunday) = (firstKnown.monday, today.monday.advanced(by: 6))
        let weeks = max(monday, dates.lowerBound)...min(sunday, dates.upperBound)
        let since = (firstKnown...today).days
        let name =
            since == 1
            ? "today" : "in \(since) days, since \(firstKnown.weekdayAndMonth)"
        writeSpan(weeks, name, of: firstKnown...today, to: &json)
        json.field("title", "\(today.monthName) \(year)")
        let later = firstKnown.advanced(by: Self.firstDays)
        json.field(
            "note",
            "Each day fills a cell. From \(later.dayAndMonth) this page shows the whole year.")
    }

    /// What is shown of the year, what leads it first: what its sensors have measured.
    var measures: [Measure] {
        if isSearch { return [.distance] }
        if hasSteps { return [.steps, .distance] }
        let hasWay = walks.isEmpty || summed.contains { $0.knownDistanceMillimetres != nil }
        return hasWay ? [.distance] : [.active]
    }

    /// Whether something counted steps in the year, or nothing is known of it yet.
    var hasSteps: Bool { calendar.span(dates).steps > 0 || summed.isEmpty }

    // MARK: - Head

    /// The years of which something is known, and this one.
    private var years: [Int64] {
        let walked = walks.filter { asked.hasHidden || !$0.keeping.isHidden }.map(\.date)
        var years = (calendar.counted.map(\.date) + walked).map(\.components.year)
        years.append(calendar.today.components.year)
        years.sort()
        return years.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private func writeHead(to json: inout JSONWriter) {
        let years = years
        let before = years.last { $0 < year }
        let after = years.first { $0 > year }
        json.field("year", year)
        json.field("title", "\(year)")
        json.field("years", years)
        json.object("before") { json in
            json.field("key", before.map { "\($0)" })
            json.field("label", before.map { "\($0)" } ?? "Nothing was recorded before \(year)")
        }
        json.object("after") { json in
            json.field("key", after.map { "\($0)" })
            let isPast = year < calendar.today.components.year
            let none = isPast ? "Nothing was recorded after \(year)" : "The next year has not begun"
            json.field("label", after.map { "\($0)" } ?? none)
        }
    }

    // MARK: - Sums

    /// Days that are over, from the first one on of which anything is known.
    private func known(_ span: ClosedRange<CivilDate>) -> ArraySlice<Day> {
        let first = max(firstKnown, span.lowerBound)
        let last = min(span.upperBound, calendar.today.advanced(by: -1))
        return days.drop { $0.date < first }.prefix { $0.date <= last }
    }

    /// How far or how long one walks in a week on average; nil before the first one is over.
    func weekly(_ measure: Measure, _ span: ClosedRange<CivilDate>) -> UInt64? {
        let days = known(span)
        guard days.count >= 7 else { return nil }
        let sum = days.reduce(UInt64(0)) { $0.plus($1.amount(measure) ?? 0) }
        return sum / UInt64(days.count) * 7
    }

    /// Which span of days a sum is of.
    func phrase(_ span: ClosedRange<CivilDate>, called name: String) -> String {
        "in \(name)" + (span.contains(calendar.today) ? ", until today" : "")
    }

    /// The loud sum of a span, which a phrase names, and the quiet figures next to it.
    func writeLead(
        _ measure: Measure, of span: ClosedRange<CivilDate>, _ phrase: String,
        to json: inout JSONWriter
    ) {
        let steps = calendar.span(span)
        let walks = summed.filter { span.contains($0.date) }
        let sums = WalkSums(walks)
        let distance = Figure(units.distance(sums.distanceMillimetres ?? 0))
        let time = hours(sums.activeMilliseconds)
        let weekly = weekly(measure, span)
        let (loud, noun, mean): (String, String, String?) =
            switch measure {
            case .steps: (grouped(steps.steps), "steps", steps.mean.map(grouped))
            case .active: (time, "hours", weekly.map { hours($0) + " h" })
            default: (distance.value, units.distanceNoun + "s", weekly.map(units.distance))
            }
        json.field("loud", loud)
        json.field("loudName", "\(noun) \(phrase)")
        let against =
            span.contains(calendar.today)
            ? MonthComparison(measure, calendar, self.walks, units, since: firstKnown) : nil
        json.field("against", against.map { [$0.sentence, $0.span] } ?? [])
        json.array("figures") { json in
            let isSteps = measure == .steps
            write("mean", "A \(isSteps ? "day" : "week"), on average", mean, to: &json)
            if !hasSteps {
                writeWeeks(of: span, to: &json)
            } else if let reached = steps.reached, steps.days > 0 {
                let figure = Figure("\(reached) of \(counted(steps.days, "day"))")
                json.figure("goal", "Goal reached", figure)
                writeStreak(of: span, to: &json)
            }
            json.figure("walks", "Walks", Figure(grouped(sums.walks)))
            let climb = sums.ascentMillimetres.map(units.climb)
            if measure == .active {
                let longest = walks.map(\.activeMilliseconds).max().map(TimeText.duration)
                write("active", "Longest", longest, to: &json)
                return write("heart", "Mean over time", sums.mean?.bpm, to: &json)
            }
            if isSteps {
                let note = climb.map { "\($0) climb" } ?? ""
                json.figure("distance", "Distance", distance, note: note)
            }
            json.figure("active", "Active", Figure(time + " h"))
            if !isSteps { write("climb", "Climb", climb, to: &json) }
        }
    }

    /// On how many days and in how many weeks in a row was walked, where nothing counts steps.
    private func writeWeeks(of span: ClosedRange<CivilDate>, to json: inout JSONWriter) {
        let days = days.filter { span.contains($0.date) && $0.walks.walks > 0 }
        let weeks = days.reduce(into: [CivilDate]()) {
            if $0.last != $1.date.monday { $0.append($1.date.monday) }
        }
        var (longest, row) = (weeks.isEmpty ? 0 : 1, 1)
        for (week, next) in zip(weeks, weeks.dropFirst()) {
            row = week.advanced(by: 7) == next ? row + 1 : 1
            longest = max(longest, row)
        }
        json.figure("goal", "Days with a walk", Figure("\(days.count)"))
        guard longest > 1 else { return }
        json.figure("streak", "Longest streak", Figure("\(longest) weeks"))
    }

    /// A figure that is left out until it is known.
    func write(_ key: String, _ name: String, _ text: String?, to json: inout JSONWriter) {
        if let text { json.figure(key, name, Figure(text)) }
    }

    private func writeStreak(of span: ClosedRange<CivilDate>, to json: inout JSONWriter) {
        let longest = calendar.longestStreak(in: span)
        let isNow =
            span.contains(calendar.today) && [dates, firstKnown...calendar.today].contains(span)
        let days = isNow ? calendar.presentStreak?.days ?? 0 : longest?.days
        let rest =
            isNow
            ? longest.map { "longest \($0.days)" } : longest.map { $0.dates.words(in: year) }
        let text = days.flatMap { $0 > 0 ? counted(UInt64($0), "day") : nil } ?? "none"
        json.figure(
            "streak", isNow ? "In a row now" : "Longest streak", Figure(text), note: rest ?? "")
    }
}
