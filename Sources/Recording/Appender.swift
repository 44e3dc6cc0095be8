public import EventStore
public import Events
public import Projections

/// Decides inputs and appends their events: the one way into a log.
///
/// The state only ever changes by folding what the log holds, so what is seen of it is durable.
/// Several processes may append: each append names the position at which it was decided, and is
/// decided again if somebody else came first.
public actor Appender {
    /// Called with the state after events that became durable.
    public typealias Observer = @Sendable (LogState) -> Void

    let log: any EventLog
    let machine: Machine
    private let isRecorderAlive: @Sendable () -> Bool
    private let observer: Observer?
    /// The samples of the last days, folded as far as they were asked for.
    var samples = StepSamples()

    /// The state after every durable event that was read.
    public private(set) var state: LogState

    /// Opens an appender; ``catchUp()`` folds what the log holds.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - rules: What the folds go by.
    ///   - machine: Whose boot and zone the events name.
    ///   - observer: Told when events became durable, also those of other processes; runs on the
    ///     appender and must not wait.
    ///   - isRecorderAlive: Whether the recorder lives that has not stopped as far as the log
    ///     knows; asked before each append while there is one. The recorder itself need not ask.
    public init(
        _ log: any EventLog, rules: Rules = Rules(), machine: Machine, observer: Observer? = nil,
        isRecorderAlive: @escaping @Sendable () -> Bool = { true }
    ) {
        self.log = log
        self.machine = machine
        self.isRecorderAlive = isRecorderAlive
        self.observer = observer
        state = LogState(rules: rules)
    }

    /// The position of the first event that was not folded yet.
    public var next: Position { state.head.map { $0 + 1 } ?? 0 }

    /// The number of this machine's boot, as its next event will name it.
    public var bootNumber: UInt32 { state.live.recorder.bootNumber(for: machine.bootID) }

    /// Folds what has been appended since, and tells the observer if there was anything.
    ///
    /// - Throws: `EventLogError`.
    public func catchUp() throws(EventLogError) {
        let before = next
        try log.fold(from: before, into: &state)
        if next != before { observer?(state) }
    }

    /// Decides inputs in order and appends their events, all in one transaction.
    ///
    /// - Parameter inputs: What arrived, whatever the state is; what is refused makes no event and
    ///   hinders no other.
    /// - Returns: What became of each input, when it is durable.
    /// - Throws: `EventLogError`; as after any lost answer, the events may be in the log all the
    ///   same.
    public func record(_ inputs: [Input]) async throws(EventLogError) -> [Outcome] {
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
    public func record<Failure: DecisionFailure>(
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
                try catchUp()
            } catch {
                throw Failure(error)
            }
            let inputs = try inputs(state)
            // Asked after the state was read: a recorder that ends meanwhile has moved the log on.
            let isFoundDead = state.live.recorder.isRecording && !isRecorderAlive()
            var draft = Draft(state, machine, isRecorderFoundDead: isFoundDead)
            let outcomes = inputs.map { draft.add($0) }
            do throws(EventLogError) {
                guard try await commit(draft) else { continue }
            } catch {
                throw Failure(error)
            }
            return outcomes
        }
    }

    /// Appends a draft and folds it.
    ///
    /// - Returns: Whether it is in the log; if not, somebody else appended first.
    private func commit(_ draft: Draft) async throws(EventLogError) -> Bool {
        guard !draft.batch.isEmpty else { return true }
        do throws(EventLogError) {
            _ = try await log.append(draft.batch, expecting: draft.start)
        } catch {
            guard case .wrongExpectedPosition = error.code else { throw error }
            return false
        }
        try catchUp()
        return true
    }
}

/// Events that are decided but not durable yet, and the state that would be after them.
private struct Draft {
    private var state: LogState
    private let machine: Machine
    /// Whether the recorder that began last is dead, and the log does not say so yet.
    private var isRecorderFoundDead: Bool
    private(set) var batch = EventBatch()
    let start: Position

    init(_ state: LogState, _ machine: Machine, isRecorderFoundDead: Bool) {
        self.state = state
        self.machine = machine
        self.isRecorderFoundDead = isRecorderFoundDead
        start = state.head.map { $0 + 1 } ?? 0
    }

    /// Decides one input; what the machine has to say stands before it.
    mutating func add(_ input: Input) -> Outcome {
        let arrival = input.arrival
        let zone = machine.zone(arrival.wallMilliseconds)
        do throws(Refusal) {
            let first = start + UInt64(batch.count)
            try decide(
                .beginBoot(
                    bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes,
                    zoneName: zone.name), at: arrival)
            if isRecorderFoundDead {
                // Before anything else of now: its links ended when it was heard of last.
                try decide(.stopRecorder(.foundDead), at: arrival)
                isRecorderFoundDead = false
            }
            if !input.command.isRecorderStart {
                try decide(.readClocks, at: arrival)
                try decide(
                    .setZone(offsetMinutes: zone.offsetMinutes, name: zone.name), at: arrival)
            }
            try decide(input.command, at: arrival)
            return .recorded(first..<start + UInt64(batch.count))
        } catch {
            return .refused(error)
        }
    }

    private mutating func decide(_ command: Command, at arrival: Arrival) throws(Refusal) {
        let number = state.live.recorder.bootNumber(for: machine.bootID)
        let moment = arrival.moment(bootNumber: number)
        for event in try Decider.decide(command, state, at: moment) {
            let header = EventHeader(
                position: start + UInt64(batch.count), source: 0, stamp: moment.stamp,
                flags: moment.flags, kind: event.kind, version: event.version)
            do throws(FieldError) {
                try batch.append(event, stamp: moment.stamp, flags: moment.flags)
                try state.evolve(RecordedEvent(header: header, event: event))
            } catch {
                throw Refusal(.fieldOutOfRange, field: error.field)
            }
        }
    }
}

extension Command {
    /// Whether it tells clocks and zone itself, before which no other event of its process stands.
    fileprivate var isRecorderStart: Bool {
        if case .startRecorder = self { true } else { false }
    }
}
