package import EventStore
package import Events
package import Projections

extension EventLog {
    /// Folds the events from a position on into a projection.
    ///
    /// - Parameters:
    ///   - start: The first position to fold.
    ///   - end: The position to stop before; nil for the end of the log.
    ///   - projection: The state after the event before `start`.
    /// - Throws: `EventLogError`; the projection then holds the events before the fault.
    package func fold<Folded: Projection>(
        from start: Position = 0, until end: Position? = nil, into projection: inout Folded
    ) throws(EventLogError) {
        let end = end ?? .max
        guard start < end else { return }
        try openBlocks(from: start) { block throws(DamagedBlock) in
            let next = try BlockReader.heads(of: block).next
            if next <= end {
                try projection.evolve(block: block, from: start)
            } else {
                // Nothing after the end is looked at: it may be damaged.
                try BlockReader.forEach(in: block, from: start) { event in
                    guard event.header.position < end else { return false }
                    projection.evolve(event)
                    return true
                }
            }
            return next < end
        }
    }

    /// Reads what the figures of a session are made of.
    ///
    /// - Parameters:
    ///   - session: A session of this log.
    ///   - state: How things stood before the session.
    ///   - end: The position to stop before; nil for the end of the session.
    /// - Returns: Its samples and its track.
    /// - Throws: `EventLogError`.
    package func series(
        of session: SessionReport, after state: LogState, until end: Position? = nil
    ) throws(EventLogError) -> SessionSeries {
        var series = SessionSeries(of: session.position, session.provenance, after: state)
        try read(from: session.position, until: end ?? .max) { event in
            series.evolve(event)
            return series.isOpen
        }
        // It may have been said after the session's end.
        series.excludedStraps = session.excludedStraps
        return series
    }
}
