internal import Deciding
package import EventStore
package import Events
package import Interchange
package import Projections
internal import Words

/// Walks of a log as they leave, read in one pass over it: what stands in memory is one walk.
package struct WalkExport {
    private let sessions: [SessionReport]
    private let excerpt: SessionExcerpt?
    private let anonymity: Anonymity.Track?

    /// Says which walks are wanted.
    ///
    /// - Parameters:
    ///   - sessions: The walks, in order of position.
    ///   - excerpt: The part of the log that is read if nothing is to show whose they are; nil for
    ///     all of it. Dates count from its first day.
    ///   - anonymity: What becomes of positions then; nil if everything may be shown.
    package init(
        _ sessions: [SessionReport], excerpt: SessionExcerpt? = nil,
        anonymity: Anonymity.Track? = nil
    ) {
        (self.sessions, self.excerpt, self.anonymity) = (sessions, excerpt, anonymity)
    }

    /// Reads the walks, each when it ends.
    ///
    /// What is cleaned is folded like any other event, so that no format knows of it; its positions
    /// count from 0.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - snapshots: Where the log's snapshot may be.
    ///   - check: Called before each event, to end the export by an error.
    ///   - take: Takes a walk, and its position in the log.
    /// - Throws: `EventLogError`, and what `check` and `take` throw.
    package func run(
        _ log: any EventLog, from snapshots: some SnapshotStore, check: () throws -> Void,
        _ take: (WalkFile, Position) throws -> Void
    ) throws {
        guard let first = sessions.first else { return }
        var cleaner = try anonymity.map { try log.anonymity($0, of: excerpt) }
        var pass = Pass(
            sessions, isCleaned: cleaner != nil,
            after: cleaner == nil
                ? try log.folded(until: first.position, from: snapshots).state : LogState())
        var failure: (any Error)?
        try log.read(from: pass.state.next) { event in
            do {
                try check()
                let position = event.header.position
                guard cleaner != nil else {
                    try pass.evolve(event, from: position, take)
                    return !pass.isDone
                }
                guard excerpt?.holds(event) ?? true, var cleaned = cleaner?.cleaned(event),
                    pass.number(&cleaned)
                else { return true }
                var thrown: (any Error)?
                try cleaned.withView { event in
                    do { try pass.evolve(event, from: position, take) } catch { thrown = error }
                }
                if let thrown { throw thrown }
                return !pass.isDone
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try pass.finish(take)
    }

    /// A pass over a log.
    private struct Pass {
        private var waiting: ArraySlice<SessionReport>
        private let isCleaned: Bool
        /// The state between walks: within one its series has it.
        private(set) var state: LogState
        /// The walks that have begun and not ended; several only if a source left one open.
        private var open: [(report: SessionReport, series: SessionSeries)] = []

        init(_ sessions: [SessionReport], isCleaned: Bool, after state: LogState) {
            (waiting, self.isCleaned, self.state) = (sessions[...], isCleaned, state)
        }

        /// Where the sessions are that were cleaned.
        private var numbers: [Position: Position] = [:]

        /// Gives a cleaned event the next position.
        ///
        /// - Returns: Whether it can be told without naming an event that is not there.
        mutating func number(_ event: inout RecordedEvent) -> Bool {
            let next = open.first?.series.state.next ?? state.next
            if event.header.kind == .sessionStarted { numbers[event.header.position] = next }
            if case .deviceExcluded(var excluded) = event.event {
                guard let session = numbers[excluded.session] else { return false }
                excluded.session = session
                event.event = .deviceExcluded(excluded)
            }
            event.header.position = next
            return true
        }

        /// Whether all were taken.
        var isDone: Bool { waiting.isEmpty && open.isEmpty }

        /// Takes an event that is at a position of the log.
        mutating func evolve(
            _ event: borrowing EventView, from position: Position,
            _ take: (WalkFile, Position) throws -> Void
        ) throws {
            if let next = waiting.first, next.position == position {
                waiting.removeFirst()
                let before = open.first?.series.state ?? state
                let session = event.header.position
                open.append((next, SessionSeries(of: session, next.provenance, after: before)))
                state = LogState()  // The series has it alone: nothing of it is copied.
            }
            guard !open.isEmpty else { return state.evolve(event) }
            for index in open.indices { open[index].series.evolve(event) }
            switch event.header.kind {
            case .characteristicNotified, .pedometerRead, .positionFixed: return
            default: break
            }
            while let index = open.firstIndex(where: { !$0.series.isOpen }) {
                let (report, series) = open.remove(at: index)
                if open.isEmpty { state = series.state }
                try hand(report, series, take)
            }
        }

        /// Hands over what is still open at the end of the log.
        mutating func finish(_ take: (WalkFile, Position) throws -> Void) throws {
            for (report, series) in open { try hand(report, series, take) }
            open = []
        }

        private func hand(
            _ report: SessionReport, _ series: SessionSeries,
            _ take: (WalkFile, Position) throws -> Void
        ) throws {
            var series = series
            let shown = isCleaned ? try Self.cleaned(report, series) : report
            // It may have been said after the walk's end.
            series.excludedStraps = shown.straps.filter(\.isExcluded).map(\.device)
            try take(WalkFile(shown, series), report.position)
        }

        /// The report of a walk whose events were cleaned, without the straps that were left out
        /// after its end.
        private static func cleaned(
            _ report: SessionReport, _ series: SessionSeries
        ) throws -> SessionReport {
            let session = series.session
            var state = series.state
            for (index, strap) in report.straps.enumerated() {
                let moment = state.lastMoment
                guard let own = state.sessionReport(session, at: moment),
                    own.straps.indices.contains(index),
                    case let device = own.straps[index],
                    device.isExcluded != strap.isExcluded
                else { continue }
                var flags = moment.flags.subtracting(.simulated)
                if report.provenance == .simulated { flags.insert(.simulated) }
                let event = DeviceExcluded(
                    session: session, device: device.device, excluded: strap.isExcluded)
                let header = EventHeader(
                    position: state.next,
                    source: report.provenance.source,
                    stamp: moment.stamp, flags: flags, kind: .deviceExcluded, version: 1)
                try RecordedEvent(header: header, event: .deviceExcluded(event)).withView {
                    state.evolve($0)
                }
            }
            // What was not cleaned must not leave in its place.
            guard let own = state.sessionReport(session, at: state.lastMoment) else {
                throw CommandFailure(
                    .internalError, "The walk at \(report.position) cannot be made anonymous.")
            }
            return own
        }
    }
}
