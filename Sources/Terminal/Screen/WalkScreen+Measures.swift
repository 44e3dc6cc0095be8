internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Text
internal import Words

extension WalkScreen {
    // MARK: - What was walked

    /// Steps, distance, energy, and the time if that is the goal.
    var measures: [StyledLine] {
        guard let report else { return [] }
        let goal = report.goal
        var steps = measure("Steps", report.knownSteps.map(grouped) ?? look.dash)
        var distance = measure(
            "Distance", report.knownDistanceMillimetres.map(kilometres) ?? "\(look.dash) km")
        let energy = measure(
            "Energy", report.knownEnergyCalories.map(kilocalories) ?? "\(look.dash) kcal")
        var lines: [StyledLine] = []
        switch goal?.kind {
        case .steps, .daily:
            addBar(report.goalProgress ?? 0, of: goal?.target ?? 0, grouped, to: &steps)
            addTurn(to: &distance)
        case .distance:
            addBar(report.goalProgress ?? 0, of: goal?.target ?? 0, kilometres, to: &distance)
            addTurn(to: &steps)
        case .duration:
            var time = measure("Time", TimeText.duration(report.goalProgress ?? 0))
            addBar(
                report.goalProgress ?? 0, of: goal?.target ?? 0, TimeText.duration, to: &time)
            addTurn(to: &steps)
            lines.append(time)
        case nil, .some(.none): break
        }
        lines += [steps, distance, energy]
        return lines
    }

    /// The steps of the day, and of the daily goal.
    var today: StyledLine {
        let steps = scene.state.live.stepsToday(at: scene.moment)
        var line = measure("Today", grouped(steps))
        if let goal = scene.state.live.recorder.profile.dailyGoalSteps {
            addBar(steps, of: goal, grouped, to: &line)
        }
        return line
    }

    private func measure(_ name: String, _ value: String) -> StyledLine {
        var line = StyledLine("   " + padded(name, to: 9))
        line.add(alignedRight(value, 9), .strong)
        return line
    }

    /// How far it is to a goal: a bar, and the goal beside it.
    private func addBar(
        _ progress: UInt64, of target: UInt64, _ text: (UInt64) -> String, to line: inout StyledLine
    ) {
        guard target > 0 else { return }
        let width = max(columns - 24 - 16, 0)
        // In double width: totals may be as large as they can be told.
        let product = UInt64(width).multipliedFullWidth(by: min(progress, target))
        let full = Int(target.dividingFullWidth(product).quotient)
        line.move(to: 24)
        line.add(String(repeating: look.bar.full, count: full), progress >= target ? .good : .plain)
        line.add(String(repeating: look.bar.empty, count: width - full), .quiet)
        line.move(to: 24 + width + 2)
        line.add(progress >= target ? "reached" : "of \(text(target))")
    }

    /// Where to turn around, and how far it still is.
    private func addTurn(to line: inout StyledLine) {
        guard let way = report.map(WayToGoal.init) else { return }
        line.move(to: 24)
        if let turn = way.turn { line.add(turn, .quiet) }
        guard let left = way.left, columns - 4 - left.count > line.columns else { return }
        line.move(to: columns - 4 - left.count)
        line.add(left, .quiet)
    }

    // MARK: - Before the walk

    /// The goal that is chosen, and when the walk begins.
    var goals: [StyledLine] {
        guard !scene.isReplay else { return [] }
        var goal = StyledLine("   Goal     ")
        goal.add(scene.goal.text, .strong)
        guard scene.phase == .settingUp else { return [goal] }
        goal.add("   g changes it", .quiet)
        return [
            goal, StyledLine(),
            StyledLine("   The walk begins with the first heart rate, or with Return.", .quiet),
        ]
    }
}
