import Events

/// What arrives while a session is open. The caller has settled the time up to `now`.
extension Session {
    /// Takes a heart-rate value of a device.
    @inline(__always)
    mutating func receive(
        _ heard: HeardValue, _ verdict: Delivery.Verdict, _ value: Span<UInt8>,
        of device: DeviceID, _ rules: Rules
    ) {
        if heard.reading.isWithoutContact { strapWithoutContact = device }
        guard verdict != .copy else { return }
        readings.receive(heard, value, isPaused: state == .paused, rules)
        if verdict != .candidate, !trials.isEmpty { receiveOnTrial(heard, value, rules) }
    }

    private mutating func receiveOnTrial(
        _ heard: HeardValue, _ value: Span<UInt8>, _ rules: Rules
    ) {
        for index in trials.indices {
            trials[index].readings.receive(heard, value, isPaused: state == .paused, rules)
        }
    }

    /// A value comes of a device.
    @inline(__always)
    mutating func hear(_ device: DeviceID) {
        if !readings.isOnly(of: device) { turn(to: device) }
    }

    private mutating func turn(to device: DeviceID) {
        readings.turn(to: device, accounting)
        for index in trials.indices { trials[index].readings.turn(to: device, accounting) }
    }

    /// Takes note of a value that was cut or cannot be decoded, of the device that was heard.
    mutating func receiveUndecodable(_ verdict: Delivery.Verdict = .single) {
        guard verdict != .copy else { return }
        readings.receiveUndecodable()
        guard verdict != .candidate else { return }
        for index in trials.indices { trials[index].readings.receiveUndecodable() }
    }

    /// Takes what the chosen pedometer counted since its reading before.
    @inline(__always)
    mutating func receive(
        _ delta: StepsDelta, at now: UInt64, _ rules: Rules, _ effects: inout some EffectSink
    ) {
        guard state == .running else { return }
        guard !way.isAwaited else {
            if delta.isNone && delta.speedMillimetres == nil || delta.isDistanceSetAside { return }
            return way.follow(delta.hasDistance ? .withTotal : .begun, at: now)
        }
        if delta.isDistanceSetAside { excludedDistances.add(1) }
        // A reading without information does not end a silence.
        guard !delta.isNone || delta.distanceMillimetres != nil || delta.speedMillimetres != nil
        else { return }
        steps.add(delta.steps)
        way.read(delta, stride: strideMicrometres(rules), at: now, rules)
        effects.note { $0.session.way = (delta.steps, nil) }
    }

    /// Takes a fix; what is taken while the session is paused is none of its route.
    ///
    /// - Parameters:
    ///   - fix: The fix.
    ///   - place: Where it was.
    ///   - wall: The wall clock when it came.
    ///   - now: The fold time.
    ///   - isOfPhone: Whether an app has determined it, which keeps what it cannot send.
    ///   - rules: Whether everything counts.
    ///   - effects: What it does.
    /// - Returns: What of it was set aside, or nil.
    mutating func receive(
        _ fix: PositionFixed, _ place: Place, wallMilliseconds wall: Int64, at now: UInt64,
        isOfPhone: Bool, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Finding.Code? {
        guard state == .running || isOfPhone else { return nil }
        if fix.isInexact { inexactFixes.add(1) }
        let excludedHeights = route.excludedHeights
        let time =
            rules.countImplausible
            ? FixTime(milliseconds: now, arrivedAt: now)
            : date(fix, wall, at: now, isOfPhone: isOfPhone)
        guard let time else {
            way.follow(route.breakOff(rules), at: now, rules)
            return nil
        }
        if isOfPhone { joinPause(to: time, at: now, rules) }
        let (fixes, jumps, isStart) = (route.fixes, route.jumps, route.isBroken)
        let stretch = route.receive(fix, place, at: time, rules, &effects)
        if route.fixes > fixes {
            way.hearFix(
                time, isStart: isStart || route.jumps > jumps, isOfPhone: isOfPhone, stretch,
                at: now, rules)
        } else {
            way.follow(stretch, at: now, rules)
        }
        effects.note {
            $0.session.way = (0, (route.newest?.time.milliseconds ?? 0).minus(startedAtFold))
        }
        return route.excludedHeights > excludedHeights ? .heightSetAside : nil
    }

    /// Joins what a phone kept from before the last pause to the way before it, and parts what it
    /// took after it from that.
    private mutating func joinPause(to time: FixTime, at now: UInt64, _ rules: Rules) {
        guard pausedAtFold > 0, let last = route.last?.time, last.milliseconds < pausedAtFold
        else { return }
        if time.milliseconds < pausedAtFold {
            if last.arrivedAt <= pausedAtFold { route.rejoin(rules) }
        } else {
            way.follow(route.breakOff(rules), at: now, rules)
        }
    }

    /// Dates a fix: by its own time, unless that is before the session or after the machine's.
    ///
    /// A receiver's clock may be wrong, and the machine's may be set meanwhile: the smallest delay
    /// seen so far, from the receiver's clock to fold time, is taken for the difference between
    /// the two. It is known once three fixes arrive as far apart as they were taken; those of a
    /// backlog arrive all at once, or some at a time.
    ///
    /// - Returns: When it was; nil if that was in a pause.
    private mutating func date(
        _ fix: PositionFixed, _ wall: Int64, at now: UInt64, isOfPhone: Bool
    ) -> FixTime? {
        let difference = Plausibility.clockDifferenceMilliseconds
        let wall = FoldClock.wall(wall)
        guard let taken = fix.fixedAtMilliseconds.map(FoldClock.wall),
            taken >= FoldClock.wall(startedAt.wallMilliseconds) - difference,
            taken <= wall + difference
        else { return state == .paused ? nil : FixTime(milliseconds: now, arrivedAt: now) }
        let last = route.newest?.time
        var time = FixTime(milliseconds: now, arrivedAt: now, takenAtMilliseconds: taken)
        let delay = Int64(now) - taken
        if let last, time.isBackdated(since: last) {
            // Long after the last one it is of another clock.
            guard !time.isSoon(after: last) else { return time }
            (time.takenAtMilliseconds, leastDelay) = (nil, delay)
        } else {
            pacedFixes = last.map(time.isPaced) == true ? min(pacedFixes + 1, 2) : 0
            if leastDelay != nil || pacedFixes == 2 {
                leastDelay = min(leastDelay ?? delay, delay)
            }
        }
        let late = UInt64(max(0, leastDelay.map { delay - $0 } ?? (wall - taken)))
        time.milliseconds = now.minus(late)
        let isBeforePause = time.milliseconds < pausedAtFold
        let isInPause = !isBeforePause && (time.milliseconds < turnedAtFold || state == .paused)
        if isInPause, isOfPhone || leastDelay != nil { return nil }
        let turn = isOfPhone && isBeforePause ? 0 : turnedAtFold
        time.milliseconds = max(time.milliseconds, startedAtFold, turn, last?.milliseconds ?? 0)
        return time
    }
}

// MARK: - Copies and the link

extension Session {
    /// Heeds what a value is or proves, before it is received.
    ///
    /// - Returns: What the value is for this session.
    mutating func weigh(
        _ verdict: Delivery.Verdict, _ delivery: Delivery, of device: DeviceID, at now: UInt64,
        _ effects: inout some EffectSink
    ) -> Delivery.Verdict {
        switch verdict {
        case .single: break
        case .candidate:
            if trials.isEmpty {
                trials = [CopyTrial(device: device, readings: readings)]
                effects.note { $0.session.trial = .began }
            }
            // One trial at a time: until it ends, values of another device count as they come.
            guard trials[0].device == device else { return .single }
            trials[0].readings.receiveCopy()
        case .copy:
            readings.receiveCopy()
            for index in trials.indices { trials[index].readings.receiveCopy() }
            link.noteCopies(since: delivery.groupAt, until: now, factor: delivery.factor)
        case .refuted: endTrial(of: device)
        case .proven:
            if let proven = endTrial(of: device) {
                readings = proven
                effects.note { $0.session.trial = .proved }
            }
            link.noteCopies(
                since: delivery.runAt, until: delivery.copiedAt, factor: delivery.factor)
        case .ended: link.noteUndivided()
        }
        return verdict
    }

    /// Gives up the trial of a device that is away: nothing would prove or refute it.
    mutating func abandonTrial(unless isUp: (DeviceID) -> Bool) {
        if let trial = trials.first, !isUp(trial.device) { trials = [] }
    }

    @discardableResult
    private mutating func endTrial(of device: DeviceID) -> Readings? {
        guard let ended = trials.first, ended.device == device else { return nil }
        trials = []
        return ended.readings
    }

    /// The connection as of the moment to which the session is settled.
    var settledLink: SessionLink { link.settled(at: settledTo, readings, session: startedAtFold) }

    /// The run of RR intervals ends.
    mutating func endRRSpan() {
        readings.endSpans()
        for index in trials.indices { trials[index].readings.endSpans() }
    }

    /// Begins and ends spans as the strap's link stands now.
    mutating func follow(_ strap: Device, at now: UInt64, end: LinkEnd) {
        if let device = link.device {
            if device != strap.id {
                link.end(at: now, .otherStrap, readings, session: startedAtFold)
            } else if !strap.link.isUp {
                let lostAt = strap.link.lostAt ?? now
                link.end(at: lostAt, end, readings, session: startedAtFold)
            }
        }
        if link.device == nil, strap.link.isUp { link.begin(strap.id, at: now, readings) }
    }
}

// MARK: - The state machine

extension Session {
    mutating func pause(
        at now: UInt64, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Bool {
        // Whoever stands still can make it a pause that lasts.
        guard state == .running || standsStill else { return false }
        standsStill = false
        guard state == .running else { return true }
        state = .paused
        (pausedAtFold, turnedAtFold) = (now, now)
        effects.note { $0.session.turn = .paused }
        pauses.add(1)
        way.follow(route.breakOff(rules), at: now, rules)
        way.pause(at: now, rules)
        link.noteUndivided()
        endRRSpan()
        return true
    }

    /// Pauses by itself.
    mutating func standStill(
        at now: UInt64, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Bool {
        guard state == .running, pause(at: now, rules, &effects) else { return false }
        standsStill = true
        return true
    }

    mutating func resume(
        _ stream: SessionStream, at now: UInt64, _ effects: inout some EffectSink
    ) -> Bool {
        guard state == .paused else { return false }
        state = .running
        standsStill = false
        turnedAtFold = now
        way.begin(stream, at: now)
        effects.note { $0.session.turn = .resumed }
        return true
    }

    mutating func end(
        _ event: SessionEnded, _ header: EventHeader, stepsToday: UInt64, at now: UInt64,
        _ rules: Rules
    ) {
        way.follow(route.close(rules), at: now, rules)
        way.close(at: now, rules)
        state = .ended
        standsStill = false
        // What is still on trial stays as it came.
        trials = []
        link.close(at: settledTo, readings, session: startedAtFold)
        endedAt = endedAt ?? header.stamp
        endReason = event.reason
        stepsTodayAtEnd = stepsTodayAtEnd ?? stepsToday
        readings.close()
    }
}
