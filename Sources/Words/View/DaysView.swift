internal import Events
public import JSON
public import Projections
internal import Text

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
