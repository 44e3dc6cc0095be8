internal import Clocks
package import Events
package import Projections

/// Events that are decided but not durable yet, and the state that will be after them.
///
/// Each event is encoded once, into the batch, and folded once, from there. Most inputs are
/// readings with no boot, clock or zone change before them: asking ``Decider`` whether that is so
/// takes little, and gives the same result as deciding each of these steps.
package struct Draft {
    /// The position of the first event.
    package let start: Position
    /// The events, encoded.
    private(set) var batch = EventBatch()
    /// The state after the last of them.
    package private(set) var state: LogState
    private var machine: Machine
    /// Whether the recorder that began last lives.
    private let isRecorderAlive: Bool

    /// Begins after the last event of a state.
    package init(_ state: LogState, _ machine: Machine, isRecorderAlive: Bool) {
        (self.state, self.machine, self.isRecorderAlive) = (state, machine, isRecorderAlive)
        start = state.next
    }

    /// Where the events will stand.
    var range: Range<Position> { start..<start + UInt64(batch.count) }

    /// The events, as they will stand in the log.
    package var events: [RecordedEvent] {
        (0..<batch.count).map { batch.withEvent(at: $0, from: start) { $0.recorded } }
    }

    /// Decides one input; what the machine has to say stands before it.
    mutating func decide(_ input: Input) -> Outcome {
        let side = state.isSimulated
        defer { state.isSimulated = side }
        state.isSimulated = isSimulated(input)
        // What is known is no reason for the machine to say anything.
        if case .news(let total, _) = input.command, !state.own.isNews(total) {
            return .recorded(range.upperBound..<range.upperBound)
        }
        let arrival = input.arrival
        let zone = machine.zone(arrival.wallMilliseconds)
        let jump = state.bootJumpMilliseconds(on: machine, at: arrival)
        machine = state.named(machine, at: arrival)
        // The number is the same before and after the event that begins a boot.
        let number = state.own.recorder.bootNumber(for: machine.bootID)
        let moment = arrival.moment(bootNumber: number, isSimulated: state.isSimulated)
        do throws(Refusal) {
            let first = range.upperBound
            let isSettled = Decider.isSettled(
                bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes, state, at: moment)
            if !isSettled || isRecorderFoundDead {
                try announce(zone, afterJump: jump, before: input.command, at: moment)
            }
            try decide(input.command, at: moment)
            return .recorded(first..<range.upperBound)
        } catch {
            return .refused(error)
        }
    }

    /// Whether what comes of an input is simulated: of what somebody asks for, if it is about a
    /// session that is.
    private func isSimulated(_ input: Input) -> Bool {
        // Days are the walker's.
        if case .record(let event) = input.command, event.kind.lane == .day { return false }
        if let isSimulated = input.isSimulated { return isSimulated }
        guard input.command.isOfSession else { return false }
        if isRecorderAlive, state.isRecording { return state.isLastRecorderSimulated }
        return state.walked.sessions.open == nil && state[.simulated]?.sessions.open != nil
    }

    /// Whether a recorder is dead, and the log does not say so yet.
    private var isRecorderFoundDead: Bool {
        state.isRecording && (isFoundDead(false) || isFoundDead(true))
    }

    /// Whether the recorder that began last on a side is dead.
    private func isFoundDead(_ isSimulated: Bool) -> Bool {
        guard let begun = state.recorderStart(isSimulated: isSimulated), begun < start else {
            return false
        }
        return !isRecorderAlive || state.isLastRecorderSimulated != isSimulated
    }

    /// Says of each recorder that is dead that it is.
    private mutating func stopDeadRecorders(at moment: Moment) throws(Refusal) {
        let side = state.isSimulated
        defer { state.isSimulated = side }
        for isSimulated in [false, true] where isFoundDead(isSimulated) {
            state.isSimulated = isSimulated
            var moment = moment
            moment.flags.remove(.simulated)
            if isSimulated { moment.flags.insert(.simulated) }
            try decide(.stopRecorder(.foundDead), at: moment)
        }
    }

    /// Decides what the machine has to say before a command.
    private mutating func announce(
        _ zone: (offsetMinutes: Int64, name: String), afterJump jump: Int64?,
        before command: Command, at moment: Moment
    ) throws(Refusal) {
        try decide(
            .beginBoot(
                bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes,
                zoneName: zone.name), at: moment)
        if let jump {
            try append(.clockStepped(ClockStepped(stepMilliseconds: -jump)), at: moment)
        }
        // Before anything else of now: its links ended when it was last heard of.
        try stopDeadRecorders(at: moment)
        // A recorder's start tells both itself; no other event of its process stands before it.
        if case .startRecorder = command { return }
        try decide(.readClocks, at: moment)
        try decide(.setZone(offsetMinutes: zone.offsetMinutes, name: zone.name), at: moment)
    }

    /// Decides a command, and takes what comes of it in, with what that claims.
    package mutating func decide(_ command: Command, at moment: Moment) throws(Refusal) {
        // Most inputs are readings with nothing before them: no list is made for those.
        if case .record(let event) = command, event.kind != .positionFixed,
            Decider.prefix(to: event, state, at: moment).isEmpty
        {
            for claim in try append(event, at: moment).claims { try append(claim, at: moment) }
            return
        }
        var claims: [Event] = []
        for event in try Decider.events(for: command, state, at: moment) {
            claims += try append(event, at: moment).claims
        }
        for claim in claims { try append(claim, at: moment) }
    }

    @discardableResult
    private mutating func append(_ event: Event, at moment: Moment) throws(Refusal) -> Effects {
        do throws(FieldError) {
            try batch.append(event, stamp: moment.stamp, flags: moment.flags)
        } catch {
            throw Refusal(error)
        }
        defer { assert(state.next == range.upperBound, "An event is folded where it will stand.") }
        return batch.withEvent(at: batch.count - 1, from: start) { state.evolve($0) }
    }
}
