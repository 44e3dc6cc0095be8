internal import Clocks
internal import Deciding
internal import EventStore
internal import Events
internal import Projections
internal import Text
internal import Words

/// How a recording begins, and how it ends.
extension RecordingLife {
    /// Starts the recorder in the log, and the session unless one is open that goes on.
    mutating func begin(_ folded: LogState) {
        adopt(folded)
        let devices = state.own.devices
        if case .central(let strap) = plan.source {
            let isKnown = devices.paired.contains { $0.id.address == strap }
            intake = CentralIntake(paired: devices.all.map(\.id), named: isKnown ? nil : strap)
            let known = devices.all.first { $0.id.address == strap }
            let primary = devices.primary(devices.areOnlyPedometers ? .pedometer : .heart)
            let device = known ?? primary.flatMap { devices[$0] }
            narrator.begin(lookingFor: device.map { DeviceTitle($0) })
        }
        if plan.begins == .wheneverWorn { plan.endsOpenSession = isOpenWalkOver }
        startRecorder()
        // Before anything is recorded: it ends when it was recorded last.
        if plan.endsOpenSession, plan.begins != .whenAsked, state.own.sessions.open != nil {
            append(.end(.leftOpen))
        }
        append(.refresh(.start))
        if plan.isWatched { append(.refresh(.foreground)) }
        for counter in plan.counters where devices[counter.device] == nil {
            append(.pair(counter.device, name: counter.name, roles: .stepCounter))
        }
        open(offsetMinutes: machine.zone(now.wallMilliseconds).offsetMinutes)
    }

    /// Says that a recorder begins, which ends whatever was recorded before.
    mutating func startRecorder() {
        let zone = machine.zone(now.wallMilliseconds)
        append(
            .startRecorder(
                programVersion: plan.programVersion, zoneOffsetMinutes: zone.offsetMinutes,
                zoneName: zone.name))
    }

    /// Goes on with the session that is open, or begins one.
    mutating func open(offsetMinutes: Int64) {
        if let found = state.own.sessions.open {
            guard plan.begins != .whenAsked else { return fail(Refusal(.sessionOpen)) }
            if !plan.endsOpenSession {
                enter(found.position)
                let start = TimeText.local(
                    found.startedAt.wallMilliseconds, offsetMinutes: offsetMinutes)
                let goal = plan.goal.kind == .none ? "" : " with its own goal"
                return say(
                    "A session from \(start) is open; continuing it\(goal). "
                        + "`pulselog record --new` ends it and starts another.")
            }
        }
        switch plan.begins {
        case .atOnce: start()
        case .withHeartRate, .whenAsked, .wheneverWorn:
            phase = .settingUp
            limitTime()
            if plan.begins == .wheneverWorn {
                say("A walk begins when the strap is worn, and ends after five minutes without it.")
            }
        case .leftOpen: fail(Refusal(.noSession))
        }
    }

    /// A session is open, and this recording's from now on.
    mutating func enter(_ session: Position) {
        self.session = session
        phase = .recording(session)
        wear.begin(at: now.bootMilliseconds)
        motion.begin(at: now.bootMilliseconds)
        askedLap = nil
        limitTime()
    }

    /// Lets it end by itself, from now on unless its time runs already.
    private mutating func limitTime() {
        guard let limit = plan.durationMilliseconds, endsAt == nil else { return }
        endsAt = now.bootMilliseconds + limit
        actions.append(.wake(afterMilliseconds: limit))
    }

    /// Asks for the session, once.
    mutating func start() {
        phase = .starting
        append(plan.start)
    }
}

// MARK: - Ending

extension RecordingLife {
    /// Ctrl-C ends the session; every other signal leaves it open for the next recorder.
    mutating func handle(_ signal: EndSignal) {
        if signal == .interrupt && sessionEnd == nil {
            endSession(.requested)
        } else {
            end(.signal)
        }
    }

    /// Ends the session, once; the recorder ends when that is durable.
    mutating func endSession(_ reason: EndReason) {
        guard sessionEnd == nil else { return }
        sessionEnd = reason
        // While setting up there is no session to end.
        if phase != .settingUp { append(.end(reason)) }
        switch phase {
        case .settingUp, .starting: end(.requested)
        case .recording, .ending, .failed, .ended: break
        }
    }

    /// Ends the recorder, because a session is not possible.
    mutating func fail(_ refusal: Refusal) {
        end(.failure)
        phase = .failed(refusal)
    }

    /// Ends the recorder, once; the session stays as it is.
    mutating func end(_ reason: StopReason) {
        switch phase {
        case .ending, .failed, .ended: return
        case .settingUp, .starting, .recording: break
        }
        append(.stopRecorder(reason))
        // Between two walks the totals of the one before are those that are shown.
        session = session ?? lastSession
        phase = .ending(reason)
        actions.append(.finish)
    }

    /// Nothing more can be appended: everything is, or the log failed.
    mutating func end(because failure: EventLogError?) {
        phase =
            if let failure {
                .ended(.logFailed(failure))
            } else if case .failed(let refusal) = phase {
                .ended(.refused(refusal))
            } else {
                .ended(.done)
            }
    }
}
