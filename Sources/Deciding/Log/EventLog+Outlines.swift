package import EventStore
package import Events
package import Projections

extension EventLog {
    /// The outlines of all walks that have ended: those that were kept, and what came since.
    ///
    /// Events are read from the first walk on whose outline is missing. What was made is kept, if
    /// it can be, also where reading ends before all of it was.
    ///
    /// - Parameters:
    ///   - state: The state after the last event.
    ///   - kept: Where the log's snapshot is, and outlines are as well; nil for nowhere.
    ///   - stateBefore: The state before a position.
    ///   - goesOn: Called before each walk that is read, with how many were read and how many are
    ///     to be; whether to go on.
    /// - Returns: The outlines.
    /// - Throws: `EventLogError`; `cancelled` if `goesOn` says no.
    package func outlines(
        of state: LogState, in kept: (any SnapshotStore)?,
        after stateBefore: (Position) throws(EventLogError) -> LogState,
        goesOn: (Int, Int) -> Bool = { _, _ in true }
    ) throws(EventLogError) -> WalkOutlines {
        var outlines = keptOutlines(in: kept) ?? WalkOutlines()
        let missing = outlines.missing(of: state.sessionReports(at: state.lastMoment))
        guard let first = missing.first else { return outlines }
        // Whoever asked may be gone at the end, and then nothing can be read.
        let last = state.head.flatMap(bytes)
        defer { keep(outlines, of: state, last, in: kept) }
        var before = try stateBefore(first.position)
        for (index, walk) in missing.enumerated() {
            guard goesOn(index, missing.count) else { throw EventLogError(.cancelled) }
            // Another source's walk may have begun before this one ended.
            if before.next > walk.position { before = try stateBefore(walk.position) }
            try fold(from: before.next, until: walk.position, into: &before)
            let series = try series(of: walk, after: before, until: state.next)
            outlines.take(WalkOutline(walk, series))
            before = series.state
        }
        return outlines
    }

    /// The outline of a walk: the one that was kept, or one that is made of its events.
    ///
    /// - Parameters:
    ///   - walk: The walk.
    ///   - kept: Where the log's snapshot is, and outlines are as well; nil for nowhere.
    ///   - end: The position to stop before.
    ///   - stateBefore: The state before a position.
    /// - Returns: The outline.
    /// - Throws: `EventLogError`.
    package func outline(
        of walk: SessionReport, in kept: (any SnapshotStore)?, until end: Position,
        after stateBefore: (Position) throws(EventLogError) -> LogState
    ) throws(EventLogError) -> WalkOutline {
        let outlines = keptOutlines(in: kept) ?? WalkOutlines()
        if let outline = outlines[walk.position], outlines.missing(of: [walk]).isEmpty {
            return outline
        }
        let before = try stateBefore(walk.position)
        return WalkOutline(walk, try series(of: walk, after: before, until: end))
    }

    /// Holds the outlines that were kept against the events.
    ///
    /// - Parameters:
    ///   - state: The state after the last event.
    ///   - kept: Where the log's snapshot is, and outlines are as well.
    ///   - stateBefore: The state before a position.
    ///   - goesOn: As for ``outlines(of:in:after:goesOn:)``.
    /// - Returns: Where the first walk began whose outline is not what its events give; nil if
    ///   there is none.
    /// - Throws: `EventLogError`; `cancelled` if `goesOn` says no.
    package func wrongOutline(
        of state: LogState, in kept: any SnapshotStore,
        after stateBefore: (Position) throws(EventLogError) -> LogState,
        goesOn: (Int, Int) -> Bool
    ) throws(EventLogError) -> Position? {
        guard let old = keptOutlines(in: kept) else { return nil }
        let made = try outlines(of: state, in: nil, after: stateBefore, goesOn: goesOn)
        // Those of walks whose straps were left out since are made anew before anybody sees them.
        let stale = old.missing(of: state.sessionReports(at: state.lastMoment)).map(\.position)
        // Another process may know walks that have ended meanwhile.
        return old.positions.first { position in
            made[position].map { !stale.contains(position) && old[position] != $0 } ?? false
        }
    }

    /// What makes outlines what they are: their version and that of the folds.
    private static var outlinesKey: [UInt8] {
        Array("outlines \(WalkOutlines.version) of folds \(LogState.version)".utf8)
    }

    private func keptOutlines(in kept: (any SnapshotStore)?) -> WalkOutlines? {
        let snapshot = kept?.beside(.outlines)?.read { head in
            head.key == Self.outlinesKey && isOfLog(head.next, head.lastEvent)
        }
        guard let snapshot else { return nil }
        do throws(DamagedState) {
            return try WalkOutlines(bytes: snapshot.state)
        } catch {
            return nil
        }
    }

    private func keep(
        _ outlines: WalkOutlines, of state: LogState, _ last: [UInt8]?,
        in kept: (any SnapshotStore)?
    ) {
        guard let head = state.head, let last else { return }
        kept?.beside(.outlines)?.write(
            Snapshot(
                Snapshot.Head(key: Self.outlinesKey, next: head + 1, lastEvent: last),
                state: outlines.bytes()))
    }
}
