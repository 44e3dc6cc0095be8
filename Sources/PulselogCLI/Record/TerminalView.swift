internal import Events
internal import Interchange
internal import Projections

/// The recording in a terminal, redrawn in place.
struct TerminalView: RecordingView {
    /// How long a sentence stays.
    private static let sentenceMilliseconds: UInt64 = 15_000

    private let isColored: Bool
    private var drawnLines = 0
    private var sentence = ""
    /// When the sentence was told, on the boot clock, once it was drawn.
    private var toldAt: UInt64?

    var wantsKeys: Bool { true }

    /// Makes a view.
    init(isColored: Bool) {
        self.isColored = isColored
    }

    mutating func show(_ state: LogState, session: Position?, at moment: Moment) {
        let columns = Output.standard.size.columns
        let lines = WalkText(state, session: session, at: moment, isColored: isColored).lines
        let now = moment.stamp.bootMilliseconds
        toldAt = toldAt ?? now
        let isOld = now > (toldAt ?? now) + Self.sentenceMilliseconds
        draw((lines + [isOld ? "" : sentence]).map { Self.cut($0, to: columns) })
    }

    mutating func tell(_ sentence: String) {
        self.sentence = sentence
        toldAt = nil
    }

    mutating func finish(_ state: LogState, session: Position?, at moment: Moment) {
        draw([])
        guard let session, let report = state.sessionReport(session, at: moment) else { return }
        let zone = state.live.recorder.zoneOffsetMinutes
        let lines = SessionText(report, offsetMinutes: zone).lines
        _ = Output.standard.offer(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Replaces what was drawn before.
    private mutating func draw(_ lines: [String]) {
        var text = drawnLines > 0 ? "\r\u{1B}[\(drawnLines)A" : "\r"
        for line in lines { text += line + "\u{1B}[K\r\n" }
        text += "\u{1B}[J"
        drawnLines = lines.count
        // A terminal that went away ends nothing here; SIGHUP tells.
        _ = Output.standard.offer(Array(text.utf8))
    }

    /// The line's first characters, colour codes not counted.
    private static func cut(_ line: String, to columns: Int) -> String {
        var result = ""
        var count = 0
        var isCode = false
        for character in line {
            if character == "\u{1B}" { isCode = true }
            if !isCode {
                count += 1
                if count >= columns { continue }
            }
            result.append(character)
            if isCode && character == "m" { isCode = false }
        }
        return result
    }
}

/// The lines of a recording in a terminal: a function of state and now.
struct WalkText {
    /// The lines, with colour codes if asked for.
    let lines: [String]

    /// Tells a session as of a moment.
    init(_ state: LogState, session: Position?, at moment: Moment, isColored: Bool) {
        let connection = ConnectionView(state, at: moment)
        let report = session.flatMap { state.sessionReport($0, at: moment) }
        func color(_ text: String, _ code: String) -> String {
            isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
        let time = TimeText.duration(report?.activeMilliseconds ?? 0)
        let word =
            switch report?.state {
            case .running: color("recording", "32")
            case .paused: color("paused", "33")
            case .ended: "ended"
            case nil: "ready"
            }
        var lines = ["pulselog · \(word) · \(time)"]
        lines.append(Self.heart(connection, state, color))
        guard let report else {
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

    private static func heart(
        _ connection: ConnectionView, _ state: LogState, _ color: (String, String) -> String
    ) -> String {
        let device = state.deviceReports().first { $0.id == connection.device }
        let name = device.map { printable($0.name ?? $0.id.description, limit: 24) }
        guard connection.status != .disconnected, let name else {
            let what = name.map { "\($0) · disconnected" } ?? "no strap yet"
            return color("♥ – BPM", "90") + " · \(what)"
        }
        let bpm = connection.heartRateBPM.map { "\($0)" } ?? "–"
        var parts = [color("♥ \(bpm) BPM", "31"), name]
        if connection.isWithoutContact { parts.append("no contact") }
        if connection.isSilent { parts.append("silent") }
        if let battery = device?.batteryPercent { parts.append("battery \(battery) %") }
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
