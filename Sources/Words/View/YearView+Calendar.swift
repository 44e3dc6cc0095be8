internal import Events
internal import JSON
internal import Projections
internal import Text

extension YearView {
    // MARK: - A measure

    /// How many millionths of a distance or of an hour an amount is; steps as they are.
    private func charted(_ measure: Measure, _ amount: UInt64) -> UInt64 {
        switch measure {
        case .steps: amount
        case .active: amount.scaled(by: 5, over: 18)
        default: units.distanceMillionths(amount)
        }
    }

    private func levels(_ measure: Measure) -> DayLevels {
        switch measure {
        case .steps: .steps(goal: calendar.goal)
        case .active: .active
        default: .distance(units)
        }
    }

    /// What the colours, bars and months show: steps, how far, or for how long was walked.
    func writeMeasure(_ measure: Measure, to json: inout JSONWriter) {
        let isSteps = measure == .steps
        json.field("key", measure.key)
        json.field("name", measure == .active ? "Time" : measure.name)
        if isSearch {
            writeFoundLead(to: &json)
        } else {
            writeLead(measure, of: dates, phrase(dates, called: title), to: &json)
        }
        json.field(
            "weeksName",
            (isSteps
                ? "Steps" : measure == .active ? "Hours" : capitalized(units.distanceNoun) + "s")
                + " a week"
                + (isSearch ? ", this search" : ""))
        json.field("none", isSteps ? nil : isSearch ? "not in this search" : "no walk")
        json.field("legend", levels(measure).labels)
        // The fourth begins with the goal.
        if isSteps, calendar.goal != nil { json.field("metFrom", 3) }
        json.pairs("signs", ("key", "text"), signs(measure))
        let weeks = weeks.map { charted(measure, $0.amount(measure)) }
        let means = isSearch ? [] : months.map { mean(measure, of: $0) }
        // A kilometre or an hour at least: parts of less would all be called 0.
        let most = [isSteps ? 100 : 1_000_000] + weeks + means.compactMap(\.self)
        json.axis(to: niceTop(most.max() ?? 0)) {
            isSteps ? grouped($0) : decimal(hundredths: $0 / 10_000)
        }
        json.field("weeks", weeks)
        json.field("means", means)
        json.field("months", months.map { sum(measure, of: $0) })
    }

    private var title: String { "\(year)" }

    private func signs(_ measure: Measure) -> [(String, String)] {
        if isSearch { return [("hit", "found")] }
        var signs: [(String, String)] = []
        // By steps the level that begins at the goal says it.
        if hasSteps, calendar.goal != nil, measure != .steps {
            signs.append(("met", "daily goal reached"))
        }
        if hasSteps { signs.append(("none", "none counted")) }
        if dates.contains(calendar.today) { signs.append(("today", "today")) }
        if asked.hasHidden { signs.append(("hidden", "a hidden walk")) }
        return signs + [("mean", "mean of the month")]
    }

    /// What a week has at the pace of a month; nil where nothing is known of that.
    private func mean(_ measure: Measure, of month: ClosedRange<CivilDate>) -> UInt64? {
        guard measure == .steps else {
            return weekly(measure, month).map { charted(measure, $0) }
        }
        return calendar.span(month).mean.map { UInt64(clamping: UInt128($0) * 7) }
    }

    private func sum(_ measure: Measure, of month: ClosedRange<CivilDate>) -> String {
        // Before anything was known nothing was counted.
        if month.upperBound < firstKnown { return "" }
        guard measure != .steps else { return grouped(calendar.span(month).steps) }
        let days = days.filter { month.contains($0.date) }
        let sum = days.reduce(UInt64(0)) { $0.plus($1.amount(measure) ?? 0) }
        guard sum > 0 else { return "" }
        return measure == .active ? hours(sum) : units.distanceNumber(sum)
    }

    // MARK: - Days and weeks

    /// The months that have begun.
    var months: [ClosedRange<CivilDate>] {
        (1...12).compactMap { CivilDate.month($0, of: year) }
            .filter { $0.lowerBound <= calendar.today }
    }

    private struct Week {
        var dates: ClosedRange<CivilDate>
        var steps: UInt64 = 0
        var millimetres: UInt64 = 0
        var milliseconds: UInt64 = 0

        func amount(_ measure: Measure) -> UInt64 {
            measure == .steps ? steps : measure == .active ? milliseconds : millimetres
        }
    }

    /// The weeks of some days, as far as those go.
    private func weeks(of days: some Sequence<Day>) -> [Week] {
        var weeks: [Week] = []
        for day in days {
            if let first = weeks.last?.dates.lowerBound, first.monday == day.date.monday {
                weeks[weeks.count - 1].dates = first...day.date
            } else {
                weeks.append(Week(dates: day.date...day.date))
            }
            let last = weeks.count - 1
            weeks[last].steps.add(day.steps ?? 0)
            weeks[last].millimetres.add(day.walks.distanceMillimetres ?? 0)
            weeks[last].milliseconds.add(day.walks.activeMilliseconds)
        }
        return weeks
    }

    private var weeks: [Week] { weeks(of: days) }

    func writeCalendar(to json: inout JSONWriter) {
        let shown = measures.map { (measure: $0, levels: levels($0)) }
        json.object("calendar") { json in
            json.field("label", "Day of the year")
            json.field("weekday", dates.lowerBound.weekday)
            json.field("days", dates.days)
            json.field("weekdays", CivilDate.weekdays.map { String($0.prefix(3)) })
            json.list("cells", days) { json, day in
                // Where nothing counts steps, a day without a walk is no gap.
                let isKnown = !hasSteps || day.steps != nil || day.walks.walks > 0
                let rest = !isSearch && isKnown ? 0 : nil
                json.field("date", day.date.description)
                json.field(
                    "levels",
                    shown.map { measure, levels in
                        day.amount(measure).map(levels.level) ?? (measure == .steps ? nil : rest)
                    })
                json.field("signs", signs(of: day))
                json.field("say", sentence(of: day))
                json.field("steps", day.steps.map(grouped))
                json.field("distance", day.walks.distanceMillimetres.map(units.distance))
            }
            json.list("weeks", weeks) { json, week in
                let dates = week.dates
                json.field(
                    "isPart",
                    dates.upperBound < dates.lowerBound.advanced(by: 6)
                        || dates.contains(calendar.today))
                json.field("say", sentence(of: week))
            }
        }
    }

    private func signs(of day: Day) -> [String] {
        [
            isSearch && day.walks.walks > 0 ? "hit" : nil,
            !isSearch && hasSteps && isMet(day) ? "met" : nil,
            day.date == calendar.today ? "today" : nil,
            day.hasHidden ? "hidden" : nil,
        ].compactMap(\.self)
    }

    private func isMet(_ day: Day) -> Bool {
        calendar.goal.map { goal in day.steps.map { $0 >= goal } ?? false } ?? false
    }

    /// What is said of a day, in parts; the first is its name.
    private func sentence(of day: Day) -> [String] {
        let isToday = day.date == calendar.today
        let name = isToday ? "Today, \(day.date.dayAndMonth)" : day.date.weekdayAndMonth
        let sums = day.walks
        var walked = sums.walks > 0 ? counted(sums.walks, "walk") : "no walk"
        if isSearch { walked += " found" }
        if let distance = sums.distanceMillimetres { walked += ", \(units.distance(distance))" }
        let steps = day.steps.map { counted($0, "step") + (isToday ? " so far" : "") }
        return [name] + (isSearch || !hasSteps ? [] : [steps ?? "none counted"])
            + (!isSearch && isMet(day) ? ["goal reached"] : []) + [walked]
            + (day.hasHidden ? ["a hidden walk"] : [])
    }

    private func sentence(of week: Week) -> String {
        let steps = isSearch || !hasSteps ? "" : ", " + counted(week.steps, "step")
        let walked = week.millimetres > 0 ? ", " + units.distance(week.millimetres) : ""
        return "Week of \(week.dates.lowerBound.small)\(steps)\(walked)"
            + (week.dates.contains(calendar.today) ? " so far" : "")
    }

    // MARK: - Months

    func writeMonths(to json: inout JSONWriter) {
        let hasGoal = calendar.goal != nil
        json.object("table") { json in
            json.field(
                "columns",
                ["Month"] + (hasSteps ? ["Steps", "A day"] + (hasGoal ? ["Goal"] : []) : [])
                    + ["Walks", units.distanceName, "Active", "Climb"])
            json.list("rows", months.reversed()) { json, month in
                json.field("key", String(month.lowerBound.description.prefix(7)))
                json.field("cells", cells(of: month, called: month.lowerBound.monthName))
            }
            json.field("sums", cells(of: dates, called: title))
        }
        json.list("months", (1...12).compactMap { CivilDate.month($0, of: year) }) { json, month in
            let name = month.lowerBound.monthName
            json.field("key", String(month.lowerBound.description.prefix(7)))
            json.field("name", name)
            json.field("short", month.lowerBound.shortMonth)
            json.field("title", "\(name) \(year)")
            writeSpan(month, phrase(month, called: name), of: month, to: &json)
        }
        json.field(
            "note",
            isSearch
                ? "The other days are grey."
                : hasSteps ? "Steps are the corrected ones." : Self.withoutSteps(measures[0]))
    }

    /// Days that stand large, each in a cell, with the sums of those that are `known`, which a
    /// phrase names.
    func writeSpan(
        _ span: ClosedRange<CivilDate>, _ phrase: String, of known: ClosedRange<CivilDate>,
        to json: inout JSONWriter
    ) {
        json.field("start", span.lowerBound.daysSinceEpoch - dates.lowerBound.daysSinceEpoch)
        json.field("days", span.days)
        let dates = (0..<span.days).map(span.lowerBound.advanced)
        json.field("numbers", dates.map(\.components.day))
        guard span.lowerBound <= calendar.today, !isSearch else { return }
        json.list("leads", measures) { json, measure in
            writeLead(measure, of: known, phrase, to: &json)
        }
        json.list("weeks", weeks(of: days.filter { span.contains($0.date) })) { json, week in
            let led = hasSteps ? grouped(week.steps) : hours(week.milliseconds) + " h"
            json.field("steps", hasSteps && week.steps == 0 ? "–" : led)
            json.field("distance", week.millimetres > 0 ? units.distance(week.millimetres) : "")
        }
    }

    private func cells(of span: ClosedRange<CivilDate>, called name: String) -> [String] {
        let steps = calendar.span(span)
        let sums = WalkSums(summed.filter { span.contains($0.date) })
        let goal = steps.reached.map { steps.days > 0 ? "\($0) of \(steps.days)" : "–" }
        let counted = [
            steps.steps > 0 ? grouped(steps.steps) : "–", steps.mean.map(grouped) ?? "–", goal,
        ]
        return [name] + (hasSteps ? counted.compactMap(\.self) : []) + [
            grouped(sums.walks), Figure(sums.distanceMillimetres.map(units.distance)).value,
            hours(sums.activeMilliseconds), sums.ascentMillimetres.map(units.climb) ?? "–",
        ]
    }

    private static func withoutSteps(_ lead: Measure) -> String {
        lead == .active
            ? "Nothing counted the steps or measured the way, so the time of the walks leads."
            : "Nothing counted the steps, so the distance of the walks leads."
    }
}
