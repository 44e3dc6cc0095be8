public import Events

/// Makes events of requests: a pure function of command, state and moment.
///
/// It never runs on replay. What it decides, the log holds.
public enum Decider {
    /// Decides a command for the live recorder.
    ///
    /// The events are to be appended together, in this order, all with the moment's stamp. Before
    /// the first event of the steps lane on a new local date stands the rollover; after everything
    /// stand the claims (goal reached, turn-around, delivery multiplied) that these events give
    /// rise to, once each.
    ///
    /// - Parameters:
    ///   - command: What is asked for.
    ///   - state: The state after the last event of the log.
    ///   - moment: When it is asked.
    /// - Returns: The events; none if there is nothing to say.
    /// - Throws: ``Refusal`` if the command makes no sense in this state.
    public static func decide(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        var events = try primary(command, state, at: moment)
        if case .beginBoot = command { return try checked(events) }
        try prefixSteps(&events, state, at: moment)
        try checked(events)
        if canReachGoal(state) {
            events += consequences(of: events, state, at: moment)
        }
        if let claim = deliveryClaim(of: events, state.live, state.rules, at: moment) {
            events.append(claim)
        }
        return events
    }

    @discardableResult
    private static func checked(_ events: [Event]) throws(Refusal) -> [Event] {
        for event in events {
            do throws(FieldError) {
                _ = try event.encodedPayload()
            } catch {
                throw Refusal(.fieldOutOfRange, field: error.field)
            }
        }
        return events
    }

    // MARK: - What the command itself says

    private static func primary(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        let live = state.live
        switch command {
        case .start, .pause, .resume, .end, .mark:
            return try sessionEvents(command, state, at: moment)
        case .refresh, .healthTotal, .news, .legacyTotal, .correct, .rollOver:
            return try stepsEvents(command, live, at: moment)
        case .setProfile(let profile):
            return profileEvents(profile, live)
        case .pair(let device, let name, let roles):
            return try pairEvents(device, name, roles, live)
        case .forget(let device): return try forgetEvents(device, live)
        case .makePrimary(let device): return try primaryEvents(device, live)
        case .beginBoot(let bootID, let offset, let name):
            guard live.recorder.bootID != bootID else { return [] }
            return [
                .bootBegan(BootBegan(bootID: bootID, zoneOffsetMinutes: offset, zoneName: name))
            ]
        case .readClocks: return clockEvents(live, at: moment)
        case .startRecorder(let version, let offset, let name):
            let started = RecorderStarted(
                programVersion: version, zoneOffsetMinutes: offset, zoneName: name)
            return [.recorderStarted(started)] + clockEvents(live, at: moment)
        case .stopRecorder(let reason):
            return [.recorderStopped(RecorderStopped(reason: reason))]
                + clockEvents(live, at: moment)
        case .setZone(let offset, let name):
            let before = live.recorder.zoneOffsetMinutes
            guard before != offset else { return [] }
            return [
                .zoneOffsetChanged(
                    ZoneOffsetChanged(fromMinutes: before, toMinutes: offset, zoneName: name))
            ]
        case .record(let event): return [event]
        }
    }

    /// A wall clock that goes this much further than the boot clock, or less far, was set.
    private static let clockStepMilliseconds: UInt64 = 2_000

    private static func clockEvents(_ live: SourceState, at moment: Moment) -> [Event] {
        guard let step = live.clock.wallStep(to: moment.stamp),
            step.magnitude > clockStepMilliseconds
        else { return [] }
        return [.clockStepped(ClockStepped(stepMilliseconds: step))]
    }

    private static func sessionEvents(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        if case .start(let goal, let outAndBack) = command {
            guard state.live.sessions.open == nil else { throw Refusal(.sessionOpen) }
            let resolved = try resolve(goal, state, at: moment)
            guard !outAndBack || resolved.kind != .none else {
                throw Refusal(.outAndBackWithoutGoal)
            }
            let started = SessionStarted(
                goal: resolved, outAndBack: outAndBack, profile: state.live.recorder.profile)
            return [.sessionStarted(started)]
        }
        guard let session = state.live.sessions.open else { throw Refusal(.noSession) }
        switch command {
        case .pause:
            guard session.state == .running else { throw Refusal(.alreadyPaused) }
            return [.sessionPaused(SessionPaused())]
        case .resume:
            guard session.state == .paused else { throw Refusal(.notPaused) }
            return [.sessionResumed(SessionResumed())]
        case .end(let reason): return [.sessionEnded(SessionEnded(reason: reason))]
        case .mark(let text): return [.sessionMarked(SessionMarked(text: text))]
        default: return []
        }
    }

    private static func resolve(
        _ goal: Goal, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> Goal {
        switch goal.kind {
        case .none: return Goal()
        case .steps, .distance, .duration:
            guard goal.target > 0 else { throw Refusal(.goalWithoutTarget) }
            return goal
        case .daily:
            guard let daily = state.live.recorder.profile.dailyGoalSteps else {
                throw Refusal(.noDailyGoal)
            }
            let missing = daily.minus(state.live.stepsToday(at: moment))
            guard missing > 0 else { throw Refusal(.dailyGoalReached) }
            return Goal(kind: .daily, target: missing)
        }
    }
}

// MARK: - Claims

extension Decider {
    private static func canReachGoal(_ state: LogState) -> Bool {
        guard let session = state.live.sessions.open else { return false }
        return session.goal.kind != .none && session.goalReachedPosition == nil
    }

    /// The claim that a value shows how often each value comes, if that is news.
    ///
    /// Only the state of its device's delivery is folded on, and only while copies come.
    private static func deliveryClaim(
        of events: [Event], _ live: SourceState, _ rules: Rules, at moment: Moment
    ) -> Event? {
        guard let event = events.first, case .characteristicNotified(let value) = event,
            value.characteristic == .heartRateMeasurement,
            let before = live.devices[value.device]?.link.delivery, before.isWatched
        else { return nil }
        var after = before
        do throws(FieldError) {
            let header = EventHeader(
                position: 0, source: 0, stamp: moment.stamp, flags: moment.flags, kind: event.kind,
                version: event.version)
            let imprint = try RecordedEvent(header: header, event: event).withView {
                ValueImprint($0)
            }
            let now = live.clock.time(at: moment.stamp, moment.flags)
            _ = after.take(imprint, at: now, rules)
        } catch {
            // The event was checked: it can be encoded.
            return nil
        }
        guard after.factor != before.factor else { return nil }
        return .deliveryMultiplied(
            DeliveryMultiplied(
                device: value.device, characteristic: value.characteristic, factor: after.factor))
    }

    /// The claims that events give rise to: what the fold of them newly notes.
    private static func consequences(
        of events: [Event], _ state: LogState, at moment: Moment
    ) -> [Event] {
        guard let before = state.live.sessions.open else { return [] }
        var after = state
        var position = state.head.map { $0 + 1 } ?? 0
        for event in events {
            let header = EventHeader(
                position: position, source: 0, stamp: moment.stamp, flags: moment.flags,
                kind: event.kind, version: event.version)
            // The events were checked: they can be encoded.
            do throws(FieldError) {
                try after.evolve(RecordedEvent(header: header, event: event))
            } catch {
                return []
            }
            position += 1
        }
        guard let session = after.live.sessions[before.position] else { return [] }
        var claims: [Event] = []
        if before.turnAroundPosition == nil, session.turnAroundPosition != nil {
            claims.append(.turnAroundReached(TurnAroundReached(goal: session.goal)))
        }
        if session.goalReachedPosition != nil {
            claims.append(.goalReached(GoalReached(goal: session.goal)))
        }
        return claims
    }
}
