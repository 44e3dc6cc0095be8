internal import EventStore
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import Recording
internal import TamperEvidence
internal import Words

/// How a recording is shown.
protocol RecordingView {
    /// Whether keys act on the recording.
    var wantsKeys: Bool { get }
    /// Shows a scene, with its events and its news.
    mutating func show(_ scene: Scene)
    /// Ends the view, with the session's totals; it waits a second for a reader who is slow.
    ///
    /// - Parameter scene: The end of the recording; nil if the log failed and there are no totals.
    /// - Returns: Why what somebody relies on was not written, or nil if it was.
    mutating func finish(_ scene: Scene?) async -> CommandFailure?
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
/// heart rate. A reader who stops reading holds up nothing: what does not fit is left out, and a
/// line, as JSON `{"omitted":N}`, stands in its place.
struct LineView: RecordingView {
    let json: Bool
    private let lines: StreamWriter
    private let sentences = StreamWriter.sentences()
    /// Whether it was said that the output cannot be written.
    private var isFailureTold = false
    /// The strap as it was told last.
    private var strap: StrapStatus?
    private var printer: EventPrinter

    /// Makes a view that has shown nothing.
    init(json: Bool) {
        self.json = json
        printer = EventPrinter(json: json)
        lines = StreamWriter(.standard) { omitted in
            guard json else {
                return Array("\(counted(omitted, "event")) left out: nobody read.\n".utf8)
            }
            return JSONWriter.line { $0.field("omitted", omitted) }
        }
    }

    var wantsKeys: Bool { false }

    mutating func show(_ scene: Scene) {
        // What was written stays: nothing is withdrawn.
        for case .said(let sentence) in scene.news { tell(sentence) }
        if scene.omitted > 0 {
            tell("\(counted(scene.omitted, "event")) and sentences were left out here.")
        }
        for event in scene.events { lines.put(printer.lines(event)) }
        if json, strap?.isLike(scene.strap) != true {
            lines.put(JSONWriter.line { $0.field("connection", scene.strap) })
            strap = scene.strap
        }
        tellFailure()
    }

    private func tell(_ sentence: String) {
        sentences.put(Array("pulselog: \(sentence)\n".utf8))
    }

    private mutating func tellFailure() {
        guard !isFailureTold, let failure = lines.failure else { return }
        isFailureTold = true
        let reason =
            failure == EPIPE ? "Nobody reads the output any more." : Output.failure(failure)
        tell("\(reason) The recording goes on.")
    }

    mutating func finish(_ scene: Scene?) async -> CommandFailure? {
        if let scene, scene.report == nil { tell("No session was begun.") }
        // Both at once: two readers who stopped reading take no longer than one.
        let sentences = sentences
        async let said = sentences.finish()
        let isWritten = await lines.finish(with: scene.map(totals) ?? [])
        _ = await said
        // Who closes a pipe has had enough.
        guard !isWritten, lines.failure != EPIPE else { return nil }
        let reason = lines.failure.map(Output.failure) ?? "Nobody read the output."
        return CommandFailure(
            .inputOutput,
            "\(reason) Its end is missing; the recording is whole: see `pulselog sessions`.")
    }

    /// The session's totals and the digest of the state.
    private func totals(_ scene: Scene) -> [UInt8] {
        guard let report = scene.report else { return [] }
        let digest = StateDigest(ofCanonicalBytes: scene.state.canonicalBytes()).description
        if json {
            return JSONWriter.line {
                $0.field("session", report)
                $0.field("digest", digest)
            }
        }
        let zone = scene.state.live.recorder.zoneOffsetMinutes
        let lines = SessionText(report, offsetMinutes: zone).lines
        return Array((lines.joined(separator: "\n") + "\n\(digest)\n").utf8)
    }
}
