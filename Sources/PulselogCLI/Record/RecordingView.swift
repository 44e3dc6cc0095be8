internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import TamperEvidence

/// What a view shows: all of it is durable, but for what the central is doing.
struct Scene {
    let state: LogState
    /// The session that the recording is about, once it is open.
    let session: Position?
    let moment: Moment
    let strap: StrapStatus
    /// What a session that is still to begin will have as its goal.
    let goal: Goal
    /// The events since the scene before.
    let events: [RecordedEvent]

    /// The session's totals.
    var report: SessionReport? { session.flatMap { state.sessionReport($0, at: moment) } }
}

/// How a recording is shown.
protocol RecordingView {
    /// Whether keys act on the recording.
    var wantsKeys: Bool { get }
    /// Shows a scene.
    mutating func show(_ scene: Scene)
    /// Tells the walker something.
    mutating func tell(_ sentence: String)
    /// Shows the session's totals at the end.
    mutating func finish(_ scene: Scene)
}

extension OutputMode {
    /// The view for this way of showing.
    var view: any RecordingView {
        switch self {
        case .terminal(let isColored): TerminalView(isColored: isColored)
        case .lines: LineView(json: false)
        case .json: LineView(json: true)
        }
    }
}

/// A line for each durable event, as it stands in the log; then the session.
///
/// As JSON there is also a line `{"connection":{…}}` whenever more changes of the strap than its
/// heart rate.
struct LineView: RecordingView {
    let json: Bool
    /// Whether somebody still reads standard output; the recording goes on without.
    private var isRead = true
    /// The strap as it was told last.
    private var strap: StrapStatus?

    /// Makes a view that has shown nothing.
    init(json: Bool) {
        self.json = json
    }

    var wantsKeys: Bool { false }

    mutating func show(_ scene: Scene) {
        let printer = EventPrinter(json: json)
        var lines = scene.events.flatMap { printer.line($0) }
        if json, strap?.isLike(scene.strap) != true {
            lines += JSONWriter.line { $0.field("connection", scene.strap) }
            strap = scene.strap
        }
        if !lines.isEmpty, isRead { write(lines) }
    }

    func tell(_ sentence: String) {
        _ = Output.standardError.offer(Array("pulselog: \(sentence)\n".utf8))
    }

    private mutating func write(_ bytes: [UInt8]) {
        guard isRead, !Output.standard.offer(bytes) else { return }
        isRead = false
        tell("Nobody reads the output any more; the recording goes on.")
    }

    mutating func finish(_ scene: Scene) {
        show(scene)
        guard let report = scene.report else { return tell("No session was begun.") }
        let digest = StateDigest(ofCanonicalBytes: scene.state.canonicalBytes()).description
        if json {
            write(
                JSONWriter.line {
                    $0.field("session", report)
                    $0.field("digest", digest)
                })
        } else {
            let zone = scene.state.live.recorder.zoneOffsetMinutes
            let lines = SessionText(report, offsetMinutes: zone).lines
            write(Array((lines.joined(separator: "\n") + "\n\(digest)\n").utf8))
        }
    }
}
