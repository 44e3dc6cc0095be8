internal import Projections
internal import Recording
internal import Text

/// The keys: what is offered, what is asked, and what they mean.
extension WalkScreen {
    /// The keys, or what is asked.
    var lastLine: StyledLine {
        switch front.prompt {
        case .finish: return ask("Finish this walk?   s finishes it   any other key goes on")
        case .leave: return ask("Quit and keep the walk open?   q quit   any other key stays")
        case .mark(let text):
            var line = ask("Mark: ")
            let room = max(columns - line.columns - 29, 4)
            line.add(tail(of: printable(text, limit: Int.max), columns: room))
            line.add("_   Return saves, Esc cancels", .quiet)
            return line
        case .none: break
        }
        if front.showsHelp { return StyledLine("   any key goes back", .strong) }
        guard front.controls.hasKeys else {
            let walk = "   Ctrl-C finishes   elsewhere: pulselog pause, mark, finish"
            return StyledLine(scene.isReplay ? "   Ctrl-C ends the replay" : walk, .quiet)
        }
        var keys = (scene.substitute == nil ? [] : [("u", "strap")]) + keys
        func width() -> Int { keys.reduce(0) { $0 + $1.0.count + $1.1.count + 4 } }
        // What ends the walk or explains the keys has room in any window.
        while width() > columns, let last = keys.lastIndex(where: { !"s?q".contains($0.0) }) {
            keys.remove(at: last)
        }
        var line = StyledLine()
        for key in keys {
            line.add("   " + key.0, .strong)
            line.add(" " + key.1, .quiet)
        }
        return line
    }

    private func ask(_ question: String) -> StyledLine {
        StyledLine("   " + question, .strong)
    }

    private var keys: [(String, String)] {
        let isPaused = report?.state == .paused
        let refresh = isRoomy && scene.stepsToday != nil ? [("f", "refresh")] : []
        let rest = [("?", "help"), ("q", "quit")]
        return switch scene.phase {
        case .settingUp: [("g", "goal"), ("Return", "begin")] + refresh + rest
        case .starting, nil: rest
        case .recording:
            (isPaused ? [("r", "resume"), ("m", "mark")] : [("p", "pause"), ("m", "mark")])
                + (isPaused ? [] : [("l", "lap")]) + refresh + [("s", "finish")] + rest
        case .ending, .failed, .ended: []
        }
    }

    /// The keys, the states and where the log is, the most needed first.
    func help(rows: Int) -> [StyledLine] {
        let name = printable(front.storeDirectory, limit: 200)
        let heart = [
            "\(look.heart) current value    \(look.heart) \(look.dash) no value or no link    "
                + "\(look.outlineHeart) \(look.dash) paused",
            "After the link is lost, the last value stays for 10 s.",
        ]
        let signs = [""] + (scene.loneCounter == nil ? heart + [""] : [])
        let lines =
            scene.isReplay
            ? ["q quit         ends the replay; Ctrl-C does so too"] + signs
                + ["Nothing is recorded: this is a replay of \(name)"]
            : pageTexts + keysOfWalk + signs + ["The log is in \(name)"]
        return lines.prefix(max(rows, 1)).map { StyledLine("   " + $0) }
    }

    private var keysOfWalk: [String] {
        let lines = [
            "s finish       ends the walk; Ctrl-C does so too, without asking",
            "q quit         leaves the walk open; the next `pulselog record` goes on",
            "p pause        pauses the walk; what is counted still counts for the day",
            "r resume       goes on with the walk",
            "m mark         marks this moment, with a text if you like",
            "l lap          ends a lap; the next begins",
            "f refresh      reconciles today's steps with the health store's total",
            "g goal         chooses the next goal (before the walk)",
            "Return         starts the walk now",
        ]
        let strap = "u use          uses the strap that is offered while yours is away"
        return lines + (scene.loneCounter == nil ? [strap] : [])
            + (front.controls.canSuspend
                ? [
                    "Ctrl-Z         suspends to the shell; nothing is recorded until `fg`,",
                    "               but the walk's time runs on",
                ] : [])
    }
}

/// The end of a text that fits into so many columns.
private func tail(of text: String, columns limit: Int) -> String {
    var result = Substring(text)
    while columns(of: String(result)) > limit { result = result.dropFirst() }
    return String(result)
}
