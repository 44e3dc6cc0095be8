internal import Clocks
internal import EventStore
internal import Events
internal import Projections

/// Events that are decided but not durable yet, and the state that will be after them.
///
/// Each event is encoded once, into the batch, and folded once, from there.
struct Draft {
    /// The position of the first event.
    let start: Position
    /// The events, encoded.
    private(set) var batch = EventBatch()
    /// The events, as they will stand in the log.
    private(set) var events: [RecordedEvent] = []
    /// The state after the last of them.
    private(set) var state: LogState
    private let machine: Machine
    private let isSimulated: Bool
    /// Whether the recorder that began last is dead, and the log does not say so yet.
    private var isRecorderFoundDead: Bool

    /// Begins after the last event of a state.
    init(_ state: LogState, _ machine: Machine, isSimulated: Bool, isRecorderFoundDead: Bool) {
        self.state = state
        self.machine = machine
        self.isSimulated = isSimulated
        self.isRecorderFoundDead = isRecorderFoundDead
        start = state.head.map { $0 + 1 } ?? 0
    }

    /// Where the events will stand.
    var range: Range<Position> { start..<start + UInt64(events.count) }

    /// Decides one input; what the machine has to say stands before it.
    mutating func add(_ input: Input) -> Outcome {
        let arrival = input.arrival
        let zone = machine.zone(arrival.wallMilliseconds)
        do throws(Refusal) {
            let first = range.upperBound
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
            return .recorded(first..<range.upperBound)
        } catch {
            return .refused(error)
        }
    }

    private mutating func decide(_ command: Command, at arrival: Arrival) throws(Refusal) {
        let number = state.live.recorder.bootNumber(for: machine.bootID)
        let moment = arrival.moment(bootNumber: number, isSimulated: isSimulated)
        let decided = try Decider.events(for: command, state, at: moment)
        let claims = PossibleClaims(of: decided, in: state)
        try append(decided, at: moment)
        if claims.areAny { try append(claims.made(in: state), at: moment) }
    }

    private mutating func append(_ decided: [Event], at moment: Moment) throws(Refusal) {
        for event in decided {
            do throws(FieldError) {
                try batch.append(event, stamp: moment.stamp, flags: moment.flags)
            } catch {
                throw Refusal(.fieldOutOfRange, field: error.field)
            }
            let header = batch.withEvent(at: events.count, from: range.lowerBound) { event in
                state.evolve(event)
                return event.header
            }
            events.append(RecordedEvent(header: header, event: event))
        }
    }
}

extension Command {
    /// Whether it tells clocks and zone itself, before which no other event of its process stands.
    fileprivate var isRecorderStart: Bool {
        if case .startRecorder = self { true } else { false }
    }
}
