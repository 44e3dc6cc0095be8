internal import Events
package import JSON
package import Projections
internal import Text

/// All years on a page: how far was walked in each month, and what each year adds up to.
package struct YearsView: JSONObject {
    /// How far back it goes: a clock that was wrong must not make a chart of centuries.
    private static let yearsShown: Int64 = 100

    private struct Month {
        var sums = WalkSums()
        var isImported = true
    }

    private let walks: [SessionReport]
    private let calendar: Calendar
    private let years: ClosedRange<Int64>
    /// The newest walk with a track: a map begins where it ended.
    private let lastTrack: Position?
    /// The months of all years, in order.
    private let months: [Month]
    private let units: Units

    /// Shows all years until this one.
    ///
    /// - Parameters:
    ///   - walks: All walks, in order of position.
    ///   - calendar: All days.
    ///   - units: The walker's.
    package init(_ walks: [SessionReport], _ calendar: Calendar, units: Units) {
        self.units = units
        lastTrack = walks.last { $0.hasTrack && !$0.keeping.isHidden }?.position
        let last = calendar.today.components.year
        let walks = walks.filter {
            $0.isSummed && $0.date <= calendar.today
                && $0.date.components.year > last - Self.yearsShown
        }
        let firsts = [calendar.counted.first?.date, walks.lazy.map(\.date).min()]
        let known = firsts.compactMap(\.self).min()?.components.year ?? last
        let first = max(known, last - Self.yearsShown + 1)
        var months = (first...last).flatMap { _ in (0..<12).map { _ in Month() } }
        for walk in walks {
            let (year, month, _) = walk.date.components
            let index = Int((year - first) * 12 + month - 1)
            months[index].sums.add(walk)
            if walk.provenance == .walked { months[index].isImported = false }
        }
        (self.walks, self.calendar, self.months, years) = (walks, calendar, months, first...last)
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        let sums = WalkSums(walks)
        let first = walks.lazy.map(\.date).min()
        let since = first.map { " since \($0.monthName) \($0.components.year)" }
        json.field("title", "All years")
        json.field("lastTrack", lastTrack)
        json.field("loud", units.distanceNumber(sums.distanceMillimetres ?? 0))
        json.field("loudName", units.distanceNoun + "s" + (since ?? ""))
        json.array("figures") { json in
            json.figure("walks", "Walks", Figure(grouped(sums.walks)))
            json.figure("active", "Active", Figure(hours(sums.activeMilliseconds) + " h"))
            json.figure("steps", "Steps", Figure(grouped(steps(of: years))))
            let best = yearSums.max { $0.millimetres < $1.millimetres }
            if let best, best.millimetres > 0 {
                let figure = Figure("\(best.year) \(units.distance(best.millimetres))")
                json.figure("furthest", "Furthest year", figure)
            }
            let streak = (calendar.counted.first?.date).flatMap {
                calendar.longestStreak(in: $0...max($0, calendar.today))
            }
            if let streak {
                let year = streak.dates.upperBound.components.year
                let days = "\(counted(UInt64(streak.days), "day")), \(year)"
                json.figure("streak", "Longest streak", Figure(days))
            }
        }
        writeChart(to: &json)
        writeTable(to: &json)
    }

    private var yearSums: [(year: Int64, sums: WalkSums, millimetres: UInt64, isImported: Bool)] {
        years.map { year in
            let start = Int(year - years.lowerBound) * 12
            let isImported = months[start..<start + 12].allSatisfy(\.isImported)
            let sums = WalkSums(walks.filter { $0.date.components.year == year })
            return (year, sums, sums.distanceMillimetres ?? 0, isImported)
        }
    }

    private func steps(of years: ClosedRange<Int64>) -> UInt64 {
        CivilDate.days(of: years).map { calendar.span($0).steps } ?? 0
    }

    private func writeChart(to json: inout JSONWriter) {
        let values = months.map { units.distanceMillionths($0.sums.distanceMillimetres ?? 0) }
        let words = units.distanceNoun + "s"
        json.object("chart") { json in
            json.field(
                "label",
                "\(capitalized(words)) walked in each month from \(years.lowerBound) to "
                    + "\(years.upperBound). The table has each year.")
            json.field("note", "\(words) a month")
            json.axis(to: niceTop(max(values.max() ?? 0, 1_000_000))) {
                decimal(hundredths: $0 / 10_000)
            }
            json.list("months", zip(values, months)) { json, month in
                json.field("value", month.0)
                json.field("isImported", month.1.isImported)
            }
            json.field("years", years.map { "\($0)" })
        }
    }

    private func writeTable(to json: inout JSONWriter) {
        let all = yearSums
        let most = all.reduce(1) { max($0, $1.millimetres) }
        json.field("columns", ["Year", units.distanceName, "Walks", "Active", "Climb", "Steps"])
        json.list("rows", all.reversed()) { json, row in
            json.field("year", "\(row.year)")
            json.field("note", row.year == calendar.today.components.year ? "so far" : "")
            json.field("permille", UInt64(UInt128(row.millimetres) * 1_000 / UInt128(most)))
            json.field("isImported", row.sums.walks > 0 && row.isImported)
            json.field("cells", cells(row.sums, steps(of: row.year...row.year)))
        }
        json.field("sums", ["All"] + cells(WalkSums(walks), steps(of: years)))
        json.field("hasImported", all.contains { $0.sums.walks > 0 && $0.isImported })
        json.field("hasOwn", months.contains { !$0.isImported })
    }

    private func cells(_ sums: WalkSums, _ steps: UInt64) -> [String] {
        [
            Figure(sums.distanceMillimetres.map(units.distance)).value, grouped(sums.walks),
            hours(sums.activeMilliseconds), sums.ascentMillimetres.map(units.climb) ?? "–",
            steps > 0 ? grouped(steps) : "–",
        ]
    }
}
