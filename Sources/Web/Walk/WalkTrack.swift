internal import EventStore
internal import Events
internal import JSON
internal import Projections
internal import Recording
internal import Synchronization
internal import Threads
internal import WalkService
internal import Words

/// The track and the marks of the walk that goes on: what counts of it, folded once for all pages.
final class WalkTrack: Sendable {
    /// The most points that are sent at once.
    private static let portion = 2_000

    private let service: WalkService
    /// What is live does not wait for what was.
    private let thread = ReadingThread(label: "track")
    private let series = Mutex<SessionSeries?>(nil)

    init(_ service: WalkService) {
        self.service = service
    }

    /// What a page has of it.
    struct Sent: Hashable, Sendable {
        fileprivate var session: Position?
        fileprivate var points = 0
        fileprivate var marks = 0
        /// What there was when it was looked at last: nothing else changes a track.
        fileprivate var fixes: UInt64 = 0
        fileprivate var allMarks: UInt64 = 0
    }

    /// What is new of it since a page was sent something.
    ///
    /// - Returns: Messages, each with its end; nothing while nothing is new.
    func messages(
        _ scene: Scene, after sent: inout Sent
    ) async throws(EventLogError) -> [[UInt8]] {
        guard let open = scene.state.own.sessions.open, let head = scene.state.head else {
            series.withLock { $0 = nil }
            sent = Sent()
            return []
        }
        let (fixes, marks) = (scene.state.own.recorder.fixes, open.marks)
        let isNew = sent.session != open.position
        guard isNew || sent.fixes != fixes || sent.allMarks != marks else { return [] }
        if isNew { sent = Sent(session: open.position) }
        (sent.fixes, sent.allMarks) = (fixes, marks)
        guard let report = scene.state.sessionReport(open.position, at: scene.moment) else {
            return []
        }
        let before = sent
        let (messages, after) = try await service.history(on: thread) {
            [self] () throws(EventLogError) in
            try news(of: report, until: head + 1, before, isNew: isNew)
        }
        sent = after
        return messages
    }

    private func news(
        of report: SessionReport, until end: Position, _ sent: Sent, isNew: Bool
    ) throws(EventLogError) -> ([[UInt8]], Sent) {
        var sent = sent
        var messages: [[UInt8]] = []
        try series.withLock { (series) throws(EventLogError) in
            var current =
                series?.session == report.position
                ? series : try service.log.series(of: report, until: end)
            series = nil  // It is alone in its place: nothing of it is copied.
            if let next = current?.state.next {
                try service.log.read(from: next, until: end) { event in
                    current?.evolve(event)
                    return true
                }
            }
            series = current
            guard let current else { return }
            repeat {
                let until = min(sent.points + Self.portion, current.points.count)
                // A mark stands where the walker was: it waits for the first point.
                let marks = until == 0 ? sent.marks : current.marks.count
                guard isNew || until > sent.points || marks > sent.marks else { return }
                messages.append(Self.message(current, sent, until, marks))
                (sent.points, sent.marks) = (until, marks)
            } while sent.points < current.points.count
        }
        return (messages, sent)
    }

    private static func message(
        _ series: SessionSeries, _ sent: Sent, _ points: Int, _ marks: Int
    ) -> [UInt8] {
        let line = JSONWriter.line { json in
            json.field("walk", series.session)
            json.field("from", sent.points)
            json.field("points", series.points[sent.points..<points].map(TrackPlace.init))
            json.list("marks", sent.marks..<marks) { series.writeMark($1, to: &$0) }
        }
        return Array("event: track\ndata: ".utf8) + line + [0x0A]
    }
}
