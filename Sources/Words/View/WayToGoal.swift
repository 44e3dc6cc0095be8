package import Events
package import JSON
package import Projections
internal import Text

/// How far a walk is on the way to its goal; without one, what it has counted so far.
package struct WayToGoal {
    private let report: SessionReport
    private let goal: Goal
    private let sensors: WalkSensors
    private let units: Units

    /// Shows the way of a session.
    ///
    /// - Parameters:
    ///   - report: The session.
    ///   - sensors: What measures it.
    ///   - units: The walker's.
    package init(_ report: SessionReport, _ sensors: WalkSensors, units: Units) {
        (self.report, self.sensors, self.units) = (report, sensors, units)
        goal = report.goal ?? Goal()
    }

    /// Writes the way into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        let figure = report.figure(loud, units)
        let aim = isMeasured ? "of \(goal.text(units))" : nil
        json.field("amount", figure.value)
        json.field("of", goal.kind == .none || aim == nil ? name(figure) : aim)
        // Where the big number is the time, the clock says when it began: no measure stands twice.
        json.field(
            "active",
            loud == .active
                ? "since \(report.start.clock)" : TimeText.duration(report.activeMilliseconds))
        guard goal.kind != .none, goal.target > 0 else { return }
        json.object("way") { json in
            json.field("permille", UInt64(UInt128(done) * 1_000 / UInt128(goal.target)))
            json.field("outAndBack", report.outAndBack)
            json.field(
                "turn", isMeasured ? turn.map(capitalized) ?? "" : "Goal of \(goal.text(units))")
            // A receiver is there, and has measured nothing yet.
            let isByPositions = goal.kind == .distance && sensors.hasPositions
            let isAwaited = isByPositions && report.distanceMillimetres == nil
            let left = isAwaited ? "no fix yet" : left ?? "Goal reached"
            json.field("left", isMeasured ? left : "not measured")
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

    /// Whether there is something that measures the goal.
    package var isMeasured: Bool { sensors.measuring(goal.kind).lack == nil }

    /// That nothing measures the goal, and what leads meanwhile; nil if something does.
    package var lack: String? {
        sensors.measuring(goal.kind).lack.map { lack in
            "\(lack.prefix { $0 != "." }). Your goal of \(goal.text(units)) cannot be measured. "
                + (loud == .active ? "Time leads meanwhile." : "Distance leads meanwhile.")
        }
    }

    /// The measure that is loud: the goal's, or what the sensors can measure.
    package var loud: Measure {
        guard isMeasured else { return sensors.lead }
        return switch goal.kind {
        case .none: sensors.lead
        case .steps, .daily: .steps
        case .distance: .distance
        case .duration: .active
        }
    }

    /// What a measure is called above its large figure, and what stands smaller next to that.
    package func largeName(_ measure: Measure) -> (name: String, note: String?) {
        let isOfGoal = isMeasured && goal.kind != .none && goal.target > 0 && measure == loud
        let aim = isOfGoal ? "of \(goal.amount(units).prefix { $0 != " " })" : nil
        return switch measure {
        case .distance: (units.distanceName, aim)
        case .paceNow: ("Pace", "\(units.paceName), now")
        case .mean: ("Mean", "BPM")
        case .energy: ("kcal", sensors.hasCounter ? nil : "by heart")
        default: (measure.name, measure == .climb ? units.climbName : aim)
        }
    }

    /// What the loud number is of, where it aims at nothing.
    private func name(_ figure: Figure) -> String { loud == .active ? "active" : figure.unit }

    /// What else there is to see of a walk, besides what is loud: each measure once.
    package var others: [Measure] { report.known(sensors.row(below: loud), by: sensors) }
}

extension Goal {
    /// The target as a number in a place that says of what.
    package func amount(_ units: Units) -> String {
        kind == .steps || kind == .daily ? grouped(target) : text(units)
    }
}
