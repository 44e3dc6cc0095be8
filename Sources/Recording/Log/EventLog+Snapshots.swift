public import EventStore
public import Events
internal import Interchange
public import Projections

/// When a snapshot is worth keeping.
public enum SnapshotRule {
    /// A fold of fewer events than this is done again: it takes some milliseconds.
    public static let events: UInt64 = 20_000
}

extension EventLog {
    /// Folds the log up to a position, or the whole of it, from the nearest snapshot on.
    ///
    /// - Parameters:
    ///   - end: The position to stop before; nil for the end of the log.
    ///   - snapshots: Where a snapshot may be, and where one is kept if the fold was a long one.
    /// - Returns: The state; what a fold from the first event on gives.
    /// - Throws: `EventLogError`.
    public func state(
        until end: Position? = nil, from snapshots: (any SnapshotStore)?
    ) throws(EventLogError) -> LogState {
        var state = savedState(until: end, in: snapshots)
        let saved = state.events
        try fold(from: state.head.map { $0 + 1 } ?? 0, until: end, into: &state)
        if end == nil { save(state, after: saved, in: snapshots) }
        return state
    }

    /// Folds the whole log from its first event on, and keeps what comes of it in the place of a
    /// snapshot that is there.
    ///
    /// - Parameter snapshots: Where a snapshot may be; it is not looked into.
    /// - Returns: The state.
    /// - Throws: `EventLogError`.
    public func rebuiltState(in snapshots: any SnapshotStore) throws(EventLogError) -> LogState {
        let state = try state(from: nil)
        if !save(state, after: 0, in: snapshots), snapshots.read() != nil {
            save(state, in: snapshots)
        }
        return state
    }

    /// The state of a snapshot of this log, or that before the first event.
    ///
    /// - Parameters:
    ///   - rules: What the folds go by.
    ///   - end: The position that it must not be beyond; nil for any.
    ///   - snapshots: Where a snapshot may be; one of other rules, of another version or of another
    ///     log, one that is ahead of this log, and one that is no state, is passed over.
    /// - Returns: A state to fold on from.
    func savedState(
        _ rules: Rules = Rules(), until end: Position? = nil, in snapshots: (any SnapshotStore)?
    ) -> LogState {
        guard let snapshot = snapshots?.read(), snapshot.key == LogState.snapshotKey(rules),
            snapshot.next > 0, snapshot.next <= end ?? .max,
            line(at: snapshot.next - 1) == snapshot.lastLine
        else { return LogState(rules: rules) }
        do throws(DamagedState) {
            let state = try LogState(canonicalBytes: snapshot.state.span)
            return state.head == snapshot.next - 1 ? state : LogState(rules: rules)
        } catch {
            return LogState(rules: rules)
        }
    }

    /// Keeps a state of this log, if many events were folded since the last one that was kept.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - saved: How many events were folded then.
    ///   - snapshots: Where it is kept.
    /// - Returns: Whether it was far enough.
    @discardableResult
    func save(
        _ state: LogState, after saved: UInt64, in snapshots: (any SnapshotStore)?
    ) -> Bool {
        guard let snapshots, state.events >= saved + SnapshotRule.events else { return false }
        save(state, in: snapshots)
        return true
    }

    private func save(_ state: LogState, in snapshots: any SnapshotStore) {
        guard let head = state.head, let line = line(at: head) else { return }
        snapshots.write(
            Snapshot(
                key: LogState.snapshotKey(state.rules), next: head + 1, lastLine: line,
                state: state.canonicalBytes()))
    }

    /// An event as a line; nil if it is not there, or cannot be read.
    private func line(at position: Position) -> [UInt8]? {
        do throws(EventLogError) {
            return try events(in: position..<position + 1).first?.jsonLine
        } catch {
            return nil
        }
    }
}

extension LogState {
    /// The projection, its version and its rules.
    fileprivate static func snapshotKey(_ rules: Rules) -> [UInt8] {
        Array("\(name) \(version) ".utf8) + rules.canonicalBytes()
    }
}
