package import Events

/// Makes events of commands: a pure function of command, state and moment.
///
/// It never runs on replay. What it decides, the log holds.
package enum Decider {
    /// Decides a command, without the claims that its events give rise to.
    ///
    /// What the events claim (goal reached, turn-around, delivery multiplied), ``Effects/claims``
    /// tells whoever folds them. They are to be appended together, in this order, all with the
    /// moment's stamp. The rollover comes before the first event of the steps lane on a new date.
    ///
    /// - Parameters:
    ///   - command: What is asked for.
    ///   - state: The state after the last event of the log.
    ///   - moment: When it is asked.
    /// - Returns: The events; none if there is nothing to say. A single one may hold fields that
    ///   cannot be encoded, and is refused then by whoever encodes it.
    /// - Throws: ``Refusal`` if the command makes no sense in this state.
    package static func events(
        for command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        var events = try commandEvents(command, state, at: moment)
        if case .beginBoot = command { return events }
        if let first = events.firstIndex(where: { $0.kind.lane == .steps }) {
            events.insert(contentsOf: prefix(to: events[first], state, at: moment), at: first)
        }
        // All or none: of several events none is taken before the last one is known to be good.
        if events.count > 1 { try check(events) }
        return events
    }

    private static func check(_ events: [Event]) throws(Refusal) {
        for event in events {
            do throws(FieldError) {
                _ = try event.encodedPayload()
            } catch {
                throw Refusal(error)
            }
        }
    }

    // MARK: - What the command itself says

    private static func commandEvents(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        switch command {
        case .record(.positionFixed(let fix)):
            return fixEvents(fix, PositionSourceTold(), state.own, at: moment)
        case .record(let event): return [event]
        case .phoneFix(let sent): return phoneEvents(sent, state.own, at: moment)
        case .start, .pause, .resume, .end, .mark, .lap, .standStill, .moveOn:
            return try sessionEvents(command, state, at: moment)
        case .refresh, .healthTotal, .news, .legacyTotal, .correct, .takeIn, .rollOver:
            return try stepsEvents(command, state.own, at: moment)
        case .setWalker(let profile, let walker, let preferences):
            let known = state.own.recorder
            let told = Event.walkerDescribed(walker)
            let wanted = Event.preferencesChanged(preferences)
            return (profile == known.profile ? [] : profileEvents(profile, state.own))
                + (walker == known.walker ? [] : [told])
                + (preferences == known.preferences ? [] : [wanted])
        case .pair(let device, let name, let roles):
            return try pairEvents(device, name, roles, state.own)
        case .forget(let device, let role): return try forgetEvents(device, role, state.own)
        case .makePrimary(let device, let role):
            return try primaryEvents(device, role, state.own)
        case .ignoreContact(let device, let isIgnored):
            return try contactEvents(device, isIgnored: isIgnored, state.own)
        case .exclude(let device, let session, let isExcluded):
            return try excludeEvents(device, session, isExcluded, state.own)
        case .describe(let said, let others): return try describeEvents(said, others, state)
        case .beginBoot(let bootID, let offset, let name):
            guard isNewBoot(bootID, state) else { return [] }
            return [
                .bootBegan(BootBegan(bootID: bootID, zoneOffsetMinutes: offset, zoneName: name))
            ]
        case .readClocks: return clockEvents(state, at: moment)
        case .startRecorder(let version, let offset, let name):
            let started = RecorderStarted(
                programVersion: version, zoneOffsetMinutes: offset, zoneName: name)
            return [.recorderStarted(started)] + clockEvents(state, at: moment)
        case .stopRecorder(let reason):
            return [.recorderStopped(RecorderStopped(reason: reason))]
                + clockEvents(state, at: moment)
        case .setZone(let offset, let name):
            guard isNewZone(offset, state) else { return [] }
            let before = state.own.recorder.zoneOffsetMinutes
            return [
                .zoneOffsetChanged(
                    ZoneOffsetChanged(fromMinutes: before, toMinutes: offset, zoneName: name))
            ]
        }
    }

    private static func sessionEvents(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        if case .start(let goal, let outAndBack) = command {
            guard state.own.sessions.open == nil else { throw Refusal(.sessionOpen) }
            let resolved = try resolve(goal, state, at: moment)
            guard !outAndBack || resolved.kind != .none else {
                throw Refusal(.outAndBackWithoutGoal)
            }
            let started = SessionStarted(
                goal: resolved, outAndBack: outAndBack, profile: state.own.recorder.profile)
            return [.sessionStarted(started)]
        }
        guard let session = state.own.sessions.open else {
            if command.comesByItself { return [] }
            throw Refusal(.noSession)
        }
        switch command {
        case .pause:
            guard session.state == .running || session.standsStill else {
                throw Refusal(.alreadyPaused)
            }
            return [.sessionPaused(SessionPaused())]
        case .resume:
            guard session.state == .paused else { throw Refusal(.notPaused) }
            return [.sessionResumed(SessionResumed())]
        case .end(let reason):
            // A start that finds it open says so itself.
            let isOver = session.isLeft && state.own.recorder.stoppedPosition != nil
            return [.sessionEnded(SessionEnded(reason: isOver ? .atLastEvent : reason))]
        case .lap(let cause):
            guard session.state == .running else {
                if cause == .byDistance { return [] }
                throw Refusal(.alreadyPaused)
            }
            return [.lapMarked(LapMarked(cause: cause))]
        case .standStill:
            return session.state == .running ? [.standstillBegan(StandstillBegan())] : []
        case .moveOn: return session.standsStill ? [.standstillEnded(StandstillEnded())] : []
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
            guard let daily = state.own.recorder.profile.dailyGoalSteps else {
                throw Refusal(.noDailyGoal)
            }
            let missing = daily.minus(state.own.stepsToday(at: moment))
            guard missing > 0 else { throw Refusal(.dailyGoalReached) }
            return Goal(kind: .daily, target: missing)
        }
    }
}
