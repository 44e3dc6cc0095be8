internal import Events
internal import Interchange
internal import Projections

/// A session's totals as lines for people, within 80 columns.
struct SessionText {
    /// The lines, without line ends.
    let lines: [String]

    /// Tells a session; times are local under an offset.
    init(_ session: SessionReport, offsetMinutes: Int64) {
        let start = TimeText.local(session.startedAtMilliseconds, offsetMinutes: offsetMinutes)
        let state = session.state == .ended ? "" : " (\(session.state.name))"
        var lines = ["Session \(session.position), \(start)\(state)"]
        lines.append(
            "  Time       \(TimeText.duration(session.elapsedMilliseconds)), active "
                + "\(TimeText.duration(session.activeMilliseconds)), paused "
                + TimeText.duration(session.pausedMilliseconds))
        lines.append("  Heart rate " + Self.heartRate(session.heartRate))
        let excluded = session.heartRate.excluded
        let notCounted: [(UInt64, String)] = [
            (excluded.zero, "zero"), (excluded.noContact, "without contact"),
            (excluded.paused, "in pauses"), (excluded.undecodable, "undecodable"),
            (excluded.copies, "copies"),
        ]
        let reasons = notCounted.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
        if !reasons.isEmpty {
            lines.append("  Not counted " + reasons.joined(separator: ", "))
        }
        lines.append("  Signal     " + Self.signal(session.accounting))
        let link = LinkText(session.link, session.rrConservation).lines
        lines += zip(["  Link       "] + link.dropFirst().map { _ in Self.indent }, link).map(+)
        lines.append(
            "  Steps      \(grouped(session.steps)); today \(grouped(session.stepsToday))")
        if let distance = session.distanceMillimetres {
            lines.append("  Distance   " + kilometres(distance))
        } else {
            lines.append("  Distance   unknown: no height (pulselog profile set height=180cm)")
        }
        lines.append(
            "  Energy     \((session.energyCalories + 500) / 1_000) kcal"
                + (session.isWeightAssumed ? ", for 70 kg (no weight is set)" : ""))
        if let goal = session.goal { lines.append("  Goal       " + Self.goal(goal, session)) }
        self.lines = lines
    }

    /// Where a line's text begins that goes on from the line before.
    private static let indent = "             "

    private static func heartRate(_ report: HeartRateReport) -> String {
        guard let mean = report.mean, let low = report.minimum, let high = report.maximum else {
            return "none"
        }
        let weighted = report.timeWeightedMean.map { ", time-weighted \($0)" } ?? ""
        return "mean \(mean)\(weighted), \(low) to \(high.bpm) BPM, "
            + "\(grouped(report.samples)) samples"
    }

    private static func signal(_ accounting: Accounting) -> String {
        let parts: [(UInt64, String)] = [
            (accounting.freshMilliseconds, "fresh"), (accounting.silentMilliseconds, "silent"),
            (accounting.noContactMilliseconds, "no contact"),
            (accounting.heldMilliseconds, "held"),
            (accounting.disconnectedMilliseconds, "disconnected"),
        ]
        let times = parts.filter { $0.0 >= 1_000 }
            .map { "\($0.1) \(TimeText.duration($0.0))" }
        return times.isEmpty ? "under a second" : times.joined(separator: ", ")
    }

    private static func goal(_ goal: Goal, _ session: SessionReport) -> String {
        let progress = session.goalProgress ?? 0
        let share = goal.target > 0 ? min(progress, goal.target) * 100 / goal.target : 0
        return "\(goal.text), \(session.isGoalReached ? "reached" : "\(share) %")"
    }
}

/// Millimetres as kilometres with two decimals, rounded half up.
func kilometres(_ millimetres: UInt64) -> String {
    let hundredths = (millimetres + 5_000) / 10_000
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals) km"
}
