internal import Events
package import JSON
package import Projections
internal import Text

/// A trend on a page: its sentence, its chart, its figures, and how it is worked out.
package struct TrendsView: JSONObject {
    let text: TrendText
    let goal: UInt64?
    let today: CivilDate
    /// The days of the chart.
    let shown: ClosedRange<CivilDate>
    var trends: Trends { text.trends }
    var measure: Trends.Measure { text.measure }

    /// Shows a measure of some days.
    ///
    /// - Parameters:
    ///   - trends: The days.
    ///   - span: How many of them.
    ///   - calendar: The walker's days, with their goal.
    ///   - units: What figures are shown in.
    package init(_ trends: Trends, _ span: Trends.Span, _ calendar: Calendar, _ units: Units) {
        let text = TrendText(trends, span, units)
        // The span before, as long, is shown as well.
        let days = span.days.map { text.comparison?.now.days == $0 ? 2 * $0 : $0 }
        let start = days.map { trends.last.advanced(by: 1 - $0) } ?? trends.first
        (self.text, shown) = (text, min(start, trends.last)...trends.last)
        (goal, today) = (trends.measure == .steps ? calendar.goal : nil, calendar.today)
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        json.field("measure", measure.rawValue)
        json.field("span", text.span.rawValue)
        let measures = Trends.Measure.allCases.map { ($0.rawValue, $0.words.name) }
        let spans = Trends.Span.allCases.map { ($0.rawValue, Self.name(of: $0)) }
        json.pairs("measures", ("key", "name"), measures)
        json.pairs("spans", ("key", "name"), spans)
        json.field("isEmpty", trends.isEmpty)
        json.field("loud", text.mean.map(text.figure))
        json.field("unit", text.mean == nil ? "" : text.unit)
        json.field("loudName", text.meanName)
        json.field("sentence", text.sentence)
        json.field("note", text.note)
        json.field("caution", [text.caution?.fact, text.caution?.advice].compactMap(\.self))
        json.object("chart") { writeChart(to: &$0) }
        json.pairs("key", ("shape", "text"), key)
        let table = TrendTable(text, today: today)
        json.object("table") { json in
            json.field("note", table.note)
            json.field("columns", table.columns)
            json.list("rows", table.rows) { json, row in
                json.field("isSum", row.isSum)
                json.field("cells", row.cells)
            }
        }
        let early = [
            "A comparison needs 14 days with a count in each span. Until then you see the days, "
                + "and no percent.",
            "You can import earlier days from Apple Health, Gadgetbridge or FIT files, and then "
                + "compare at once.",
        ]
        json.field("how", measure.explanation + (text.isEarly ? early : []))
    }

    static func name(of span: Trends.Span) -> String {
        switch span {
        case .fourWeeks: "4 weeks"
        case .threeMonths: "3 months"
        case .year: "Year"
        case .all: "All"
        }
    }

    private var key: [(String, String)] {
        let names = TrendText.names(of: text.comparison?.now.days)
        let means = text.comparison == nil ? [] : [("means", "means of both spans")]
        if measure.isSum {
            let spans = [("now", "the last \(names.now)"), ("before", names.before)] + means
            return (text.comparison == nil ? [] : spans)
                + (goal.map { isDaily ? [("goal", "daily goal, \(grouped($0))")] : [] } ?? [])
                + (isCut ? [("cut", "cut bar: more than \(axisLabel(top))")] : [])
        }
        let isOfWalks = measure.lineDays > 7
        let dot = daysPerDot > 1 ? "a week" : isOfWalks ? "a day with a walk" : "a morning"
        return [("dot", dot), ("line", "mean of \(isOfWalks ? "three weeks" : "seven days")")]
            + means + (measure == .hrv ? [("hollow", "beats missing, not counted")] : [])
    }
}

extension ClosedRange<CivilDate> {
    /// `27 Apr to 30 May 2026`, `3 to 9 May`; without its year if that is the one named.
    package func words(in year: Int64? = nil) -> String {
        let (first, last) = (lowerBound, upperBound)
        let end = last.year(unless: year)
        if first == last { return first.short + end }
        if first.components.year != last.components.year {
            return "\(first.small) \(first.components.year) to \(last.small) "
                + "\(last.components.year)"
        }
        let isOneMonth = first.components.month == last.components.month
        return "\(isOneMonth ? "\(first.components.day)" : first.small) to \(last.small)\(end)"
    }
}
