public import EventStore
public import Events
public import Projections

extension EventLog {
    /// Folds the events from a position on into a projection.
    ///
    /// - Parameters:
    ///   - start: The first position to fold.
    ///   - end: The position to stop before; nil for the end of the log.
    ///   - projection: The state after the event before `start`.
    /// - Throws: `EventLogError`; the projection then holds the events before the fault.
    @inlinable
    public func fold<Folded: Projection>(
        from start: Position = 0, until end: Position? = nil, into projection: inout Folded
    ) throws(EventLogError) {
        guard let end else { return try foldBlocks(from: start, into: &projection) }
        guard start < end else { return }
        // Nothing after the end is looked at: it may be damaged.
        try read(from: start) { event in
            guard event.header.position < end else { return false }
            projection.evolve(event)
            return event.header.position + 1 < end
        }
    }

    /// Reads what the figures of a session are made of.
    ///
    /// - Parameters:
    ///   - session: A session of this log.
    ///   - end: The position to stop before; nil for the end of the session.
    ///   - snapshots: Where a snapshot may be, of what stands before the session.
    /// - Returns: Its samples and its track.
    /// - Throws: `EventLogError`.
    public func series(
        of session: SessionReport, until end: Position? = nil,
        from snapshots: (any SnapshotStore)? = nil
    ) throws(EventLogError) -> SessionSeries {
        let state = try folded(until: session.position, from: snapshots).state
        var series = SessionSeries(of: session.position, session.provenance, after: state)
        try read(from: session.position) { event in
            guard event.header.position < end ?? .max else { return false }
            series.evolve(event)
            return series.isOpen
        }
        return series
    }

    /// Folds to the end of the log, block by block.
    @usableFromInline
    func foldBlocks<Folded: Projection>(
        from start: Position, into projection: inout Folded
    ) throws(EventLogError) {
        var damage: DamagedBlock?
        try readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                try projection.evolve(block: block, from: start)
                return true
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
    }
}
