package import Events
package import JSON
package import Projections
internal import Text

/// How far a walk is on the way to its goal; without one, what it has counted so far.
package struct WayToGoal {
    private let report: SessionReport
    private let goal: Goal
    private let units: Units

    /// Shows the way of a session.
    package init(_ report: SessionReport, units: Units) {
        self.report = report
        self.units = units
        goal = report.goal ?? Goal()
    }

    /// Writes the way into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("amount", amount)
        json.field("of", goal.kind == .none ? "steps" : "of \(goal.text(units))")
        // With a goal in time the big number is the time: it is not shown twice.
        json.field(
            "active",
            goal.kind == .duration ? nil : TimeText.duration(report.activeMilliseconds))
        guard goal.kind != .none, goal.target > 0 else { return }
        json.object("way") { json in
            json.field("permille", UInt64(UInt128(done) * 1_000 / UInt128(goal.target)))
            json.field("outAndBack", report.outAndBack)
            json.field("turn", turn.map(capitalized) ?? "")
            json.field("left", left ?? "Goal reached")
        }
    }

    private var done: UInt64 { min(report.goalProgress ?? 0, goal.target) }

    /// Where to turn around, or where that was; nil on a way without a turn.
    package var turn: String? {
        guard report.outAndBack, goal.target > 0 else { return nil }
        return "\(report.isTurnAroundReached ? "turned" : "turn") at \(goal.halfway.amount(units))"
    }

    /// How far it still is; nil at the goal, and without one.
    package var left: String? {
        guard done < goal.target else { return nil }
        return "\(Goal(kind: goal.kind, target: goal.target - done).amount(units)) to go"
    }

    private var amount: String {
        report.figure(
            goal.kind == .distance ? .distance : goal.kind == .duration ? .active : .steps, units
        ).value
    }

    /// What a terminal shows: the time too, if that is the goal.
    package var measures: [Measure] {
        (goal.kind == .duration ? [.active] : []) + [.steps, .distance, .energy]
    }

    /// What else there is to see of a walk, besides its goal: each measure once.
    package var others: [Measure] {
        switch goal.kind {
        case .none, .steps, .daily: [.distance, .energy]
        case .distance: [.steps, .energy]
        case .duration: [.steps, .distance]
        }
    }
}

extension Goal {
    /// The target as a number in a place that says of what.
    package func amount(_ units: Units) -> String {
        kind == .steps || kind == .daily ? grouped(target) : text(units)
    }
}
