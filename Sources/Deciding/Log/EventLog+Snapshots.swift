package import EventStore
package import Events
package import Projections

/// A folded state, and how much of it was not folded but read as a snapshot.
package struct FoldedState: Sendable {
    /// How many events are folded between two snapshots: so many take some milliseconds.
    package static let usualInterval: UInt64 = 20_000

    /// The state.
    package let state: LogState
    /// How many of its events a snapshot held; 0 if there was none.
    package let savedEvents: UInt64
    /// The states that were passed on the way, with those that were kept; nil if none was passed.
    package let earlier: EarlierStates?

    /// Joins the three.
    package init(_ state: LogState, savedEvents: UInt64, earlier: EarlierStates? = nil) {
        (self.state, self.savedEvents, self.earlier) = (state, savedEvents, earlier)
    }

    /// Whether so much was folded that a snapshot of it is worth keeping, or a state was passed.
    ///
    /// - Parameter interval: Of how many events on.
    /// - Returns: Whether it is; never of a state that is all of a snapshot.
    package func isFar(_ interval: UInt64 = usualInterval) -> Bool {
        state.events - savedEvents >= max(1, interval) || earlier?.hasNews ?? false
    }
}

/// What a snapshot is worth, held against the log.
package enum SnapshotWorth: Hashable, Sendable {
    /// There is none that anybody would use.
    case none
    /// It is what a fold of all events before the position gives.
    case holds(next: Position)
    /// It is something else: whoever used it was told wrong numbers.
    case differs(next: Position)

    /// Whether it is what the events give; nil if there is none.
    package var holds: Bool? {
        switch self {
        case .none: nil
        case .holds: true
        case .differs: false
        }
    }
}

extension EventLog {
    /// Folds the log up to a position, or the whole of it, from a snapshot on that is not beyond.
    ///
    /// Of what comes before the snapshot only the block of its last event is looked at.
    ///
    /// - Parameters:
    ///   - rules: What the folds go by.
    ///   - end: The position to stop before; nil for the end of the log.
    ///   - snapshots: Where a snapshot may be; nil to fold from the first event on.
    /// - Returns: The state: what a fold from the first event on gives.
    /// - Throws: `EventLogError`.
    package func folded(
        _ rules: Rules = Rules(), until end: Position? = nil, from snapshots: (any SnapshotStore)?
    ) throws(EventLogError) -> FoldedState {
        var state = savedState(rules, until: end, in: snapshots) ?? LogState(rules: rules)
        var savedEvents = state.events
        let head = try next
        let target = min(end ?? head, head)
        guard EarlierStates.arePassed(from: state.next, to: target) else {
            try fold(from: state.next, until: end, into: &state)
            return FoldedState(state, savedEvents: savedEvents)
        }
        var earlier = earlierStates(rules, in: snapshots)
        if let near = lastState(of: earlier, notAfter: target), near.next > state.next {
            (state, savedEvents) = (near, near.events)
        }
        try fold(until: target, into: &state, keeping: &earlier)
        return FoldedState(state, savedEvents: savedEvents, earlier: earlier)
    }

    // MARK: - Earlier states

    /// The states that were kept along the log.
    ///
    /// - Parameters:
    ///   - rules: What the folds go by.
    ///   - snapshots: Where the log's snapshot is, and they are as well.
    /// - Returns: What is there; none of another version or log, or that the log has lost.
    package func earlierStates(
        _ rules: Rules = Rules(), in snapshots: (any SnapshotStore)?
    ) -> EarlierStates {
        let kept = snapshots?.beside(.earlier)?.read { $0.key == LogState.earlierKey(rules) }
        guard let kept else { return EarlierStates() }
        do throws(DamagedState) {
            var states = try EarlierStates(bytes: kept.state)
            states.forgetLast(unless: isOfLog)
            return states
        } catch {
            return EarlierStates()
        }
    }

    /// The last of some states at or before a position; nil if it is none of this log.
    package func lastState(
        of earlier: EarlierStates, notAfter end: Position
    ) -> LogState? {
        earlier.last(notAfter: end, where: isOfLog)
    }

    /// Folds on up to a position, and keeps the states on the way.
    ///
    /// - Parameters:
    ///   - end: The position to stop before; it may be beyond the end of the log.
    ///   - state: The state to fold on from.
    ///   - earlier: Takes the states that it wants.
    /// - Throws: `EventLogError`.
    package func fold(
        until end: Position, into state: inout LogState, keeping earlier: inout EarlierStates
    ) throws(EventLogError) {
        while state.next < end {
            let stop = min(end, earlier.stop(after: state.next))
            try fold(from: state.next, until: stop, into: &state)
            guard state.next == stop else { return }
            keep(&state, in: &earlier)
        }
    }

    /// Keeps a state, if it is wanted.
    private func keep(_ state: inout LogState, in earlier: inout EarlierStates) {
        guard earlier.isWanted(at: state.next), let last = bytes(at: state.next - 1) else { return }
        earlier.keep(&state, lastEvent: last)
    }

    /// Folds on from the last state along the log to where the next one is kept.
    ///
    /// - Parameters:
    ///   - earlier: Takes the state.
    ///   - end: The position that it must not be beyond.
    /// - Returns: Whether one was kept, and so another one may be.
    /// - Throws: `EventLogError`.
    package func keepNext(
        in earlier: inout EarlierStates, until end: Position
    ) throws(EventLogError) -> Bool {
        guard !earlier.areComplete(until: end) else { return false }
        let count = earlier.count
        var state = lastState(of: earlier, notAfter: end) ?? LogState()
        try fold(until: earlier.stop(after: state.next), into: &state, keeping: &earlier)
        return earlier.count > count
    }

    /// How things stood before a position, from the states along the log on.
    ///
    /// - Throws: `EventLogError`.
    package func state(
        until end: Position, from earlier: EarlierStates
    ) throws(EventLogError) -> LogState {
        var state = lastState(of: earlier, notAfter: end) ?? LogState()
        try fold(from: state.next, until: end, into: &state)
        return state
    }

    /// The state of the snapshot of this log.
    ///
    /// - Parameters:
    ///   - rules: What the folds go by.
    ///   - end: The position that it must not be beyond; nil for any.
    ///   - snapshots: Where a snapshot may be; one of other rules, of another version or of another
    ///     log, one that is ahead of this log, and one that is not a state, is passed over.
    /// - Returns: A state to fold on from; nil if there is none.
    package func savedState(
        _ rules: Rules = Rules(), until end: Position? = nil, in snapshots: (any SnapshotStore)?
    ) -> LogState? {
        let snapshot = snapshots?.read { head in
            head.key == LogState.snapshotKey(rules) && head.next <= end ?? .max
                && isOfLog(head.next, head.lastEvent)
        }
        guard let snapshot else { return nil }
        do throws(DamagedState) {
            let state = try LogState(snapshotBytes: snapshot.state)
            let isOfHead =
                state.rules == rules && state.events == snapshot.head.next
                && state.head == snapshot.head.next - 1
            return isOfHead ? state : nil
        } catch {
            return nil
        }
    }

    /// Keeps a state of this log as its snapshot.
    ///
    /// Only when whoever asked has the answer, and while nobody records: it takes a flush of the
    /// disk.
    ///
    /// - Parameters:
    ///   - folded: The state; one before the first event is not kept. The states that were passed
    ///     are kept as well, or this one if none was kept of those that passed one.
    ///   - snapshots: Where it is kept.
    package func keepSnapshot(of folded: FoldedState, in snapshots: some SnapshotStore) {
        var state = folded.state
        guard let next = state.head.map({ $0 + 1 }), let last = bytes(at: next - 1) else { return }
        let head = Snapshot.Head(
            key: LogState.snapshotKey(state.rules), next: next, lastEvent: last)
        snapshots.write(Snapshot(head, state: state.snapshotBytes()))
        guard let place = snapshots.beside(.earlier),
            folded.earlier != nil || EarlierStates.arePassed(from: folded.savedEvents, to: next)
        else { return }
        var earlier = folded.earlier ?? earlierStates(state.rules, in: snapshots)
        keep(&state, in: &earlier)
        guard earlier.hasNews else { return }
        let along = Snapshot.Head(
            key: LogState.earlierKey(state.rules), next: next, lastEvent: last)
        place.write(Snapshot(along, state: earlier.bytes()))
    }

    // MARK: - Doubt

    /// Folds the log from its first event on, and holds the snapshot against it.
    ///
    /// - Parameter snapshots: Where a snapshot may be; the state is never made of it.
    /// - Returns: The state after the last event, and what the snapshot is worth.
    /// - Throws: `EventLogError`.
    package func refolded(
        against snapshots: some SnapshotStore
    ) throws(EventLogError) -> (folded: FoldedState, worth: SnapshotWorth) {
        var (state, earlier) = (LogState(), EarlierStates())
        let worth = try checkSnapshot(in: snapshots, foldingInto: &state, keeping: &earlier)
        try fold(until: try next, into: &state, keeping: &earlier)
        return (FoldedState(state, savedEvents: 0, earlier: earlier), worth)
    }

    /// Holds the snapshot against a fold of all events that it claims to hold.
    ///
    /// - Parameters:
    ///   - snapshots: Where a snapshot may be; without one nothing is folded.
    ///   - progress: Called now and then with the number of events that were folded, and of those
    ///     that are to be; false ends it.
    /// - Returns: What it is worth; nothing if `progress` has ended it.
    /// - Throws: `EventLogError`.
    package func checkSnapshot(
        in snapshots: some SnapshotStore,
        progress: (_ done: Position, _ all: Position) -> Bool = { _, _ in true }
    ) throws(EventLogError) -> SnapshotWorth {
        var (state, earlier) = (LogState(), EarlierStates())
        return try checkSnapshot(
            in: snapshots, foldingInto: &state, keeping: &earlier, progress)
    }

    private func checkSnapshot(
        in snapshots: some SnapshotStore, foldingInto state: inout LogState,
        keeping earlier: inout EarlierStates,
        _ progress: (_ done: Position, _ all: Position) -> Bool = { _, _ in true }
    ) throws(EventLogError) -> SnapshotWorth {
        guard let saved = savedState(in: snapshots) else { return .none }
        var kept = earlierStates(in: snapshots)
        var done: Position = 0
        while done < saved.events {
            let end = min(kept.stop(after: done), saved.events)
            try fold(until: end, into: &state, keeping: &earlier)
            done = end
            guard kept.agree(with: &state, where: isOfLog) else { return .differs(next: done) }
            guard progress(done, saved.events) else { return .none }
        }
        // Nearly always the bytes of a snapshot are the same, and are compared faster.
        return saved.snapshotBytes() == state.snapshotBytes() || saved == state
            ? .holds(next: saved.events) : .differs(next: saved.events)
    }

    /// Whether what was kept of a position is of this log: it ends with the event before it.
    func isOfLog(_ next: Position, _ lastEvent: [UInt8]) -> Bool {
        next > 0 && bytes(at: next - 1) == lastEvent
    }

    /// Header and payload of an event; nil if it is not there, or cannot be read.
    func bytes(at position: Position) -> [UInt8]? {
        var bytes: [UInt8]?
        do throws(EventLogError) {
            try read(from: position) { event in
                if event.header.position == position { bytes = event.bytes }
                return false
            }
        } catch {
            return nil
        }
        return bytes
    }
}

extension EventView {
    /// Header and payload, one after the other.
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let stamp = header.stamp
        for number in [
            header.position, UInt64(header.source), stamp.bootMilliseconds,
            UInt64(bitPattern: stamp.wallMilliseconds), UInt64(stamp.bootNumber),
            UInt64(header.flags.rawValue), UInt64(header.kind.rawValue), UInt64(header.version),
        ] {
            bytes.appendVarint(number)
        }
        return bytes + withPayload { [UInt8](copying: $0) }
    }
}

extension LogState {
    /// The projection, its version, that of the form of snapshots, and the rules.
    fileprivate static func snapshotKey(_ rules: Rules) -> [UInt8] {
        Array("\(name) \(version) 2 ".utf8) + rules.canonicalBytes()
    }

    /// The same of states along a log, with their distance.
    fileprivate static func earlierKey(_ rules: Rules) -> [UInt8] {
        snapshotKey(rules) + Array(" \(EarlierStates.usualInterval)".utf8)
    }
}
