internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Words

extension WalkScreen {
    // MARK: - What was walked

    /// Steps, distance, energy, and the time if that is the goal.
    var measures: [StyledLine] {
        guard let report else { return [] }
        let goal = report.goal
        let isTurned = report.isTurnAroundReached
        var steps = measure("Steps", grouped(report.steps))
        var distance = measure(
            "Distance", report.distanceMillimetres.map(kilometres) ?? "\(look.dash) km")
        let energy = measure("Energy", "\(grouped(rounded(report.energyCalories, to: 1_000))) kcal")
        var lines: [StyledLine] = []
        switch goal?.kind {
        case .steps, .daily:
            addBar(report.goalProgress ?? 0, of: goal?.target ?? 0, grouped, to: &steps)
            addTurn(isTurned, grouped, to: &distance)
        case .distance:
            addBar(report.goalProgress ?? 0, of: goal?.target ?? 0, kilometres, to: &distance)
            addTurn(isTurned, kilometres, to: &steps)
        case .duration:
            var time = measure("Time", TimeText.duration(report.goalProgress ?? 0))
            addBar(
                report.goalProgress ?? 0, of: goal?.target ?? 0, TimeText.duration, to: &time)
            addTurn(isTurned, TimeText.duration, to: &steps)
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
    private func addTurn(
        _ isTurned: Bool, _ text: (UInt64) -> String, to line: inout StyledLine
    ) {
        guard let report, let target = report.goal?.target else { return }
        line.move(to: 24)
        if report.outAndBack {
            let half = text(target - target / 2)
            line.add(isTurned ? "turned at \(half)" : "turn around at \(half)", .quiet)
        }
        let rest = target - min(report.goalProgress ?? 0, target)
        guard rest > 0 else { return }
        let words = "\(text(rest)) to go"
        guard columns - 4 - words.count > line.columns else { return }
        line.move(to: columns - 4 - words.count)
        line.add(words, .quiet)
    }

    // MARK: - Before the walk

    /// The goal that is chosen, and when the walk begins.
    var goals: [StyledLine] {
        var goal = StyledLine("   Goal     ")
        goal.add(scene.goal.text, .strong)
        guard scene.phase == .settingUp else { return [goal] }
        goal.add("   g changes it", .quiet)
        return [
            goal, StyledLine(),
            StyledLine("   The walk begins with the first heart rate, or with Return.", .quiet),
        ]
    }

    // MARK: - Messages and keys

    /// The newest sentences, each with its time.
    var messages: [StyledLine] {
        front.board.messages.flatMap { message in
            wrapped(message.text, to: max(columns - 11, 10)).enumerated().map { index, text in
                var line = StyledLine("   ")
                line.add(index == 0 ? clock(message.wallMilliseconds) : "", .quiet)
                line.move(to: 10)
                line.add(text)
                return line
            }
        }
    }

    /// How long a message stands in place of the keys where there is no other room.
    private static let briefMilliseconds: UInt64 = 5_000

    /// The newest sentence while it is new, else the keys.
    var newestOrKeys: StyledLine {
        guard front.prompt == .none, let newest else { return lastLine }
        return StyledLine("   " + newest)
    }

    /// The newest sentence while it is new.
    private var newest: String? {
        front.board.messages.first.flatMap { message in
            now < message.bootMilliseconds + Self.briefMilliseconds ? message.text : nil
        }
    }

    /// The keys, or what is asked.
    var lastLine: StyledLine {
        switch front.prompt {
        case .finish: return ask("Finish this walk?   s finish   any other key goes on")
        case .leave: return ask("Quit and keep the walk open?   q quit   any other key stays")
        case .mark(let text):
            var line = ask("Mark: ")
            let room = max(columns - line.columns - 26, 4)
            line.add(tail(of: printable(text, limit: Int.max), columns: room))
            line.add("_   Return saves, Esc cancels", .quiet)
            return line
        case .none: break
        }
        var line = StyledLine("   ")
        for (index, key) in keys.enumerated() {
            let width = key.0.count + 1 + key.1.count
            guard line.columns + 3 + width <= columns else { break }
            line.add(index == 0 ? "" : "   ")
            line.add(key.0, .strong)
            line.add(" " + key.1, .quiet)
        }
        return line
    }

    private func ask(_ question: String) -> StyledLine {
        StyledLine("   " + question, .strong)
    }

    private var keys: [(String, String)] {
        switch scene.phase {
        case .settingUp:
            [("g", "goal"), ("Return", "begin"), ("f", "refresh"), ("?", "help"), ("q", "quit")]
        case .starting: [("?", "help"), ("q", "quit")]
        case .recording:
            [report?.state == .paused ? ("r", "resume") : ("p", "pause"), ("m", "mark")]
                + [("f", "refresh"), ("s", "finish"), ("?", "help"), ("q", "quit")]
        case .ending, .failed, .ended: []
        }
    }

    /// The keys, the states and where the log is.
    func help(rows: Int) -> [StyledLine] {
        let lines = [
            "The log is in \(printable(front.storeDirectory, limit: 200))",
            "",
            "p pause        no heart rate is recorded; steps of the day go on",
            "r resume       goes on with the walk",
            "m mark         marks this moment, with a text if you like",
            "g goal         the next goal, before the walk begins",
            "Return         starts the walk now, without the strap",
            "f refresh      reconciles today's steps with the health store's total",
            "s finish       ends the walk; Ctrl-C does so too, without asking",
            "q quit         leaves the walk open; the next `pulselog record` goes on",
            "Ctrl-Z         to the shell; the recording stands still until `fg`",
            "",
            "\(look.heart) current value    \(look.heart) \(look.dash) no value or no link    "
                + "\(look.outlineHeart) \(look.dash) paused",
            "After a loss the last value stays for 10 s.",
        ]
        return lines.prefix(max(rows, 1)).map { StyledLine("   " + $0) }
    }

    /// All in one line, for a terminal that has no room for more.
    var small: StyledLine {
        if front.showsHelp { return StyledLine("Help needs a window of 40 by 10.") }
        if let newest, front.prompt == .none { return StyledLine(newest) }
        let time = TimeText.duration(report?.activeMilliseconds ?? 0)
        guard let report, report.state != .paused else {
            let mark = report == nil ? look.ready : look.paused
            return StyledLine("\(mark) \(time) \(look.outlineHeart) \(alignedRight(look.dash, 3))")
        }
        let bpm = scene.strap.heartRateBPM.map { "\($0)" } ?? look.dash
        return StyledLine(
            "\(look.running) \(time) \(look.heart) \(alignedRight(bpm, 3)) "
                + "\(grouped(report.steps)) steps")
    }
}

/// A number in units of `unit`, rounded half up; nothing overflows.
private func rounded(_ number: UInt64, to unit: UInt64) -> UInt64 {
    number / unit + (number % unit >= unit / 2 ? 1 : 0)
}

/// The end of a text that fits into so many columns.
private func tail(of text: String, columns limit: Int) -> String {
    var result = Substring(text)
    while columns(of: String(result)) > limit { result = result.dropFirst() }
    return String(result)
}
