internal import EventStore
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import TamperEvidence

/// How a recording is shown: everything it shows is durable.
protocol RecordingView {
    /// Whether keys act on the recording.
    var wantsKeys: Bool { get }
    /// Shows a state as of a moment.
    mutating func show(_ state: LogState, session: Position?, at moment: Moment)
    /// Tells the walker something.
    mutating func tell(_ sentence: String)
    /// Shows the session's totals at the end.
    mutating func finish(_ state: LogState, session: Position?, at moment: Moment)
}

extension OutputMode {
    /// The view for this way of showing.
    func view(of store: Store, from start: Position) -> any RecordingView {
        switch self {
        case .terminal(let isColored): TerminalView(isColored: isColored)
        case .lines: LineView(store: store, next: start, json: false)
        case .json: LineView(store: store, next: start, json: true)
        }
    }
}

/// A line for each durable event, as it stands in the log; then the session.
struct LineView: RecordingView {
    let store: Store
    /// The position of the first event not yet shown.
    var next: Position
    let json: Bool

    var wantsKeys: Bool { false }

    mutating func show(_ state: LogState, session: Position?, at moment: Moment) {
        let printer = EventPrinter(
            json: json, zoneOffsetMinutes: state.live.recorder.zoneOffsetMinutes)
        let end = state.head.map { $0 + 1 } ?? 0
        guard next < end else { return }
        do throws(EventLogError) {
            var lines: [UInt8] = []
            for event in try store.log.events(in: next..<end) { lines += printer.line(event) }
            next = end
            Output.standard.write(lines)
        } catch {
            // The recorder meets the same failure and ends with it.
            tell(error.description)
        }
    }

    func tell(_ sentence: String) {
        Output.standardError.write("pulselog: \(sentence)\n")
    }

    mutating func finish(_ state: LogState, session: Position?, at moment: Moment) {
        show(state, session: session, at: moment)
        guard let session, let report = state.sessionReport(session, at: moment) else { return }
        let digest = StateDigest(ofCanonicalBytes: state.canonicalBytes()).description
        if json {
            Output.standard.write(
                JSONWriter.line {
                    $0.field("session", report)
                    $0.field("digest", digest)
                })
        } else {
            let zone = state.live.recorder.zoneOffsetMinutes
            let lines = SessionText(report, offsetMinutes: zone).lines
            Output.standard.write(lines.joined(separator: "\n") + "\n\(digest)\n")
        }
    }
}
