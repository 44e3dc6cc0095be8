package import Events
package import JSON
package import Projections
package import Text

/// A day's steps, for people and for scripts.
package struct DayText: Answer, JSONObject {
    private let day: DayReport
    private let dailyGoal: UInt64?
    /// The pedometer that counts, if this day is the current one.
    private let pedometer: DeviceID?

    /// Describes a day, with the current goal.
    package init(_ day: DayReport, _ state: LogState) {
        self.day = day
        dailyGoal = state.walked.recorder.profile.dailyGoalSteps
        let steps = state.walked.steps
        pedometer = steps.current?.date == day.date ? steps.chosen?.device : nil
    }

    /// A list of days with no row yet.
    package static var table: TextTable {
        TextTable(.words("date"), .numbers("displayed"), .numbers("corrected"))
    }

    /// Adds the day to a list.
    package func add(to table: inout TextTable) {
        guard isCounted else { return table.add("\(day.date)", "none counted", "") }
        table.add("\(day.date)", grouped(day.displayed), grouped(day.corrected))
    }

    /// Whether something counted steps, or told how many there were: else there are not 0 of them.
    package var isCounted: Bool {
        day.displayed > 0 || day.corrections > 0 || day.observedTotal != nil || pedometer != nil
    }

    /// A few lines, each with its end: both figures, then where the displayed one comes from.
    package var text: String {
        var lines = ["\(day.date)"]
        guard isCounted else {
            let goal = dailyGoal.map { "; the goal is \(grouped($0))" } ?? ""
            lines.append("  Displayed  none: nothing counted steps on this day" + goal)
            return (lines + setAside).joined(separator: "\n") + "\n"
        }
        let goal = dailyGoal.map { " of \(grouped($0))" } ?? ""
        lines.append("  Displayed  \(grouped(day.displayed))\(goal) steps; never falls")
        let corrected = grouped(day.corrected)
        lines.append(
            day.corrections == 0
                ? "  Corrected  \(corrected); no corrections"
                : "  Corrected  \(corrected) by \(signed(day.correction)) in "
                    + "\(counted(day.corrections, "correction")); histories use this figure")
        lines.append(
            "  Made of    baseline \(grouped(day.baseline)) and pedometer "
                + grouped(day.delta) + late)
        let source = pedometer.map { "; \($0) counts now" } ?? ""
        lines.append("  Pedometer  \(grouped(day.pedometerSteps)) on this day in all" + source)
        lines.append("  Health     " + (day.observedTotal.map { grouped($0) } ?? "no total yet"))
        if let legacy = day.legacyTotal {
            lines.append("  Legacy     \(grouped(legacy)), from an earlier program")
        }
        lines.append("  Reconciled \(counted(day.reconciliations, "time"))\(lastOne)")
        lines += setAside
        if let doubt { lines += wrapped(doubt, to: 78).map { "  " + $0 } }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Says that the day of the log is later than the clock's.
    ///
    /// - Parameter dates: Both.
    /// - Returns: A sentence.
    package static func ahead(_ dates: (day: CivilDate, clock: CivilDate)) -> String {
        "The log's day is \(dates.day), and the clock's is \(dates.clock): the clock was wrong "
            + "once, and all steps count for \(dates.day) until that day is over."
    }

    /// What helps then.
    package static let wayBack =
        "If the clock is right now: `pulselog refresh --trust-clock`. What was counted stays where "
        + "it is."

    /// What is doubtful of the count, and what to do; nil if nothing is.
    package var doubt: String? {
        Self.doubt(of: day.date, shown: day.displayed, corrected: day.corrected)
    }

    /// What to do about a count that is too high.
    package static func wayDown(of date: CivilDate) -> String {
        "A day's count never falls; if it is wrong, correct it: "
            + "pulselog steps correct --day \(date) --by -STEPS --reason WHY"
    }

    /// The same of a count that nobody walks in a day, until it is corrected; else nil.
    static func doubt(of date: CivilDate, shown: UInt64, corrected: UInt64) -> String? {
        guard shown > Plausibility.stepsPerDay, corrected > Plausibility.stepsPerDay else {
            return nil
        }
        return "Nobody walks \(grouped(shown)) steps in a day. " + wayDown(of: date)
    }

    /// What nobody can have walked, and how it is taken in.
    private var setAside: [String] {
        guard day.setAsideCount > 0 else { return [] }
        var lines = [
            "  Set aside  not surely walked on this day, \(counted(day.setAsideCount, "time")):"
        ]
        let shown = day.setAside.suffix(Self.shownLimit)
        lines += shown.flatMap { wrapped($0.wordsWithPosition(day.offsetMinutes ?? 0), to: 67) }
            .map { "             " + $0 }
        let hidden = day.setAsideCount - UInt64(shown.count)
        if hidden > 0 { lines.append("             and \(grouped(hidden)) before") }
        guard day.setAside.contains(where: { !$0.isTaken }) else { return lines }
        return lines + ["             to take one in: pulselog steps take POSITION --reason WHY"]
    }

    /// The most numbers that were set aside which are shown; `--json` has more.
    private static let shownLimit = 5

    private var late: String {
        day.lateTotal > day.baseline + day.delta
            ? "; a late total of \(grouped(day.lateTotal)) is more" : ""
    }

    private var lastOne: String {
        guard let last = day.lastReconciliation else { return "" }
        let winner =
            switch last.winner {
            case .baselinePlusDelta: "what was displayed"
            case .health: "the health total"
            case .persisted: "the persisted value"
            }
        return ", last at position \(last.position): \(winner) won"
    }

    /// Writes the fields of the day into an object that is open; of a day on which nothing counted
    /// no count is 0.
    package func writeFields(to line: inout JSONWriter) {
        let known = isCounted ? day : nil
        line.field("date", day.date.description)
        line.field("offsetMinutes", known?.offsetMinutes)
        line.field("displayed", known?.displayed)
        line.field("corrected", known?.corrected)
        line.field("correction", known?.correction)
        line.field("corrections", known?.corrections)
        line.field("dailyGoal", dailyGoal)
        line.field("baseline", known?.baseline)
        line.field("delta", known?.delta)
        line.field("pedometer", pedometer?.description)
        line.field("pedometerSteps", known?.pedometerSteps)
        line.field("healthTotal", day.observedTotal)
        line.field("healthUntilMilliseconds", day.observedUntilMilliseconds)
        line.field("lateTotal", known?.lateTotal)
        line.field("legacyTotal", day.legacyTotal)
        line.field("setAsideCount", known?.setAsideCount)
        line.array("setAside", day.setAside)
        line.field("reconciliations", known?.reconciliations)
        line.field("lastReconciliation", day.lastReconciliation)
        line.field("firstPosition", day.positions?.lowerBound)
        line.field("lastPosition", day.positions?.upperBound)
    }
}
