internal import EventStore
internal import Events
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
    /// Whether somebody still reads standard output; the recording goes on without.
    private var isRead = true

    /// Makes a view that begins at a position.
    init(store: Store, next: Position, json: Bool) {
        self.store = store
        self.next = next
        self.json = json
    }

    var wantsKeys: Bool { false }

    mutating func show(_ state: LogState, session: Position?, at moment: Moment) {
        let printer = EventPrinter(json: json)
        let end = state.head.map { $0 + 1 } ?? 0
        guard next < end, isRead else { return }
        do throws(EventLogError) {
            var lines: [UInt8] = []
            for event in try store.log.events(in: next..<end) { lines += printer.line(event) }
            next = end
            write(lines)
        } catch {
            // The recorder meets the same failure and ends with it.
            tell(error.description)
        }
    }

    func tell(_ sentence: String) {
        _ = Output.standardError.offer(Array("pulselog: \(sentence)\n".utf8))
    }

    private mutating func write(_ bytes: [UInt8]) {
        guard isRead, !Output.standard.offer(bytes) else { return }
        isRead = false
        tell("Nobody reads the output any more; the recording goes on.")
    }

    mutating func finish(_ state: LogState, session: Position?, at moment: Moment) {
        show(state, session: session, at: moment)
        guard let session, let report = state.sessionReport(session, at: moment) else { return }
        let digest = StateDigest(ofCanonicalBytes: state.canonicalBytes()).description
        if json {
            write(
                JSONWriter.line {
                    $0.field("session", report)
                    $0.field("digest", digest)
                })
        } else {
            let zone = state.live.recorder.zoneOffsetMinutes
            let lines = SessionText(report, offsetMinutes: zone).lines
            write(Array((lines.joined(separator: "\n") + "\n\(digest)\n").utf8))
        }
    }
}
