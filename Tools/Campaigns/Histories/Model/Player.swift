package import Events
package import Projections

/// Plays a history through the real decider and the real fold, as the recorder does.
///
/// At every start of a recorder the fold is thrown away: by turns it is folded again from the log,
/// or restored from its own bytes.
package struct Player {
    /// The log that came of it.
    package private(set) var log: [RecordedEvent] = []
    /// What the fold said after each event.
    package private(set) var answers: [Answer] = []
    /// The looks, in order.
    package private(set) var looks: [Look] = []
    /// The fold after the last event.
    package private(set) var state: LogState

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
    package init(playing history: History) throws {
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
                    events: log.count, moment: moment, date: state.own.localDate(at: moment),
                    shown: state.own.stepsToday(at: moment), truth: truth))
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
            let session = state.own.sessions.all.last?.position ?? 0
            commands.append(.exclude(strap, session: session, isExcluded))
        } else {
            commands.append(command)
        }
        for command in commands {
            let stamp = stamp(of: happening)
            let events: [Event]
            do throws(Refusal) {
                events = try Decider.events(for: command, state, at: Moment(stamp, flags))
            } catch {
                // A request that makes no sense.
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
            bootNumber: state.own.recorder.bootNumber(
                for: [UInt8](repeating: bootID, count: 16)))
    }
}
