internal import Events
package import Projections
internal import Text

/// A day as a staircase in a terminal: each column is 20 minutes and shows its last count.
package struct StaircaseChart {
    private let day: DayReport
    private let changes: [StepsChange]
    private let goal: UInt64?
    /// The minute of the day up to which something is known; nil for all of it.
    private let nowMinute: Int?

    private static let columns = 72
    private static let minutesOfColumn = 20

    /// Shows a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - changes: Its changes, in order.
    ///   - goal: The daily goal, or nil.
    ///   - now: UTC milliseconds of now if the day is today; else nil.
    package init(_ day: DayReport, _ changes: [StepsChange], goal: UInt64?, now: Int64?) {
        (self.day, self.changes, self.goal) = (day, changes, goal)
        nowMinute = now.map {
            Int(
                LocalTime($0, offsetMinutes: changes.last?.zoneOffsetMinutes ?? 0)
                    .millisecondOfDay / 60_000)
        }
    }

    /// The lines, each with its end.
    package var text: String {
        var counts = [UInt64?](repeating: nil, count: Self.columns)
        var marks = [Character](repeating: " ", count: Self.columns)
        for change in changes {
            let column = column(of: change)
            counts[column] = max(counts[column] ?? 0, change.after)
            if let sign = change.sign { marks[column] = sign }
        }
        var last: UInt64?
        for column in counts.indices where column <= lastColumn {
            last = counts[column] ?? last
            counts[column] = last == 0 ? nil : last
        }
        let most = max(day.displayed, goal ?? 0)
        let plot = Plot(
            values: counts, bottom: 0, rowHeight: max(1, Plot.rowHeight(for: most, rows: 9)),
            line: goal)
        let hours = [0, 6, 12, 18].map { hour in
            (column: hour * 60 / Self.minutesOfColumn, text: "\(hour < 10 ? "0" : "")\(hour):00")
        }
        let lines =
            [head, ""] + plot.lines(labelColumns: most < 100_000 ? 6 : 7, grouped)
            + [
                "       └" + Plot.axis(hours, columns: Self.columns), "        " + String(marks),
                "",
            ]
            + legend
        return lines.map { String.trimmed($0) + "\n" }.joined()
    }

    private func column(of change: StepsChange) -> Int {
        let time = change.time
        // What came after midnight of a day that is over, such as a late total, stands at its end.
        if time.date > day.date { return Self.columns - 1 }
        if time.date < day.date { return 0 }
        return min(
            Int(time.millisecondOfDay) / (Self.minutesOfColumn * 60_000), Self.columns - 1)
    }

    private var lastColumn: Int {
        let now = nowMinute.map { $0 / Self.minutesOfColumn } ?? Self.columns - 1
        return max(now, changes.last.map(column) ?? 0)
    }

    private var head: String {
        let figures =
            "\(grouped(day.displayed)) shown"
            + (day.corrected == day.displayed ? "" : ", \(grouped(day.corrected)) corrected")
        let reached = goal.map { day.displayed >= $0 ? "goal reached" : "goal not reached" }
        return padded(day.date.long, to: 28) + padded(figures, to: 34)
            + alignedRight(reached ?? "", 16)
    }

    private var legend: [String] {
        let signs: [(Character, String)] = [("◆", "raised by a total"), ("○", "not higher")]
        var words = signs.filter { sign, _ in changes.contains { $0.sign == sign } }
            .map { "\($0) \($1)" }
        if let correction = changes.last(where: { $0.cause == .correction }) {
            let time = correction.time
            let by = day.correction
            words.append(
                "■ correction, \(grouped(by.magnitude)) \(by < 0 ? "off" : "more") at \(time.clock)"
            )
        }
        let lines = words.isEmpty ? [] : [words.joined(separator: "   ")]
        return
            (lines + [
                "It never fell. pulselog audit steps --day \(day.date) explains each step."
            ]).map { "        " + $0 }
    }
}

extension StepsChange {
    /// What stands below the time at which it came; nil for what only counted on.
    fileprivate var sign: Character? {
        switch cause {
        case .correction: return "■"
        case .lateTotal, .legacyValue: return "◆"
        case .pedometer, .setAside: return nil
        case .reconciliation:
            return self.after > self.before ? "◆" : self.reconciliation?.health == nil ? nil : "○"
        }
    }
}
