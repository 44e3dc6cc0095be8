internal import Events
package import Projections
internal import Text

/// The walker's steps by weeks, by months, or day by day, for people.
package struct CalendarText {
    private let calendar: Calendar
    private let columns: Int
    private let units: Units

    /// Shows days.
    ///
    /// - Parameters:
    ///   - calendar: The days.
    ///   - columns: How wide a line may be, 60 or more.
    ///   - units: The walker's.
    package init(_ calendar: Calendar, columns: Int, units: Units) {
        (self.calendar, self.columns, self.units) = (calendar, columns, units)
    }

    // MARK: - Weeks and months

    /// The last weeks, the latest first, and what they add up to.
    package func weeks(_ count: Int) -> String {
        let weeks = calendar.weeks(count)
        let year = calendar.today.components.year
        let hasYears = weeks.contains { !$0.dates.lowerBound.year(unless: year).isEmpty }
        let rows = weeks.map { week in
            let bar = bar(of: week, among: weeks, from: 39, to: 30)
            let monday = week.dates.lowerBound
            let title = hasYears ? monday.withYear : alignedRight(monday.small, 6)
            return row(title, week, goalColumns: 6) + "  " + bar
                + (week.isUnderWay ? (bar.isEmpty ? "" : "  ") + "so far" : "")
        }
        let title = counted(UInt64(weeks.count), "week")
        let sum = sum(of: weeks)
        let span = weeks.count == 1 ? "this week" : "in the last \(title)"
        guard sum.steps > 0 else { return "No steps were counted \(span).\n" }
        return Self.lines(
            [head("Week of") + (calendar.goal == nil ? "" : "  Goal")] + rows
                + [Self.rule(37), row(title, sum, goalColumns: 6)])
    }

    /// The months of a year, the latest first, with the walks of each, and what they add up to.
    ///
    /// - Parameters:
    ///   - year: The year.
    ///   - walks: The walks that are summed.
    /// - Returns: The list.
    package func months(of year: Int64, _ walks: [SessionReport]) -> String {
        let months = calendar.months(of: year, since: walks.map(\.date).min())
        guard !months.isEmpty else { return Self.nothing(in: year) }
        var sums = months.map { _ in WalkSums() }
        var all = WalkSums()
        for walk in walks where walk.date.components.year == year {
            all.add(walk)
            guard let index = months.firstIndex(where: { $0.dates.contains(walk.date) }) else {
                continue
            }
            sums[index].add(walk)
        }
        func row(_ title: String, _ span: Calendar.Span, _ sum: WalkSums) -> String {
            let distance = sum.distanceMillimetres.map(units.distanceNumber)
            return self.row(title, span, goalColumns: 8) + alignedRight(grouped(sum.walks), 7)
                + alignedRight(distance ?? "–", 10)
        }
        let rows = zip(months, sums).map { month, sum in
            row("\(month.dates.lowerBound.shortMonth) \(year)", month, sum)
                + "  " + bar(of: month, among: months, from: 60, to: 20)
        }
        let goal = alignedRight(calendar.goal == nil ? "" : "Goal", 10)
        let sum = sum(of: months)
        let isNow = calendar.today.components.year == year
        let measure: Measure =
            sum.steps > 0 ? .steps : all.distanceMillimetres == nil ? .active : .distance
        let dates = calendar.counted.prefix(1).map(\.date) + walks.map(\.date)
        let against =
            isNow
            ? MonthComparison(
                measure, calendar, walks, units, since: dates.min() ?? calendar.today) : nil
        let climb = all.ascentMillimetres.map { "Climb in \(year): \(units.climb($0))." }
        let below = wrapped(
            [against?.sentence, against?.span, climb].compactMap(\.self).joined(separator: " ")
                .replacing("\u{A0}", with: " "), to: columns)
        return Self.lines(
            [head("Month") + goal + "  Walks" + alignedRight(units.distanceName, 10)] + rows
                + [Self.rule(56), row("\(year)", sum, all)])
            + (sum.steps > 0 ? "" : "\n" + Self.nothing(in: year))
            + (below.isEmpty ? "" : "\n" + Self.lines(below))
    }

    private func head(_ title: String) -> String {
        padded(title, to: 9) + alignedRight("Steps", 12) + alignedRight("A day", 8)
    }

    private func row(_ title: String, _ span: Calendar.Span, goalColumns: Int) -> String {
        let goal = span.reached.map { span.days > 0 ? "\($0) of \(span.days)" : "–" } ?? ""
        let steps = span.steps > 0 ? grouped(span.steps) : "–"
        return title + alignedRight(" " + steps, 21 - Text.columns(of: title))
            + alignedRight(span.mean.map(grouped) ?? "–", 8) + "  "
            + alignedRight(goal, goalColumns)
    }

    private func sum(of spans: [Calendar.Span]) -> Calendar.Span {
        let first = spans.last?.dates.lowerBound ?? calendar.today
        return calendar.span(first...max(first, spans.first?.dates.upperBound ?? first))
    }

    private func bar(
        of span: Calendar.Span, among spans: [Calendar.Span], from column: Int, to width: Int
    ) -> String {
        let most = spans.reduce(1) { max($0, $1.steps) }
        return Text.bar(span.steps, of: most, to: max(0, min(width, columns - column)))
    }

    // MARK: - Days without the goal

    /// The days of a year that are over and on which steps were counted but today's goal was
    /// missed, the latest first, and how many.
    package func missed(in year: Int64) -> String {
        guard let days = CivilDate.days(of: year...year) else { return "" }
        let span = calendar.span(days)
        guard let goal = calendar.goal else {
            return "There is no daily goal; `pulselog profile set daily-goal=8000` sets one.\n"
        }
        guard span.steps > 0 else { return Self.nothing(in: year) }
        let missed = calendar.missed(in: year)
        let rows = missed.map { day in
            padded(day.date.aligned, to: 10) + alignedRight(grouped(day.steps), 10)
                + alignedRight(grouped(goal - day.steps), 10)
        }
        let sum =
            "Fewer than today's goal of \(grouped(goal)) steps on \(missed.count) of "
            + "\(counted(span.days, "day")) with steps in \(year)."
        let head = padded("Day", to: 10) + alignedRight("Steps", 10) + alignedRight("Short by", 10)
        return Self.lines((rows.isEmpty ? [] : [head] + rows + [Self.rule(30)]) + [sum])
    }

    private static func nothing(in year: Int64) -> String {
        "No steps were counted in \(year).\n"
    }

    private static func rule(_ columns: Int) -> String { String(repeating: "─", count: columns) }

    /// Lines with their ends, and without spaces before those.
    private static func lines(_ lines: [String]) -> String {
        lines.map { String.trimmed($0) + "\n" }.joined()
    }

    // MARK: - Day by day

    /// The days of a year, a column for each week, and what they add up to.
    package func year(_ year: Int64) -> String {
        guard let days = CivilDate.days(of: year...year) else { return "" }
        let (first, end) = (days.lowerBound, days.upperBound)
        let last = min(end, calendar.today)
        guard first <= last, calendar.span(first...last).steps > 0 else {
            return Self.nothing(in: year)
        }
        let weeks = (end.monday.daysSinceEpoch - first.monday.daysSinceEpoch) / 7 + 1
        var lines = [months(from: first.monday, weeks: weeks, year)]
        for day in 0..<7 {
            let cells = (0..<weeks).map { week in
                let date = first.monday.advanced(by: week * 7 + Int64(day))
                return date < first || date > last ? " " : cell(of: date)
            }
            let name = first.monday.advanced(by: Int64(day)).short.prefix(3)
            lines.append(" \(name)  \(cells.joined())")
        }
        lines.append("")
        lines += wrapped(sentences(of: first...last), to: columns - 2).map { " " + $0 }
        lines += ["", legend]
        return Self.lines(lines)
    }

    /// A month stands above its first week, which is the one that has most of its days.
    private func months(from monday: CivilDate, weeks: Int64, _ year: Int64) -> String {
        var line = String(repeating: " ", count: 6)
        var before: Int64 = 0
        for week in 0..<weeks {
            let (of, month, _) = monday.advanced(by: week * 7 + 3).components
            guard of == year, month != before else { continue }
            before = month
            let title = monday.advanced(by: week * 7 + 3).shortMonth
            line = padded(line, to: 6 + Int(week)) + title
        }
        return line
    }

    private func cell(of date: CivilDate) -> String {
        if date == calendar.today { return "+" }
        guard let steps = calendar[date] else { return "·" }
        let level = DayLevels.steps(goal: calendar.goal).level(of: steps)
        return ["░", "▒", "▓", "█"][min(level, 4) - 1]
    }

    private var legend: String {
        let levels = DayLevels.steps(goal: calendar.goal).labels
        return " · none counted   ░ \(levels[0])   ▒ \(levels[1])   ▓ \(levels[2])   + today\n"
            + " █ \(levels[3])"
    }

    private func sentences(of dates: ClosedRange<CivilDate>) -> String {
        let span = calendar.span(dates)
        var text = counted(span.steps, "step")
        if let mean = span.mean { text += ", \(grouped(mean)) a day" }
        text += "."
        if let reached = span.reached, span.days > 0 {
            text += " Goal on \(reached) of \(counted(span.days, "day"))."
        }
        let longest = calendar.longestStreak(in: dates).map { streak in
            let (first, last) = (streak.dates.lowerBound, streak.dates.upperBound)
            return "longest \(streak.days), \(first.dayAndMonth)"
                + (first == last ? "" : " to \(last.dayAndMonth)")
        }
        guard let longest else { return text }
        guard dates.contains(calendar.today), let now = calendar.presentStreak, now.days > 1 else {
            return text + " Days in a row: \(longest)."
        }
        return text + " \(now.days) days in a row now, \(longest)."
    }
}
