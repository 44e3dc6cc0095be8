internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Words

/// The recording in a terminal, redrawn in place.
///
/// A terminal that was stopped (Ctrl-S) holds up nothing: it is drawn again when it goes on.
struct TerminalView: RecordingView {
    /// How long a sentence stays.
    private static let sentenceMilliseconds: UInt64 = 20_000
    /// The most lines that sentences take.
    private static let sentenceLines = 4

    private let isColored: Bool
    private let writer = StreamWriter(.standard) { _ in [] }
    private var drawn = DrawnLines()
    /// The sentences that are shown, and when each was drawn first, on the boot clock.
    private var sentences: [(text: String, since: UInt64?)] = []

    var wantsKeys: Bool { true }

    /// Makes a view.
    init(isColored: Bool) {
        self.isColored = isColored
    }

    mutating func show(_ scene: Scene) {
        for news in scene.news {
            switch news {
            case .said(let sentence): tell(sentence)
            case .withdrawn(let sentence): withdraw(sentence)
            }
        }
        guard writer.isReady else { return }
        let columns = max(Output.standard.size.columns, 20)
        let now = scene.moment.stamp.bootMilliseconds
        for index in sentences.indices { sentences[index].since = sentences[index].since ?? now }
        sentences.removeAll { now > ($0.since ?? now) + Self.sentenceMilliseconds }
        var told: [String] = []
        for sentence in sentences.reversed() {
            let lines = wrapped(sentence.text, to: columns - 1)
            // The newest one is whole whatever it takes, and no other one is cut.
            guard told.isEmpty || told.count + lines.count <= Self.sentenceLines else { break }
            told = lines + told
        }
        let lines = WalkText(scene, isColored: isColored).lines
        writer.put(drawn.drawing(lines.map { cut($0, to: columns - 1) } + told))
    }

    private mutating func tell(_ sentence: String) {
        sentences.removeAll { $0.text == sentence }
        sentences = sentences.suffix(Self.sentenceLines) + [(sentence, nil)]
    }

    private mutating func withdraw(_ sentence: String) {
        sentences.removeAll { $0.text == sentence }
    }

    mutating func finish(_ scene: Scene?) async -> CommandFailure? {
        await writer.finish(with: scene.map { drawn.drawing([]) + Array($0.totals.utf8) } ?? [])
        return nil
    }
}

/// The lines of a recording in a terminal: a function of state and now.
struct WalkText {
    /// The lines, with colour codes if asked for.
    let lines: [String]

    /// Tells a scene.
    init(_ scene: Scene, isColored: Bool) {
        let (state, moment, report) = (scene.state, scene.moment, scene.report)
        func color(_ text: String, _ code: String) -> String {
            isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        let time = TimeText.duration(report?.activeMilliseconds ?? 0)
        let word =
            switch report?.state {
            case .running: color("recording", "32")
            case .paused: color("paused", "33")
            case .ended: "ended"
            case nil: Self.word(scene.phase)
            }
        var lines = ["pulselog · \(word) · \(time)"]
        lines.append(Self.heart(scene.strap, color))
        guard let report else {
            lines.append("Goal \(scene.goal.text)")
            if scene.phase == .settingUp {
                lines.append("The session begins with the first heart rate.")
                lines.append(color("g another goal  Return begin now  s stop", "2"))
            } else {
                lines.append(color("s stop", "2"))
            }
            self.lines = lines
            return
        }
        let energy = (report.energyCalories + 500) / 1_000
        let distance = report.distanceMillimetres.map(kilometres) ?? "– km"
        lines.append("Steps \(grouped(report.steps)) · \(distance) · \(energy) kcal")
        let today = state.live.stepsToday(at: moment)
        let daily = state.live.recorder.profile.dailyGoalSteps
        lines.append(
            "Today \(grouped(today))" + (daily.map { " of \(grouped($0))" } ?? "") + " steps")
        lines.append(
            "Elapsed \(TimeText.duration(report.elapsedMilliseconds)) · paused "
                + TimeText.duration(report.pausedMilliseconds)
                + (report.heartRate.mean.map { " · mean \($0) BPM" } ?? ""))
        if let goal = report.goal { lines.append(Self.goal(goal, report, color)) }
        lines.append(color("p pause  r resume  m mark  f refresh  s stop", "2"))
        self.lines = lines
    }

    /// What goes on while there is no session to tell of.
    private static func word(_ phase: RecordingLife.Phase) -> String {
        switch phase {
        case .settingUp: "ready"
        case .starting, .recording: "starting"
        case .ending, .failed, .ended: "ending"
        }
    }

    private static func heart(
        _ strap: StrapStatus, _ color: (String, String) -> String
    ) -> String {
        // The name comes last: in a narrow terminal it is the first to be cut.
        let name = strap.title.map { [$0] } ?? []
        guard strap.word == .connected else {
            return ([color("♥ – BPM", "90"), strap.word.text] + name).joined(separator: " · ")
        }
        let bpm = strap.heartRateBPM.map { "\($0)" } ?? "–"
        var parts = [color("♥ \(bpm) BPM", "31"), strap.word.text]
        if strap.isWithoutContact { parts.append(color("no contact", "33")) }
        if strap.isSilent { parts.append("silent") }
        if let battery = strap.batteryPercent {
            let isLow = battery <= Narrator.lowBatteryPercents.max() ?? 0
            let text = "battery \(battery) %"
            parts.append(isLow ? color(text + ", low", "33") : text)
        }
        parts += name
        return parts.joined(separator: " · ")
    }

    private static func goal(
        _ goal: Goal, _ report: SessionReport, _ color: (String, String) -> String
    ) -> String {
        let progress = min(report.goalProgress ?? 0, goal.target)
        let cells = goal.target > 0 ? Int(progress * 20 / goal.target) : 0
        let bar = String(repeating: "█", count: cells) + String(repeating: "░", count: 20 - cells)
        let share = goal.target > 0 ? progress * 100 / goal.target : 0
        let turn = report.outAndBack && report.isTurnAroundReached ? " · turn around" : ""
        let end = report.isGoalReached ? color(" · reached", "32") : turn
        return "Goal \(bar) \(share) %\(end)"
    }
}
