public import Events
public import JSON
public import Projections
internal import Text

/// Walks by the weeks of the walker, and the sums of those.
public struct HistoryView: JSONObject {
    private static let weeksShown: Int64 = 12

    private let sessions: [(report: SessionReport, start: LocalTime)]
    private let monday: CivilDate
    /// What the walks of each week add up to, by its Monday: all of them, and those that ended.
    private var sums: [CivilDate: (all: Sums, ended: Sums)] = [:]

    /// Shows sessions.
    ///
    /// - Parameters:
    ///   - sessions: The sessions, newest first; those that the walker hides are left out.
    ///   - today: The walker's day now.
    public init(_ sessions: [SessionReport], today: CivilDate) {
        self.sessions = sessions.lazy.filter { !$0.keeping.isHidden }.map {
            ($0, LocalTime($0.startedAtMilliseconds, offsetMinutes: $0.offsetMinutes))
        }
        monday = today.monday
        for (session, start) in self.sessions where session.provenance == .walked {
            let sum = Sums(of: session)
            let ended = session.state == .ended ? sum : Sums()
            let week = sums[start.date.monday, default: (Sums(), Sums())]
            sums[start.date.monday] = (week.all + sum, week.ended + ended)
        }
    }

    /// Writes the view as an object.
    public func writeFields(to json: inout JSONWriter) {
        json.list("rows", sessions) { write($1.report, $1.start, to: &$0) }
        json.object("weeks") { writeWeeks(to: &$0) }
    }

    private func write(
        _ session: SessionReport, _ start: LocalTime, to json: inout JSONWriter
    ) {
        let week = start.date.monday
        let hasHeart = session.heartRate.samples > 0
        json.field("position", session.position)
        json.field("week", week.description)
        json.field("weekTitle", title(of: week))
        json.field("weekNote", (sums[week]?.all ?? Sums()).note)
        json.field("title", "\(start.date.short), \(start.clock)")
        json.field("time", TimeText.duration(session.activeMilliseconds))
        json.field("distance", session.figure(.distance))
        json.field("steps", Figure(session.knownSteps.map { counted($0, "step") }))
        json.field(
            "heart",
            Figure(session.heartRate.mean.map { "\(whole(hundredths: $0.value)) BPM" }))
        json.field("hasTrack", session.route.fixes > 1 && session.state == .ended)
        json.field(
            "notes",
            [
                session.provenance == .walked ? nil : session.provenance.name,
                session.isGoalReached ? "goal reached" : nil,
                session.route.fixes == 0 ? "no position" : nil,
                hasHeart ? nil : "no heart rate",
            ].compactMap(\.self))
        guard session.state != .ended else { return }
        json.field(
            "open",
            "It began on \(start.date.dayAndMonth) at \(start.clock), and "
                + "\(TimeText.duration(session.activeMilliseconds)) of it were recorded. Nothing "
                + "recorded was lost.")
    }

    private func title(of week: CivilDate) -> String {
        if week == monday { return "This week" }
        return week == monday.advanced(by: -7) ? "Last week" : "Week of \(week.small)"
    }

    // MARK: - Weeks

    /// What walks add up to; what was imported or simulated the walker did not walk.
    private struct Sums {
        var walks: UInt64 = 0
        var distance: UInt64 = 0
        var active: UInt64 = 0
        var steps: UInt64 = 0
        var samples: UInt64 = 0
        var beats: UInt64 = 0

        init() {}

        init(of session: SessionReport) {
            walks = 1
            distance = session.distanceMillimetres ?? 0
            active = session.activeMilliseconds
            steps = session.steps
            samples = session.heartRate.samples
            beats = session.heartRate.sum
        }

        static func + (one: Sums, other: Sums) -> Sums {
            var sum = one
            sum.walks += other.walks
            sum.distance = one.distance.adding(other.distance)
            sum.active = one.active.adding(other.active)
            sum.steps = one.steps.adding(other.steps)
            sum.samples = one.samples.adding(other.samples)
            sum.beats = one.beats.adding(other.beats)
            return sum
        }

        var note: String { "\(counted(walks, "walk")), \(kilometres(distance))" }
    }

    private func writeWeeks(to json: inout JSONWriter) {
        let count = Self.weeksShown
        let weeks = (0..<count).map { ago in
            let week = monday.advanced(by: -7 * ago)
            return (week: week, sums: sums[week]?.ended ?? Sums())
        }
        let all = weeks.reduce(Sums()) { $0 + $1.sums }
        let number = UInt64(count)
        let mean = Hundredths(all.beats, over: all.samples)
        json.array("figures") { json in
            let tenths = (all.walks * 10 + number / 2) / number
            json.figure("walks", "Walks a week", Figure("\(tenths / 10).\(tenths % 10)"))
            json.figure(
                "distance", "Distance a week", Figure(kilometres(all.distance / number)))
            json.figure("active", "Active a week", Figure(hours(all.active / number) + " h"))
            json.figure(
                "mean", "Mean of the values",
                Figure(mean.map { "\(whole(hundredths: $0.value)) BPM" }, dash: "BPM"))
        }
        json.field("note", "\(count) weeks, hours")
        json.list("rows", weeks.filter { $0.sums.walks > 0 }) { json, row in
            json.field(
                "cells",
                [
                    row.week.small, grouped(row.sums.walks),
                    Figure(kilometres(row.sums.distance)).value, hours(row.sums.active),
                    row.sums.steps > 0 ? grouped(row.sums.steps) : "–",
                ])
        }
        json.object("chart") { json in
            json.field(
                "label",
                "Active hours in each of the last \(count) weeks; the table below has them.")
            json.axis(to: Self.topMilliseconds(weeks.map(\.sums.active).max() ?? 0)) {
                decimal(hundredths: $0 / 36_000)
            }
            json.list("bars", weeks.reversed()) { json, bar in
                json.field("value", bar.sums.active)
                json.field("met", true)
                json.field("label", bar.week.small)
                json.field("text", "Week of \(bar.week.small): \(hours(bar.sums.active)) h")
            }
        }
    }

    /// The top of an axis in whole hours that divides well into four.
    private static func topMilliseconds(_ most: UInt64) -> UInt64 {
        let hour: UInt64 = 3_600_000
        guard most > 2 * hour else { return most > hour ? 2 * hour : hour }
        return (most / (4 * hour) + (most % (4 * hour) > 0 ? 1 : 0)) * 4 * hour
    }
}

/// Days against the daily goal, newest first.
///
/// The figures are the corrected ones.
public struct DaysView: JSONWritable {
    private let days: [DayReport]
    private let goal: UInt64?

    /// Shows days with the current goal.
    public init(_ days: [DayReport], _ state: LogState) {
        self.days = days
        goal = state.walked.recorder.profile.dailyGoalSteps
    }

    /// Writes the view as an object; it is null without a day.
    public func write(to json: inout JSONWriter) {
        guard let first = days.first, let last = days.last else {
            return (nil as Bool?).write(to: &json)
        }
        let top = top
        json.object { json in
            json.array("figures") { writeFigures(to: &$0) }
            json.field("title", "Steps of the last \(counted(UInt64(days.count), "day"))")
            json.field("range", "\(last.date.dayAndMonth) to \(first.date.dayAndMonth)")
            json.field("hasGoal", goal != nil)
            json.field("fixed", corrected)
            json.field(
                "notes",
                ["These figures are the corrected ones."]
                    + days.filter { $0.corrected > top }.map {
                        "The bar of \($0.date.dayAndMonth) is cut: \(grouped($0.corrected))."
                    })
            json.object("chart") { writeChart(to: &$0, top) }
            json.list("rows", days) { json, day in
                json.field("date", day.date.description)
                json.field("title", day.date.short)
                json.field("steps", day.isKnown ? grouped(day.corrected) : "no data")
                json.field("shown", isFixed(day) ? "shown \(grouped(day.displayed))" : "")
                json.field("goal", isMet(day) && goal != nil ? "reached" : "")
            }
        }
    }

    private func isFixed(_ day: DayReport) -> Bool { day.corrected != day.displayed }
    private func isMet(_ day: DayReport) -> Bool { day.corrected >= goal ?? 0 }
    private var corrected: Int { days.count(where: isFixed) }

    private func writeFigures(to json: inout JSONWriter) {
        let sum = days.reduce(into: UInt128(0)) { $0 += UInt128($1.corrected) }
        let count = UInt128(days.count(where: \.isKnown))
        let mean = UInt64(clamping: (2 * sum + count) / (2 * count))
        json.figure("mean", "A day, on average", Figure(grouped(mean)))
        if goal != nil {
            let met = days.count(where: isMet)
            json.figure(
                "goal", "Goal reached", Figure("\(met) of \(counted(UInt64(days.count), "day"))"))
        }
        if let most = days.max(by: { $0.corrected < $1.corrected }) {
            json.figure(
                "most", "Most", Figure("\(grouped(most.corrected)) \(most.date.small)"))
        }
        json.figure("corrected", "Corrected", Figure(counted(UInt64(corrected), "day")))
    }

    private func writeChart(to json: inout JSONWriter, _ top: UInt64) {
        let against = goal.map { " against the daily goal of \(grouped($0))" } ?? ""
        json.field(
            "label",
            "Steps of the last \(counted(UInt64(days.count), "day"))\(against); the table below "
                + "has them.")
        json.axis(to: top, grouped)
        json.field("goal", goal)
        json.list("bars", days.reversed()) { json, day in
            json.field("value", day.corrected)
            json.field("ghost", day.displayed)
            json.field("met", isMet(day))
            json.field("label", day.date.small)
            let steps = day.isKnown ? counted(day.corrected, "step") : "no data"
            json.field("text", "\(day.date.short), \(steps)")
        }
    }

    /// One day far above the others must not flatten them: its bar is cut, and said to be.
    private var top: UInt64 {
        let sorted = days.map(\.corrected).filter { $0 > 0 }.sorted(by: >)
        let (most, next) = (sorted.first ?? 0, sorted.dropFirst().first ?? 0)
        let isFarAbove = sorted.count >= 5 && most / 16 > next / 10
        let high = min(isFarAbove ? next : most, .max / 100)
        return max(4_000, (high * 11 / 10 + 3_999) / 4_000 * 4_000)
    }
}
