public import Events
public import Projections

/// The steps of a date, as a fold or the model tells them.
public struct DayAnswer: Hashable, Sendable {
    /// The date.
    public var date: CivilDate
    /// The count that people see.
    public var displayed: UInt64
    /// The count with corrections.
    public var corrected: UInt64
    /// What the pedometer counted on this date in all.
    public var pedometerSteps: UInt64
}

/// The steps and heart rates of a session, as a fold or the model tells them.
public struct SessionAnswer: Hashable, Sendable {
    /// The event that began it.
    public var position: Position
    /// Steps.
    public var steps: UInt64
    /// What the day displayed at the start.
    public var baseline: UInt64
    /// What became of the values of straps.
    public var hearts: HeartAnswer
}

/// All that is compared after an event.
public struct Answer: Hashable, Sendable {
    /// The days, in order of date.
    public var days: [DayAnswer]
    /// The sessions, in order of position.
    public var sessions: [SessionAnswer]

    /// A date's displayed count, or nil.
    subscript(date: CivilDate) -> UInt64? { days.first { $0.date == date }?.displayed }
}

extension Answer {
    /// What the fold says.
    init(_ state: LogState) {
        days = state.live.steps.days.map {
            DayAnswer(
                date: $0.date, displayed: $0.displayed, corrected: $0.corrected,
                pedometerSteps: $0.pedometerSteps)
        }
        sessions = state.live.sessions.all.map {
            SessionAnswer(
                position: $0.position, steps: $0.steps, baseline: $0.stepsBaseline,
                hearts: HeartAnswer($0.heartRate))
        }
    }
}

extension HeartAnswer {
    /// What the fold says.
    init(_ totals: HeartRateTotals) {
        samples = totals.samples
        sum = totals.sum
        paused = totals.excludedPaused
        noContact = totals.excludedNoContact
        zero = totals.excludedZero
        noReading = totals.excludedNoReading
        notCredible = totals.excludedNotCredible
    }
}

/// A look at today's count.
public struct Look: Sendable {
    /// How many events the log had.
    public var events: Int
    /// When.
    public var moment: Moment
    /// Which date was shown, or nil if there is no today.
    public var date: CivilDate?
    /// What was shown.
    public var shown: UInt64
    /// What was true.
    public var truth: Happening.Truth?
}

/// Plays a history through the real decider and the real fold, as the recorder does.
///
/// At every start of a recorder the fold is thrown away: by turns it is folded again from the log,
/// or restored from its own bytes.
public struct Player {
    /// The log that came of it.
    public private(set) var log: [RecordedEvent] = []
    /// What the fold said after each event.
    public private(set) var answers: [Answer] = []
    /// The looks, in order.
    public private(set) var looks: [Look] = []
    /// The fold after the last event.
    public private(set) var state: LogState
    /// Requests that made no sense.
    public private(set) var refusals = 0

    private var bootID: UInt8 = 1
    private var bootedAt: Int64 = 0
    private var aheadMilliseconds: Int64 = 0
    private var isTrusted = true
    private var offsetMinutes: Int64 = 0
    private var starts = 0

    /// Plays a whole history.
    ///
    /// - Parameter history: What happens.
    /// - Throws: `FieldError` or `DamagedState`, which no history gives unless the code is wrong.
    public init(playing history: History) throws {
        state = LogState(rules: history.rules)
        bootedAt = (history.happenings.first?.at ?? 0) - 1_000_000
        for happening in history.happenings { try play(happening) }
    }

    private mutating func play(_ happening: Happening) throws {
        switch happening.what {
        case .reboot:
            bootID &+= 1
            bootedAt = happening.at
        case .clock(let ahead, let isTrusted):
            aheadMilliseconds = ahead
            self.isTrusted = isTrusted
        case .zone(let offset): offsetMinutes = offset
        case .imported(let event, let source):
            try append(event, stamp(of: happening), source: source)
        case .look(let truth):
            let moment = Moment(stamp(of: happening), flags)
            looks.append(
                Look(
                    events: log.count, moment: moment, date: state.live.localDate(at: moment),
                    shown: state.live.stepsToday(at: moment), truth: truth))
        case .command(let command): try play(command, happening)
        }
    }

    /// Decides a command; what the machine has to say stands before it.
    private mutating func play(_ command: Command, _ happening: Happening) throws {
        if case .startRecorder = command { try beginAnew() }
        var commands: [Command] = [
            .beginBoot(
                bootID: [UInt8](repeating: bootID, count: 16), zoneOffsetMinutes: offsetMinutes,
                zoneName: "")
        ]
        if case .startRecorder = command {
        } else {
            commands += [.readClocks, .setZone(offsetMinutes: offsetMinutes, name: "")]
        }
        if case .exclude(let strap, _, let isExcluded) = command {
            let session = state.live.sessions.all.last?.position ?? 0
            commands.append(.exclude(strap, session: session, isExcluded))
        } else {
            commands.append(command)
        }
        for command in commands {
            let stamp = stamp(of: happening)
            let events: [Event]
            do throws(Refusal) {
                events = try Decider.decide(command, state, at: Moment(stamp, flags))
            } catch {
                refusals += 1
                return
            }
            for event in events { try append(event, stamp, source: 0) }
        }
    }

    private mutating func append(_ event: Event, _ stamp: Stamp, source: UInt32) throws {
        let header = EventHeader(
            position: UInt64(log.count), source: source, stamp: stamp, flags: flags,
            kind: event.kind, version: event.version)
        let recorded = RecordedEvent(header: header, event: event)
        try state.evolve(recorded)
        log.append(recorded)
        answers.append(Answer(state))
    }

    private mutating func beginAnew() throws {
        starts += 1
        if starts.isMultiple(of: 2) {
            let bytes = state.canonicalBytes()
            state = try LogState(canonicalBytes: bytes.span)
        } else {
            state = try Player.fold(log, state.rules)
        }
    }

    /// Folds a log from its beginning.
    ///
    /// - Throws: `FieldError` if an event is outside of its limits.
    static func fold(_ log: some Sequence<RecordedEvent>, _ rules: Rules) throws -> LogState {
        var state = LogState(rules: rules)
        for recorded in log { try state.evolve(recorded) }
        return state
    }

    private var flags: EventFlags { isTrusted ? [.wallTrusted] : [] }

    private func stamp(of happening: Happening) -> Stamp {
        let lag = Int64(happening.lagMilliseconds)
        return Stamp(
            bootMilliseconds: UInt64(max(0, happening.at - bootedAt - lag)),
            wallMilliseconds: happening.at + aheadMilliseconds - lag,
            bootNumber: state.live.recorder.bootNumber(
                for: [UInt8](repeating: bootID, count: 16)))
    }
}
