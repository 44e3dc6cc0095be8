package import Certification
package import Events
package import JSON
package import Projections
internal import Text

extension JSONWriter {
    /// Writes the head of a day: its name, and the days next to it.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - today: The walker's day now.
    package mutating func head(of date: CivilDate, today: CivilDate) {
        field("date", date.description)
        field("title", date.long)
        field("before", date.advanced(by: -1).description)
        field("after", date < today ? date.advanced(by: 1).description : nil)
        field("isToday", date == today)
    }
}

/// The audit of a day's steps as it is shown: the number, why it is what it is, whether it ever
/// fell, its staircase, and each step of that; and the walks of the day.
package struct DayView: JSONObject {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// As many stairs are drawn at most, and of very many as many close together.
    private static let (drawnLimit, drawnTogether): (Int64, Int64) = (12_000, 3)
    /// As many steps are listed at most, the latest.
    private static let listedLimit = 600

    private let day: DayReport
    private let changes: [StepsChange]
    private let rows: [AuditRow]
    private let certified: Result<[Certificate], CounterExample>
    private let walks: [WalkRow]
    private let goal: UInt64?
    private let now: LocalTime

    /// Shows a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - changes: Its staircase.
    ///   - certified: Whether a second calculation agrees.
    ///   - walks: The walks of the day that lists show.
    ///   - state: Whose goal, zone and pedometer it is.
    ///   - moment: Now.
    package init(
        _ day: DayReport, _ changes: [StepsChange],
        _ certified: Result<[Certificate], CounterExample>, walks: [SessionReport] = [],
        _ state: LogState, at moment: Moment
    ) {
        (self.day, self.changes) = (day, changes)
        rows = AuditRow.rows(changes, state.deviceNames)
        self.certified = certified
        self.walks = walks.map { WalkRow(walk: $0, units: state.units) }
        goal = state.walked.recorder.profile.dailyGoalSteps
        now = state.localTime(at: moment)
    }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        json.head(of: day.date, today: now.date)
        json.field("count", last == nil ? nil : grouped(day.displayed))
        json.field("sentence", sentence)
        if day.isKnown { json.object("certificate") { writeCertificate(to: &$0) } }
        json.field("walks", walks)
        if day.corrected != day.displayed {
            json.object("corrected") { json in
                json.field("count", grouped(day.corrected))
                json.field("sentence", corrected)
            }
        }
        let listed = rows.suffix(Self.listedLimit)
        json.shownFirst(60, of: listed.count)
        json.field("rows", listed.reversed())
        let others = UInt64(rows.count - listed.count)
        json.field(
            "others",
            others == 0
                ? nil
                : "\(counted(others, "more change")): `pulselog audit steps --day \(day.date)`.")
        if !changes.isEmpty { json.object("chart") { writeChart(to: &$0) } }
    }

    /// The last change that moved the count.
    private var last: StepsChange? { changes.last { $0.after != $0.before } }

    /// One sentence for the big number.
    private var sentence: String {
        guard let last else { return "No steps counted on this day." }
        let isOwn = last.time.date == day.date
        let by = isOwn ? "by \(last.time.clock)" : "reported \(when(last))"
        let total = "\(counted(last.after, "step"))\(isOwn ? "" : ",") \(by)"
        if let max = last.reconciliation, max.winner == .health {
            let here = max.baselinePlusDelta
            return "\(total), when \(grouped(max.health ?? 0)) were reported"
                + "\(byWhom(last.reporter)): "
                + "\(grouped(last.after.minus(here))) more than the \(grouped(here)) counted here."
        }
        return total + (last.cause == .pedometer ? ", when your pedometer last moved." : ".")
    }

    private func writeCertificate(to json: inout JSONWriter) {
        switch certified {
        case .success:
            json.field("title", "Never fell")
            json.field(
                "sentence",
                "Each change was checked by a second calculation that shares no code with the "
                    + "first.")
            json.field(
                "over",
                day.positions.map {
                    "\(counted(UInt64(changes.count), "change")) over positions "
                        + "\(grouped($0.lowerBound)) to \(grouped($0.upperBound))."
                })
            json.field("command", "pulselog audit check --day \(day.date)")
        case .failure(let example):
            json.field("title", "Not certified")
            json.field("sentence", example.sentence)
            json.field("position", example.position)
        }
    }

    private var corrected: String {
        let corrections = changes.filter { $0.cause == .correction }
        let by = Int64(clamping: day.corrected) - Int64(clamping: day.displayed)
        var text =
            by == 0
            ? "No change in sum" : grouped(by.magnitude) + (by < 0 ? " taken off" : " added")
        if corrections.count > 1 {
            text += " by \(counted(UInt64(corrections.count), "correction"))"
        } else if let only = corrections.first {
            text += " \(when(only))"
        }
        return text + ". History and trends use this figure."
    }

    /// When a change came, `at 09:51`; on another day than this one `on 2 March at 09:51`.
    private func when(_ change: StepsChange) -> String {
        let time = change.time
        return (time.date == day.date ? "" : "on \(time.date.dayAndMonth) ") + "at \(time.clock)"
    }

    // MARK: - The staircase

    private struct Stair {
        var at: Int64
        var isLate = false
        var shown: UInt64 = 0
        var corrected: UInt64 = 0
        var mark: AuditRow.Kind?
    }

    /// One for each moment at which something changed, from midnight on; what came after the day is
    /// at its end.
    private func stairs(since midnight: Int64) -> [Stair] {
        var stairs = [Stair(at: 0)]
        let isThinned = changes.count > Self.drawnLimit
        let grain =
            isThinned ? Self.dayMilliseconds * Self.drawnTogether / Self.drawnLimit : 1
        var together = 1
        for change in changes {
            // Of what happens at once one stair is drawn; of very many, also of those close
            // together no more than three, the last among them.
            let passed = change.stamp.wallMilliseconds.subtractingReportingOverflow(midnight)
                .partialValue
            let at = min(max(passed, stairs.last?.at ?? 0), Self.dayMilliseconds)
            if let last = stairs.last, at / grain == last.at / grain {
                together += 1
                let isCovered = last.mark == nil && last.shown <= change.after
                if !isThinned || isCovered || together > Self.drawnTogether { stairs.removeLast() }
            } else {
                together = 1
            }
            let kind = AuditRow(change).kind
            stairs.append(
                Stair(
                    at: at, isLate: change.time.date > day.date, shown: change.after,
                    corrected: change.corrected,
                    mark: kind == .stair || kind == .none ? nil : kind))
        }
        return stairs
    }

    private func writeChart(to json: inout JSONWriter) {
        let offset = day.offsetMinutes ?? changes[0].zoneOffsetMinutes
        let midnight = day.date.daysSinceEpoch * Self.dayMilliseconds - offset * 60_000
        var stairs = stairs(since: midnight)
        let lastAt = stairs.last?.at ?? 0
        let end = Self.dayMilliseconds
        let until = day.date == now.date ? now.millisecondOfDay : end
        if until > lastAt, var stair = stairs.last {
            (stair.at, stair.mark) = (until, nil)
            stairs.append(stair)
        }
        let most = max(goal ?? 0, stairs.map(\.shown).max() ?? 0, 100)
        let top = niceTop(most)
        json.field(
            "label",
            "Staircase of the step count from 0 at midnight to \(grouped(day.displayed))"
                + (last.map { " \(when($0))" } ?? "")
                + ". Each stair is explained in the list below.")
        json.field("end", end)
        json.axis(to: top, grouped)
        let hours = stride(from: 0, through: end, by: 3 * 3_600_000)
        json.ticks(hours.map { ($0, Self.clock($0)) }, named: "hours")
        json.field("goal", goal)
        json.field("goalText", goal.map { "daily goal \(grouped($0))" })
        json.list("points", stairs) { json, stair in
            json.field("at", stair.at)
            json.field("shown", stair.shown)
            json.field("corrected", stair.corrected)
            json.field("mark", stair.mark?.rawValue)
            let when = stair.isLate ? "After the day" : Self.clock(stair.at)
            json.field("text", "\(when), \(counted(stair.shown, "step"))")
        }
    }

    /// The time of a day, from its first moment to its last.
    private static func clock(_ at: Int64) -> String {
        at == dayMilliseconds ? "24:00" : LocalTime(at, offsetMinutes: 0).clock
    }
}

/// The next number above that divides into four.
func niceTop(_ value: UInt64) -> UInt64 {
    let value = min(value, .max / 1_000)
    var unit: UInt64 = 10
    while unit * 10 <= value { unit *= 10 }
    let tenths: [UInt64] = [10, 12, 16, 20, 24, 30, 40, 50, 60, 80, 100, 120]
    return (tenths.first { $0 * (unit / 10) >= value * 102 / 100 } ?? 120) * (unit / 10)
}
