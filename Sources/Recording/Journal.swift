public import EventStore
public import Events
public import Projections

/// Decides inputs and appends their events: the one way into a log.
///
/// The state only ever changes by folding what the log holds, so what is seen of it is durable.
/// Several processes may append: each append names the position at which it was decided, and is
/// decided again if somebody else came first.
public actor Journal {
    /// Called with the events that became durable, in order, and the state behind them.
    public typealias Observer = @Sendable (_ events: [RecordedEvent], _ state: LogState) -> Void

    /// A wall clock that goes this much further than the boot clock, or less far, was set.
    static let clockStepMilliseconds: UInt64 = 2_000

    private let log: any EventLog
    private let machine: Machine
    private let observer: Observer?
    /// Wall minus boot at the last input, to see a clock that is set.
    private var wallMinusBoot: Int64?

    /// The state behind every durable event that was read.
    public private(set) var state: LogState

    /// Opens a journal; ``catchUp()`` folds what the log holds.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - rules: What the folds go by.
    ///   - machine: Whose boot and zone the events name.
    ///   - observer: Told of events that become durable from the first ``record(_:)`` on, also of
    ///     those of other processes; runs on the journal and must not wait.
    public init(
        _ log: any EventLog, rules: Rules = Rules(), machine: Machine, observer: Observer? = nil
    ) {
        self.log = log
        self.machine = machine
        self.observer = observer
        state = LogState(rules: rules)
    }

    /// The position of the first event that was not folded yet.
    public var next: Position { state.head.map { $0 + 1 } ?? 0 }

    /// The number of this machine's boot, as its next event will name it.
    public var bootNumber: UInt32 { state.live.recorder.bootNumber(for: machine.bootID) }

    /// Folds what has been appended since, without telling the observer: for the opening.
    ///
    /// - Throws: `EventLogError`.
    public func open() throws(EventLogError) {
        try log.fold(from: next, into: &state)
    }

    /// Folds what has been appended since, and tells the observer.
    ///
    /// - Throws: `EventLogError`.
    public func catchUp() throws(EventLogError) {
        guard let observer else { return try open() }
        var events: [RecordedEvent] = []
        var after = state
        try log.read(from: next) { header, payload in
            after.evolve(header, payload)
            let event = Event(kind: header.kind, version: header.version, payload: payload)
            events.append(RecordedEvent(header: header, event: event))
            return true
        }
        state = after
        if !events.isEmpty { observer(events, state) }
    }

    /// Decides inputs in order and appends their events, all in one transaction.
    ///
    /// - Parameter inputs: What arrived; what is refused makes no event and hinders no other.
    /// - Returns: What became of each input, when it is durable.
    /// - Throws: `EventLogError`; nothing of these inputs is in the log then, and they may be
    ///   tried again.
    public func record(_ inputs: [Input]) async throws(EventLogError) -> [Outcome] {
        while true {
            try catchUp()
            var draft = Draft(state, machine)
            let outcomes = inputs.map { draft.add($0, clockSince: &wallMinusBoot) }
            guard !draft.batch.isEmpty else { return outcomes }
            do throws(EventLogError) {
                _ = try await log.append(draft.batch, expecting: draft.start)
            } catch {
                guard case .wrongExpectedPosition = error.code else { throw error }
                continue
            }
            try catchUp()
            return outcomes
        }
    }
}

/// Events that are decided but not durable yet, and the state that would be behind them.
private struct Draft {
    private var state: LogState
    private let machine: Machine
    private(set) var batch = EventBatch()
    let start: Position

    init(_ state: LogState, _ machine: Machine) {
        self.state = state
        self.machine = machine
        start = state.head.map { $0 + 1 } ?? 0
    }

    /// Decides one input; what the machine has to say stands before it.
    mutating func add(_ input: Input, clockSince wallMinusBoot: inout Int64?) -> Outcome {
        let arrival = input.arrival
        let zone = machine.zone(arrival.wallMilliseconds)
        let (step, overflow) = arrival.wallMinusBoot.subtractingReportingOverflow(
            wallMinusBoot ?? arrival.wallMinusBoot)
        wallMinusBoot = arrival.wallMinusBoot
        do throws(Refusal) {
            let first = start + UInt64(batch.count)
            try decide(
                .beginBoot(
                    bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes,
                    zoneName: zone.name), at: arrival)
            if step.magnitude > Journal.clockStepMilliseconds, !overflow {
                let stepped = ClockStepped(stepMilliseconds: step)
                try decide(.record(.clockStepped(stepped)), at: arrival)
            }
            try decide(.setZone(offsetMinutes: zone.offsetMinutes, name: zone.name), at: arrival)
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
