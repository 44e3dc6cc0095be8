internal import Events
internal import Projections
internal import Recording
internal import Text
internal import Words

extension WalkScreen {
    // MARK: - What was walked

    private var units: Units { scene.state.units }

    /// Steps, distance, energy, and the time if that is the goal.
    var measures: [StyledLine] {
        guard let report else { return [] }
        let way = WayToGoal(report, scene.sensors(of: report), units: units)
        let shown = ([way.loud] + way.others).filter {
            // Where there is room the heart's line has its mean.
            $0 != .paceNow && $0 != .today && ($0 != .mean || !isRoomy)
        }
        var lines = shown.map { kind in
            let figure = report.figure(kind, units)
            let isBare = [.active, .steps, .mean, .raised].contains(kind)
            let value = figure.value + (isBare ? "" : " \(figure.unit)")
            return measure(Self.names[kind] ?? kind.name, value)
        }
        if isRoomy, report.distanceMillimetres == nil, report.steps > 0,
            let row = shown.dropFirst().firstIndex(of: .distance)
        {
            lines[row].add("no height is set", .quiet, at: 24)
        }
        guard let goal = report.goal else { return lines }
        if lines.count < 2 { lines.append(StyledLine()) }
        if way.isMeasured {
            addBar(report.goalProgress ?? 0, of: goal, to: &lines[0])
            addTurn(of: way, to: &lines[1])
        } else {
            lines[0].add("goal of \(goal.text(units)): not measured", .quiet, at: 24)
        }
        return lines
    }

    /// Whether a line has room for more than one figure.
    var isRoomy: Bool { columns >= 60 }

    /// The steps of the day, and of the daily goal; none where nothing counts any.
    var today: [StyledLine] {
        guard let steps = scene.stepsToday else { return [] }
        var line = measure("Today", steps > 0 ? grouped(steps) : look.dash)
        if let goal = scene.state.own.recorder.profile.dailyGoalSteps {
            addBar(steps, of: Goal(kind: .steps, target: goal), to: &line)
        }
        return [line]
    }

    /// The pace now, and the time in each zone.
    var present: [StyledLine] {
        let pace = scene.presentPace.map { [measure("Pace", "\($0.value) \($0.unit)")] } ?? []
        guard let report, report.heartRate.samples > 0 else { return pace }
        var line = StyledLine("   Zones")
        // They are as wide as the time of the walk, so that each stays where it is.
        let width = TimeText.duration(report.activeMilliseconds).count
        let cell = max(17, min((columns - 12) / 4, 24))
        let zones = report.heartRate.zones.all
        for (index, one) in zones.enumerated() where 28 + cell * index <= columns {
            line.add(one.zone.name + " ", .zone(one.zone), at: 12 + cell * index)
            line.add(alignedRight(TimeText.duration(one.shown), width))
        }
        return pace + [line]
    }

    private static let names: [Measure: String] = [.active: "Time", .mean: "Mean BPM"]

    private func measure(_ name: String, _ value: String) -> StyledLine {
        var line = StyledLine("   " + padded(name, to: 9))
        line.add(alignedRight(value, units == .metric ? 9 : 11), .strong)
        return line
    }

    /// How far it is to a goal: a bar, and the goal next to it.
    private func addBar(_ progress: UInt64, of goal: Goal, to line: inout StyledLine) {
        let target = goal.target
        guard target > 0 else { return }
        let width = max(columns - 24 - 16, 0)
        // In double width: totals may be as large as they can be told.
        let product = UInt64(width).multipliedFullWidth(by: min(progress, target))
        let full = Int(target.dividingFullWidth(product).quotient)
        line.move(to: 24)
        line.add(String(repeating: look.bar.full, count: full), progress >= target ? .good : .plain)
        line.add(String(repeating: look.bar.empty, count: width - full), .quiet)
        line.add(progress >= target ? "reached" : "of \(goal.amount(units))", at: 24 + width + 2)
    }

    /// Where to turn around, and how far it still is.
    private func addTurn(of way: WayToGoal, to line: inout StyledLine) {
        line.move(to: 24)
        // Half of a number is another number.
        if let turn = way.turn, 24 + turn.count <= columns { line.add(turn, .quiet) }
        guard let left = way.left, columns - 4 - left.count > line.columns else { return }
        line.add(left, .quiet, at: columns - 4 - left.count)
    }

    // MARK: - Before the walk

    /// The goal that is chosen, and when the walk begins.
    var goals: [StyledLine] {
        guard !scene.isReplay else { return [] }
        var goal = StyledLine("   Goal     ")
        goal.add(scene.goal.text(units), .strong)
        guard scene.phase == .settingUp else { return [goal] }
        goal.add("   g changes it", .quiet)
        let lack = scene.sensorsAtSetUp.measuring(scene.goal.kind).lack
        let isHeard = scene.loneCounter == nil && scene.strap.word.bluetoothProblem == nil
        let begin = isHeard ? "the first heart rate, or with Return" : "Return"
        return [goal] + (lack.map { told($0) } ?? [StyledLine()])
            + told("The walk begins with \(begin).", .quiet)
    }
}
