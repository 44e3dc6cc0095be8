package import Events
package import JSON
internal import Projections
internal import Text

/// The figures of a trend: those of days, weeks or months, the latest first, and what they add up
/// to.
package struct TrendTable: JSONObject {
    /// A line of it.
    struct Row {
        let dates: ClosedRange<CivilDate>
        /// Whether it is what rows add up to.
        let isSum: Bool
        /// What stands in its columns.
        let cells: [String]
    }

    private let text: TrendText
    private let today: CivilDate
    private var measure: Trends.Measure { text.measure }

    /// Shows the figures of a trend.
    package init(_ text: TrendText, today: CivilDate) {
        (self.text, self.today) = (text, today)
    }

    /// Writes the trend, and the figures of each row.
    package func writeFields(to json: inout JSONWriter) {
        text.writeFields(to: &json)
        json.list("rows", rows) { json, row in
            json.field("isSum", row.isSum)
            TrendFigures(trends: text.trends, dates: row.dates).writeFields(to: &json)
        }
    }

    private var isByWeek: Bool { text.span == .fourWeeks || text.span == .threeMonths }
    /// Weeks of sums are what a mean is of.
    private var hasMean: Bool { !isByWeek || measure == .steps || text.isEarly }

    /// What its rows are of.
    var note: String {
        text.isEarly ? "a day" : isByWeek ? "seven days each, to yesterday" : "months"
    }

    /// What stands above the columns.
    var columns: [String] {
        let first = text.isEarly ? "Day" : isByWeek ? "Week" : "Month"
        let unit = text.unit.isEmpty ? "" : ", \(text.unit)"
        let isSteps = measure == .steps
        guard measure.isSum else {
            let ends = measure == .pace ? ["Fastest", "Slowest"] : ["Lowest", "Highest"]
            return [first, "Mean" + unit] + ends + [measure.lineDays > 7 ? "Days" : "Mornings"]
        }
        return [first, "Sum" + unit] + (hasMean ? [isSteps ? "A day" : "A week"] : [])
            + [isSteps ? "Days" : "Walks"]
    }

    /// The rows.
    var rows: [Row] {
        guard let now = text.now else { return [] }
        if text.isEarly {
            let days = (0..<now.days).map { now.upperBound.advanced(by: -$0) }
            return days.map { row($0.short, $0...$0) } + [row("All", now, isSum: true)]
        }
        guard isByWeek, let days = text.span.days else {
            let months = text.months.reversed().map {
                let (year, _, day) = $0.lowerBound.components
                let month = "\($0.lowerBound.shortMonth) \(year)"
                return row(day == 1 ? month : "from \(day) \(month)", $0)
            }
            guard let all = text.trends.dates(of: text.span) else { return months }
            let name = all.days == text.span.days ? TrendText.names(of: all.days).now : "All"
            return months + [row(name, all, isSum: true)]
        }
        let last = text.trends.last
        let isFour = text.span == .fourWeeks
        var rows: [Row] = []
        for week in 0..<(isFour ? 8 : days / 7) {
            let end = last.advanced(by: -7 * week)
            guard end >= text.trends.first else { break }
            let dates = end.advanced(by: -6)...end
            rows.append(row(dates.words(in: today.components.year), dates))
            guard (week + 1) % (days / 7) == 0 else { continue }
            let name = !isFour ? "13 weeks" : week < 4 ? "Four weeks" : "Four before"
            let sum = dates.lowerBound...end.advanced(by: days - 7)
            rows.append(row(name, sum, isSum: true))
        }
        return rows
    }

    private func row(
        _ name: String, _ dates: ClosedRange<CivilDate>, isSum: Bool = false
    ) -> Row {
        let sums = text.trends.sums(dates)
        return Row(dates: dates, isSum: isSum, cells: [name] + cells(sums))
    }

    private func cells(_ sums: Trends.Sums) -> [String] {
        let mean = text.trends.mean(of: sums).map(text.figure)
        guard measure.isSum else {
            let (days, all) = (grouped(sums.days), grouped(sums.days.plus(sums.excluded)))
            return [mean ?? "unknown"]
                + [sums.lowest, sums.highest].map { $0.map(text.figure) ?? "–" }
                + [sums.excluded > 0 ? "\(days) of \(all)" : days]
        }
        let figures = [text.figure(sums.amount)] + (hasMean ? [mean ?? "–"] : [])
        return (text.trends.isKnown(sums) ? figures : figures.map { _ in "–" })
            + [grouped(measure == .steps ? sums.days : sums.walks)]
    }

    // MARK: - In a terminal

    /// The sentence, its figures, and the table: of sums with a bar in each row.
    ///
    /// - Parameter width: How wide a line may be.
    /// - Returns: Lines, each with its end.
    package func lines(columns width: Int) -> String {
        let rows = rows
        let most = rows.reduce(1) { $1.isSum ? $0 : max($0, text.trends.sums($1.dates).amount) }
        var lines: [String] = [text.sentence, text.note].flatMap { wrapped($0, to: width) }
        if let caution = text.caution {
            lines += wrapped("\(caution.fact) \(caution.advice)", to: width)
        }
        guard !rows.isEmpty else { return lines.map { $0 + "\n" }.joined() }
        lines += ["", Self.line(self.columns)]
        for row in rows {
            let line = Self.line(row.cells) + "  "
            guard measure.isSum, !row.isSum else {
                lines.append(line)
                continue
            }
            let room = max(0, min(30, width - line.count))
            lines.append(line + bar(text.trends.sums(row.dates).amount, of: most, to: room))
        }
        return lines.map { String.trimmed($0.replacing("\u{A0}", with: " ")) + "\n" }.joined()
    }

    private static func line(_ cells: [String]) -> String {
        padded(cells[0], to: 22) + cells.dropFirst().map { alignedRight($0, 12) }.joined()
    }
}
