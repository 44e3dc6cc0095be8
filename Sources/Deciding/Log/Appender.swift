package import EventStore
package import Events
package import Projections

/// Decides inputs and appends their events: the one way into a log.
///
/// The state only ever changes by events that the log holds, so what is seen of it is durable.
/// Several processes may append: each append names the position at which it was decided, and is
/// decided again if somebody else came first.
package actor Appender {
    /// Called with the state after events that became durable, and with these events, in order.
    package typealias Observer = @Sendable (LogState, [RecordedEvent]) -> Void

    /// The most events of other processes that are told in one call.
    private static let observedEvents: UInt64 = 4_096

    let log: any EventLog
    package nonisolated let machine: Machine
    private let isRecorderAlive: @Sendable () -> Bool
    let snapshots: (any SnapshotStore)?
    /// States that were passed when much was folded.
    private var earlier: EarlierStates?
    /// How many events of the state came from a snapshot.
    private var savedEvents: UInt64 = 0
    private var observer: Observer?
    /// How many appends are under way.
    private var appendCount = 0
    /// Who waits for their end.
    private var waitingForAppends: [CheckedContinuation<Void, Never>] = []
    /// What was imported, as far as it was asked for.
    var imports = ImportIndex()
    /// The samples of the last days, folded as far as they were asked for.
    var samples = StepSamples()
    /// Whether a report reads on in the log for more of them.
    var areSamplesRead = false
    /// The other reports that need them.
    package var waitingForSamples: [CheckedContinuation<Void, Never>] = []

    /// The state after every durable event that was read.
    package private(set) var state: LogState

    /// Opens an appender; ``catchUp()`` folds what the log holds.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - rules: What the folds go by.
    ///   - machine: Whose boot and zone the events name.
    ///   - snapshots: Where the log's snapshot may be; nil to fold the log from its beginning. It
    ///     is never written here: a recorder would wait for it.
    ///   - isRecorderAlive: Whether the recorder lives that has not stopped as far as the log
    ///     knows; asked before each append while there is one. The recorder itself need not ask.
    package init(
        _ log: any EventLog, rules: Rules = Rules(), machine: Machine,
        snapshots: (any SnapshotStore)? = nil,
        isRecorderAlive: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.log, self.machine, self.snapshots) = (log, machine, snapshots)
        self.isRecorderAlive = isRecorderAlive
        state = LogState(rules: rules)
    }

    /// The position of the first event that was not folded yet.
    package var next: Position { state.next }

    /// Tells an observer of all events that become durable from now on, also of other processes'.
    ///
    /// Of what another process imports only the beginning and the end are told, and health totals:
    /// a session of millions of events is none of the recorder's, and would hold it up.
    ///
    /// - Parameter observer: Runs on the appender, and must not wait; nil for nobody.
    package func observe(_ observer: Observer?) {
        self.observer = observer
    }

    /// Gives the observer the current state, with no events.
    package func republish() {
        observer?(state, [])
    }

    /// Folds what others have appended since, and informs the observer if there was anything.
    ///
    /// First waits for this process's own appends: their drafts hold the folded state, so reading
    /// their events back would be wasted. The first time it begins with the log's snapshot, if
    /// there is one, and looks at the end of the log: at no block that the snapshot stands for.
    ///
    /// - Throws: `EventLogError`.
    package func catchUp() async throws(EventLogError) {
        while appendCount > 0 {
            await withCheckedContinuation { waitingForAppends.append($0) }
        }
        try restore()
        try fold()
    }

    /// Begins with the snapshot, if nothing was folded yet and nobody is to be told of each event.
    ///
    /// A fold meets each block of the log; a snapshot stands for blocks that may be damaged since.
    /// An append costs no look at them: they are as they were signed, or whoever verifies the log
    /// says that they are not, as does the self-check, a share with each seal. What is looked at is
    /// the tail: the blocks from the snapshot's last event on, the last leaf, and that the frontier
    /// of the tree is the one that the last checkpoint signs.
    private func restore() throws(EventLogError) {
        guard state.head == nil, observer == nil,
            let saved = log.savedState(state.rules, in: snapshots)
        else { return }
        try log.checkEnd()
        state = saved
        savedEvents = saved.events
    }

    /// The state, and how much of it came from a snapshot.
    package var folded: FoldedState {
        FoldedState(state, savedEvents: savedEvents, earlier: earlier)
    }

    /// Folds what is in the log and was not folded yet.
    private func fold() throws(EventLogError) {
        guard let observer else { return try foldUnobserved() }
        while case let end = try log.next, case let start = next, start < end {
            var events: [RecordedEvent] = []
            // What was folded is told, also if the log is damaged after it.
            defer { if next > start { observer(state, events) } }
            let end = min(end, start + Self.observedEvents)
            try log.read(from: start, until: end) { event in
                state.evolve(event)
                if event.isPublished { events.append(event.recorded) }
                return true
            }
            guard next > start else { return }
        }
    }

    /// The same where nobody is told; a state that is passed is kept.
    private func foldUnobserved() throws(EventLogError) {
        let end = try log.next
        guard EarlierStates.arePassed(from: next, to: end) else {
            return try log.fold(from: next, into: &state)
        }
        var kept = earlier ?? log.earlierStates(state.rules, in: snapshots)
        defer { earlier = kept }
        try log.fold(until: end, into: &state, keeping: &kept)
    }

    /// Takes over the state after an append of this process's own.
    ///
    /// - Returns: false if the events have to be folded one by one: where somebody is told of them,
    ///   a state before their end is wanted, or others were appended as well.
    func adopt(_ folded: LogState, after range: Range<Position>) -> Bool {
        guard observer == nil, next == range.lowerBound, folded.next == range.upperBound,
            !EarlierStates.arePassed(from: range.lowerBound, to: range.upperBound)
        else { return false }
        state = folded
        return true
    }

    /// Decides inputs in order and appends their events, all in one transaction.
    ///
    /// - Parameter inputs: What arrived, whatever the state is; what is refused makes no event of
    ///   its own and hinders no other.
    /// - Returns: What became of each input, when it is durable.
    /// - Throws: `EventLogError`; as after any lost answer, the events may be in the log all the
    ///   same.
    package func record(_ inputs: [Input]) async throws(EventLogError) -> [Outcome] {
        try await append { (_) throws(EventLogError) in inputs }
    }

    /// Decides inputs that depend on the state, and appends their events in one transaction.
    ///
    /// The only way to append what was made of a state: nothing is ever decided on one that is
    /// past, so nobody's change is lost under another's.
    ///
    /// - Parameter inputs: Makes the inputs from the state after the last event of the log; called
    ///   again if somebody else appends first.
    /// - Returns: What became of each input, when it is durable.
    /// - Throws: What `inputs` throws, and then nothing is appended; the `EventLogError` of
    ///   ``record(_:)`` as a `Failure`.
    package func record<Failure: DecisionFailure>(
        deciding inputs: @Sendable (LogState) throws(Failure) -> [Input]
    ) async throws(Failure) -> [Outcome] {
        try await append(deciding: inputs)
    }

    /// As ``record(deciding:)``, for decisions that use what the appender keeps.
    func append<Failure: DecisionFailure>(
        deciding inputs: (LogState) throws(Failure) -> [Input]
    ) async throws(Failure) -> [Outcome] {
        while true {
            do throws(EventLogError) {
                try fold()
            } catch {
                throw Failure(error)
            }
            let inputs = try inputs(state)
            // Asked after the state was read: a recorder that ends meanwhile has moved the log on.
            let isAlive = !state.isRecording || isRecorderAlive()
            var draft = Draft(state, machine, isRecorderAlive: isAlive)
            let outcomes = inputs.map { draft.decide($0) }
            do throws(EventLogError) {
                guard try await commit(draft) else { continue }
            } catch {
                throw Failure(error)
            }
            return outcomes
        }
    }

    /// Appends a draft; its state, which is folded already, becomes the appender's.
    ///
    /// - Returns: Whether it is in the log; if not, somebody else appended first.
    private func commit(_ draft: Draft) async throws(EventLogError) -> Bool {
        guard !draft.batch.isEmpty else { return true }
        appendCount += 1
        defer {
            appendCount -= 1
            if appendCount == 0 {
                for follower in waitingForAppends { follower.resume() }
                waitingForAppends = []
            }
        }
        let range: Range<Position>
        do throws(EventLogError) {
            range = try await log.append(draft.batch, expecting: draft.start)
        } catch {
            guard case .wrongExpectedPosition = error.code else { throw error }
            return false
        }
        precondition(range == draft.range, "Events are not at the positions decided.")
        assert(isWritten(draft), "The log holds what was decided.")
        // Unless another request on this appender has read them already.
        guard next == draft.start else { return true }
        state = draft.state
        assert(next == range.upperBound, "The state is the one after the last event.")
        observer?(state, draft.events)
        return true
    }

    /// Whether the log holds a draft's events; true as well if it cannot be read, for whoever reads
    /// it next is told.
    private func isWritten(_ draft: Draft) -> Bool {
        do throws(EventLogError) {
            return try log.events(in: draft.range) == draft.events
        } catch {
            return true
        }
    }
}

extension EventView {
    /// Whether it is of the live recorder, or says something to it.
    fileprivate var isPublished: Bool {
        header.source == 0 || header.kind.lane == .control || header.kind == .healthTotalObserved
    }
}
