internal import Events
internal import JSON
internal import Projections
internal import Text

extension TrendsView {
    /// So many days have a dot each; of more, weeks have.
    private static let mostDots: Int64 = 1_100

    /// The days of the chart of which something is known.
    var days: [CivilDate] {
        let first = max(shown.lowerBound, trends.first)
        guard first <= trends.last else { return [] }
        return (0...trends.last.daysSinceEpoch - first.daysSinceEpoch).map(first.advanced)
    }

    /// Whether sums have a bar for each day.
    var isDaily: Bool { text.span == .fourWeeks || days.count < 28 }

    var daysPerDot: Int64 { shown.days > Self.mostDots ? 7 : 1 }

    /// What bars or dots are of, in order.
    private var parts: [ClosedRange<CivilDate>] {
        if measure.isSum, text.span == .all, !isDaily { return text.months }
        let length = measure.isSum ? isDaily ? 1 : 7 : daysPerDot
        guard let first = days.first else { return [] }
        let count = (trends.last.daysSinceEpoch - first.daysSinceEpoch + 1) / length
        return (0..<count).reversed().map {
            let end = trends.last.advanced(by: -$0 * length)
            return end.advanced(by: 1 - length)...end
        }
    }

    private func value(_ sums: Trends.Sums) -> UInt64? {
        measure.isSum ? trends.isKnown(sums) ? sums.amount : nil : trends.mean(of: sums)
    }

    private func day(_ date: CivilDate) -> Int64 {
        date.daysSinceEpoch - shown.lowerBound.daysSinceEpoch
    }

    func writeChart(to json: inout JSONWriter) {
        let name = Self.name(of: text.span)
        json.field(
            "label",
            "\(measure.words.name), \(name). \(text.sentence) The table has the figures.")
        json.field("isSum", measure.isSum)
        json.field("isDown", measure == .pace)
        json.field("days", shown.days)
        json.field("known", min(max(day(trends.first), 0), shown.days))
        writeAxis(to: &json)
        json.field("goal", isDaily ? goal.flatMap { $0 <= top ? $0 : nil } : nil)
        writeDates(to: &json)
        let start = text.span == .all ? nil : text.comparison?.now.lowerBound
        json.list("parts", parts) { json, dates in
            let sums = trends.sums(dates)
            let excluded = trends.excluded(at: dates.lowerBound)
            json.field("from", day(dates.lowerBound))
            json.field("until", day(dates.upperBound) + 1)
            json.field("value", value(sums))
            if !measure.isSum { json.field("line", trends.line(at: dates.upperBound)) }
            if let excluded { json.field("hollow", excluded.rmssdHundredths) }
            json.field("isBefore", start.map { dates.upperBound < $0 } ?? false)
            json.field("say", said(of: dates, sums))
        }
        let spans = text.comparison.map { [$0.before, $0.now] } ?? []
        json.list("means", spans) { json, dates in
            // What a mean is of is what a bar is of; months are not as long as each other.
            let mean = trends.mean(of: trends.sums(dates)) ?? 0
            let isWeekly = measure.isSum && measure != .steps
            let perBar = isWeekly && isDaily ? mean / 7 : mean
            let shown = measure == .steps && !isDaily ? mean.times(7) : perBar
            json.field("from", max(day(max(dates.lowerBound, trends.first)), 0))
            json.field("until", day(dates.upperBound) + 1)
            json.field("value", shown)
            let span = perBar != mean ? " a day" : shown != mean ? " a week" : ""
            json.field("label", text.figure(shown) + span)
        }
    }

    /// What is read of a part: when it was, what it had, and what else.
    private func said(of dates: ClosedRange<CivilDate>, _ sums: Trends.Sums) -> [String] {
        let (first, year) = (dates.lowerBound, today.components.year)
        let isMonth = measure.isSum && text.span == .all && !isDaily
        let name =
            isMonth
            ? "\(first.monthName) \(first.components.year)"
            : dates.days == 1
                ? first.weekdayAndMonth + first.year(unless: year) : dates.words(in: year)
        func said(_ value: UInt64) -> String {
            let unit = measure == .steps ? value == 1 ? "step" : "steps" : text.unit
            return "\(text.figure(value)) \(unit)"
        }
        let value = value(sums).map(said)
        if measure.isSum {
            let isMet = isDaily && goal.map { sums.amount >= $0 } ?? false
            let walks = measure == .steps ? [] : [counted(sums.walks, "walk")]
            let isCounted = measure == .steps || measure == .climb || measure == .load
            return [name, value ?? (isCounted ? "nothing was counted" : "no walk")]
                + (value == nil ? [] : isMet ? ["goal reached"] : walks)
        }
        let missing = trends.excluded(at: first).map {
            "\(whole(hundredths: $0.missingHundredths)) % of the beats missing"
        }
        let line = trends.line(at: dates.upperBound).map {
            said($0) + " over \(measure.lineDays > 7 ? "three weeks" : "seven days")"
        }
        return [name, value ?? missing ?? "no value", line].compactMap(\.self)
    }

    /// The dates below the chart; a page leaves out as many as it has no room for.
    private func writeDates(to json: inout JSONWriter) {
        let isShort = shown.days <= 60
        let starts = (0..<shown.days).map(shown.lowerBound.advanced).filter {
            isShort ? $0.weekday == 0 : $0.components.day == 1
        }
        json.list("dates", starts) { json, date in
            let (year, month, _) = date.components
            json.field("day", day(date))
            json.field("index", isShort ? day(date) / 7 : year * 12 + month - 1)
            json.field(
                "text", isShort ? date.small : month == 1 ? "\(year)" : date.shortMonth)
        }
    }

    // MARK: - The axis

    /// The top of the axis of sums.
    var top: UInt64 {
        let most = parts.compactMap { value(trends.sums($0)) }.max() ?? 0
        switch measure {
        case .steps where isDaily:
            // One day far above the others must not flatten them.
            return niceTop(max(min(most, max(goal ?? 8_000, 1) * 2 * 98 / 100), 1_000))
        case .active: return (max(most, 1) + 7_199_999) / 7_200_000 * 7_200_000
        case .load: return niceTop(max(most / 60_000, 20)) * 60_000
        case .distance:
            let unit = text.units.distanceMillimetres
            return niceTop(max(most.scaled(by: 100, over: unit), 100)).scaled(by: unit, over: 100)
        case .climb:
            let five = UInt64(text.units.fiveOfClimbMillimetres)
            return niceTop(max(most.scaled(by: 5, over: five), 20)).scaled(by: five, over: 5)
        case .steps, .heart, .resting, .hrv, .pace: return niceTop(max(most, 1_000))
        }
    }

    var isCut: Bool {
        isDaily && measure == .steps
            && parts.contains { value(trends.sums($0)) ?? 0 > top }
    }

    private func writeAxis(to json: inout JSONWriter) {
        guard !measure.isSum else {
            json.field("bottom", 0)
            return json.axis(to: top, axisLabel)
        }
        let values = parts.flatMap { [value(trends.sums($0)), trends.line(at: $0.upperBound)] }
        let isPace = measure == .pace
        let read = values.compactMap(\.self).map { isPace ? text.paceMilliseconds($0) : $0 }
        let ticks = Self.ticks(of: read, isPace ? 6_000 : 100).map { tick in
            guard isPace else { return (tick, text.figure(tick)) }
            let value = tick.scaled(by: 1_000_000, over: text.units.distanceMillimetres)
            return (value, TimeText.duration(tick))
        }
        json.field("bottom", ticks.first?.0 ?? 0)
        json.field("top", ticks.last?.0 ?? 1)
        json.ticks(ticks)
    }

    /// The marks of an axis that does not begin at 0: at most six, from below the least value to
    /// above the greatest.
    ///
    /// - Parameters:
    ///   - values: What it is for.
    ///   - unit: What its steps are a multiple of.
    /// - Returns: The marks, in order; none without a value.
    static func ticks(of values: [UInt64], _ unit: UInt64) -> [UInt64] {
        guard let least = values.min(), let most = values.max() else { return [] }
        var step = unit.times(5)
        for factor: UInt64 in [5, 10, 20, 50, 100, 200, 500, 1_000] {
            step = unit.times(factor)
            if (most + step) / step - least / step <= 5 { break }
        }
        let steps = max((most + step - 1) / step - least / step, 1)
        return (0...min(steps, 20)).map { (least / step + $0).times(step) }
    }

    /// A mark of the axis of sums.
    func axisLabel(_ value: UInt64) -> String {
        switch measure {
        case .distance:
            decimal(hundredths: value.scaled(by: 100, over: text.units.distanceMillimetres))
        case .active where value % 3_600_000 == 0: "\(value / 3_600_000) h"
        default: text.figure(value)
        }
    }
}
