internal import Deciding
package import EventStore
package import Events
package import Interchange
package import Projections
internal import Words

extension EventLog {
    /// Reads walks as they leave, each when it ends, in one pass: what stands in memory is one
    /// walk.
    ///
    /// What is cleaned is folded like any other log, so that no format knows of it: once for the
    /// reports, of which what is said after a walk's end is a part, and once for the walks. Its
    /// positions count from 0.
    ///
    /// - Parameters:
    ///   - sessions: The walks, in order of position.
    ///   - excerpt: The part of the log that is read if nothing is to show whose they are; nil for
    ///     all of it. Dates count from its first day.
    ///   - anonymity: What becomes of positions then; nil if everything may be shown.
    ///   - snapshots: Where the log's snapshot may be.
    ///   - check: Called before each event, to end the export by an error.
    ///   - take: Takes a walk, and its position in the log.
    /// - Throws: `EventLogError`, what `check` and `take` throw, and after all others
    ///   ``CommandFailure`` for a walk whose beginning does not leave.
    package func exportWalks(
        _ sessions: [SessionReport], excerpt: SessionExcerpt? = nil, anonymity: Anonymity.Track?,
        from snapshots: some SnapshotStore, check: () throws -> Void,
        _ take: (WalkFile, Position) throws -> Void
    ) throws {
        guard let first = sessions.first else { return }
        var leaving = try LeavingEvents(of: self, excerpt, anonymity)
        var pass: WalkPass
        var missing: Position?
        if anonymity == nil {
            pass = WalkPass(try folded(until: first.position, from: snapshots).state)
            for session in sessions { pass.waiting[session.position] = (session, session.position) }
        } else {
            pass = WalkPass(LogState())
            var (cleaned, state) = (leaving, LogState())
            try cleaned.read(self) { event in
                try check()
                state.evolve(event)
                return true
            }
            for session in sessions {
                let place = cleaned.sessions[session.position]
                if let place, let report = state.sessionReport(place, at: state.lastMoment) {
                    pass.waiting[place] = (report, session.position)
                } else {
                    // What was not cleaned must not leave in its place.
                    missing = missing ?? session.position
                }
            }
        }
        try leaving.read(self, from: pass.state.next) { event in
            try check()
            try pass.evolve(event, take)
            return !pass.isDone
        }
        try pass.finish(take)
        missing = missing ?? pass.waiting.values.map(\.1).min()
        if let missing {
            throw CommandFailure(
                .internalError,
                "The walk at \(missing) was not written: its beginning does not leave.")
        }
    }
}

/// A pass over a log.
private struct WalkPass {
    /// The walks that have not begun, by their positions, with those that they have in the log.
    var waiting: [Position: (SessionReport, Position)] = [:]
    /// The state between walks: within one its series has it.
    private(set) var state: LogState
    /// The walks that have begun and not ended; several only if a source left one open.
    private var open: [(report: SessionReport, position: Position, series: SessionSeries)] = []

    init(_ state: LogState) { self.state = state }

    /// Whether all were taken.
    var isDone: Bool { waiting.isEmpty && open.isEmpty }

    /// Takes the next event.
    mutating func evolve(
        _ event: borrowing EventView, _ take: (WalkFile, Position) throws -> Void
    ) throws {
        let header = event.header
        if header.kind == .sessionStarted,
            let (report, position) = waiting.removeValue(forKey: header.position)
        {
            let before = open.first?.series.state ?? state
            open.append(
                (
                    report, position,
                    SessionSeries(of: header.position, report.provenance, after: before)
                ))
            state = LogState()  // The series has it alone: nothing of it is copied.
        }
        guard !open.isEmpty else {
            state.evolve(event)
            return
        }
        for index in open.indices { open[index].series.evolve(event) }
        switch header.kind {
        case .characteristicNotified, .pedometerRead, .positionFixed: return
        default: break
        }
        while let index = open.firstIndex(where: { !$0.series.isOpen }) {
            let walk = open.remove(at: index)
            if open.isEmpty { state = walk.series.state }
            try hand(walk, take)
        }
    }

    /// Hands over what is still open at the end of the log.
    mutating func finish(_ take: (WalkFile, Position) throws -> Void) throws {
        for walk in open { try hand(walk, take) }
        open = []
    }

    private func hand(
        _ walk: (report: SessionReport, position: Position, series: SessionSeries),
        _ take: (WalkFile, Position) throws -> Void
    ) throws {
        var series = walk.series
        // It may have been said after the walk's end.
        series.excludedStraps = walk.report.excludedStraps
        try take(WalkFile(walk.report, series), walk.position)
    }
}
