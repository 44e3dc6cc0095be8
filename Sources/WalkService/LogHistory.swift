package import Certification
internal import Deciding
package import EventStore
package import Events
package import Projections
internal import Synchronization

/// The log for those who look back.
///
/// Reading ends as soon as the task that reads is cancelled: nothing is read for somebody who has
/// gone. It begins with the states that are kept along the log, and keeps those that it passes, so
/// that how things stood at any time is known within some milliseconds.
package final class LogHistory: ForwardingLog {
    package let behind: any EventLog
    private let snapshots: (any SnapshotStore)?
    /// States along the log; nil until somebody asks for one.
    private let kept: Mutex<EarlierStates?>
    /// Certifiers along the log, likewise.
    private let certifiers = Mutex<Certifiers?>(nil)
    private let times = Mutex(TimeIndex())

    init(
        _ log: any EventLog, _ snapshots: (any SnapshotStore)?, earlier: EarlierStates? = nil
    ) {
        behind = log
        self.snapshots = snapshots
        kept = Mutex(earlier)
    }

    /// How many states are kept.
    var keptStates: Int { kept.withLock { $0?.count ?? 0 } }

    /// How things stood before a position.
    ///
    /// - Parameter end: The position to stop before.
    /// - Returns: What a fold from the first event on gives.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func state(until end: Position) throws(EventLogError) -> LogState {
        try state(until: end, from: try earlier(until: end))
    }

    /// The states along the log up to a position.
    ///
    /// Those that are missing are made one after the other, so that others who ask meanwhile wait
    /// for one of them and have it.
    private func earlier(until end: Position) throws(EventLogError) -> EarlierStates {
        while true {
            let (earlier, isMore) = try kept.withLock { kept throws(EventLogError) in
                var earlier = kept ?? earlierStates(in: snapshots)
                defer { kept = earlier }
                let isMore = try keepNext(in: &earlier, until: end)
                return (earlier, isMore)
            }
            if !isMore { return earlier }
        }
    }

    /// When the events came; those that came since it was asked for last are read, and kept even
    /// if whoever asked has gone meanwhile.
    ///
    /// Events before a damaged block are kept; reading that block reports it.
    ///
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func timeIndex() throws(EventLogError) -> TimeIndex {
        var index = times.withLock { $0 }
        var failure: EventLogError?
        do throws(EventLogError) {
            try read(from: index.next) { event in
                index.count(event.header)
                return true
            }
        } catch {
            failure = error
        }
        times.withLock { [index] kept in
            if index.next > kept.next { kept = index }
        }
        if let failure, failure.code != .damaged || index.span == nil { throw failure }
        return index
    }

    /// The first event that is not before an instant, whatever order the log has.
    ///
    /// - Parameter time: UTC milliseconds since 1970.
    /// - Returns: Its position; that of the latest event if all came before.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func firstPosition(notBefore time: Int64) throws(EventLogError) -> Position {
        let index = try timeIndex()
        var found = (time: Int64.max, position: index.latest)
        for run in index.runs
        where run.times.upperBound >= time && max(run.times.lowerBound, time) < found.time {
            guard run.times.lowerBound < time else {
                found = (run.times.lowerBound, run.positions.lowerBound)
                continue
            }
            let event = try events(in: run.positions).first {
                (time..<found.time).contains($0.header.stamp.wallMilliseconds)
            }
            if let event {
                found = (event.header.stamp.wallMilliseconds, event.header.position)
            }
        }
        return found.position
    }

    /// The last event that is before an instant, whatever order the log has.
    ///
    /// - Parameter time: UTC milliseconds since 1970.
    /// - Returns: Its position; nil without one.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func lastPosition(before time: Int64) throws(EventLogError) -> Position? {
        var found: (time: Int64, position: Position)?
        for run in try timeIndex().runs where run.times.lowerBound < time {
            var last = (time: run.times.upperBound, position: run.positions.upperBound - 1)
            if last.time >= time {
                let event = try events(in: run.positions).last {
                    $0.header.stamp.wallMilliseconds < time
                }
                guard let header = event?.header else { continue }
                last = (header.stamp.wallMilliseconds, header.position)
            }
            if last.time >= found?.time ?? .min { found = last }
        }
        return found?.position
    }

    /// Reads what the figures of a session are made of.
    ///
    /// - Parameters:
    ///   - session: A session of this log.
    ///   - end: The position to stop before.
    /// - Returns: Its samples and its track.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func series(
        of session: SessionReport, until end: Position
    ) throws(EventLogError) -> SessionSeries {
        try series(of: session, after: try state(until: session.position), until: end)
    }

    /// The outlines of all walks that have ended; those that came since they were asked for last
    /// are read, and kept even if whoever asked has gone meanwhile.
    ///
    /// - Parameter state: The state after the last event.
    /// - Returns: The outlines.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func outlines(of state: LogState) throws(EventLogError) -> WalkOutlines {
        try outlines(of: state, in: snapshots) { end throws(EventLogError) in
            try self.state(until: end)
        }
    }

    /// The outline of a walk.
    ///
    /// - Parameters:
    ///   - walk: The walk.
    ///   - end: The position to stop before.
    /// - Returns: The one that was kept, or one that is made of its events.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func outline(
        of walk: SessionReport, until end: Position
    ) throws(EventLogError) -> WalkOutline {
        try outline(of: walk, in: snapshots, until: end) { end throws(EventLogError) in
            try state(until: end)
        }
    }

    /// The audit of a day: only the stretches that made it are read.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - last: The state at the position to stop before.
    /// - Returns: Its staircase, and whether a second calculation agrees with it.
    /// - Throws: `EventLogError`; `cancelled` if whoever asked has gone.
    package func audit(
        _ date: CivilDate, until last: LogState
    ) throws(EventLogError) -> (
        staircase: [StepsChange], certified: Result<[Certificate], CounterExample>
    ) {
        let earlier = try earlier(until: last.next)
        var along = try certifiers.withLock { kept throws(EventLogError) in
            var along = kept ?? certifiers(in: snapshots)
            defer {
                keep(&along, in: snapshots)
                kept = along
            }
            _ = try certifier(before: last.next, from: &along)
            return along
        }
        var staircase: [StepsChange] = []
        let certified = try certify(date, until: last, from: earlier, &along) { change in
            staircase.add(change)
        }
        return (staircase, certified)
    }

    // MARK: - EventLog

    package func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try behind.readBlocks(from: start) { block in !Task.isCancelled && body(block) }
        if Task.isCancelled { throw EventLogError(.cancelled) }
    }
}
