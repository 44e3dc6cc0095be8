import Decoding
import Events

/// What arrives while a session is open. The caller has settled the time up to `now`.
extension Session {
    /// Takes a heart-rate value that was decoded.
    @inline(__always)
    mutating func receive(
        _ measurement: HeartRateMeasurement, _ value: Span<UInt8>, _ verdict: Delivery.Verdict,
        at now: UInt64, position: Position, _ rules: Rules
    ) {
        guard verdict != .copy else { return }
        let isPaused = state == .paused
        readings.receive(
            measurement, value, isPaused: isPaused, at: now, position: position, rules)
        guard verdict != .candidate else { return }
        for index in trials.indices {
            trials[index].readings.receive(
                measurement, value, isPaused: isPaused, at: now, position: position, rules)
        }
    }

    /// Takes note of a value that could not be decoded.
    mutating func receiveUndecodable(_ verdict: Delivery.Verdict) {
        guard verdict != .copy else { return }
        readings.receiveUndecodable()
        guard verdict != .candidate else { return }
        for index in trials.indices { trials[index].readings.receiveUndecodable() }
    }

    /// Takes what the chosen pedometer counted since its reading before.
    @inline(__always)
    mutating func receive(_ delta: StepsDelta, _ rules: Rules) {
        guard state == .running else { return }
        guard !stream.isAwaited else {
            stream = SessionStream(beganWithDistance: delta.hasDistance)
            return
        }
        steps.add(delta.steps)
        if let distance = delta.distanceMillimetres, let estimated = stream.estimatedSteps {
            measure(distance, estimated, rules)
        } else {
            strideSteps.add(delta.steps)
            stream.estimatedSteps?.add(delta.steps)
        }
        if delta.hasDistance { stream.estimatedSteps = 0 }
    }

    /// Takes what the chosen pedometer counted in several readings.
    ///
    /// - Returns: False, and nothing is changed, if they have to be taken one by one: if the stream
    ///   of the session begins with them, or its distance does.
    mutating func receive(_ told: SteadyCounts) -> Bool {
        guard state == .running else { return true }
        guard !stream.isAwaited, told.total == nil || stream.estimatedSteps == 0 else {
            return false
        }
        steps.add(told.steps)
        if let distance = told.distanceMillimetres {
            hasPedometerDistance = true
            pedometerMillimetres.add(distance)
        } else {
            strideSteps.add(told.steps)
            stream.estimatedSteps?.add(told.steps)
        }
        return true
    }

    /// Takes a fix; while the session is paused it is none of its route.
    mutating func receive(_ fix: PositionFixed, _ place: Place, at now: UInt64) {
        guard state == .running else { return }
        let millimetres = route.receive(fix, place, at: now)
        if !isMeasuredBySteps { routeMillimetres.add(millimetres) }
    }

    /// The pedometer tells the distance of a stretch, in which the stride stood in for it.
    ///
    /// What the stride added is replaced, unless it was more: a distance never goes backwards.
    private mutating func measure(_ distance: UInt64, _ estimated: UInt64, _ rules: Rules) {
        let before = strideMillimetres(of: strideSteps, rules) ?? 0
        let rest = strideSteps.minus(estimated)
        let after = (strideMillimetres(of: rest, rules) ?? 0).plus(distance)
        guard after >= before else { return }
        hasPedometerDistance = true
        strideSteps = rest
        pedometerMillimetres.add(distance)
    }
}

// MARK: - Copies and the link

extension Session {
    /// Heeds what a value is or proves, before it is received.
    ///
    /// - Returns: What the value is for this session.
    mutating func weigh(
        _ verdict: Delivery.Verdict, _ delivery: Delivery, of device: DeviceID, at now: UInt64
    ) -> Delivery.Verdict {
        switch verdict {
        case .single: break
        case .candidate:
            if trials.isEmpty { trials = [Trial(device: device, readings: readings)] }
            // One trial at a time: meanwhile the values of another device count as they come.
            guard trials[0].device == device else { return .single }
            trials[0].readings.receiveCopy()
        case .copy:
            readings.receiveCopy()
            for index in trials.indices { trials[index].readings.receiveCopy() }
            link.noteCopies(since: delivery.groupAt, until: now, factor: delivery.factor)
        case .refuted: endTrial(of: device)
        case .proven:
            if let proven = endTrial(of: device) { readings = proven }
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
    var settledLink: SessionLink {
        link.settled(at: settledTo, readings, session: startedAtFold)
    }

    /// The run of RR intervals ends.
    mutating func endRRSpan() {
        readings.rr.endSpan()
        for index in trials.indices { trials[index].readings.rr.endSpan() }
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
    mutating func pause(at now: UInt64) -> Bool {
        guard state == .running else { return false }
        state = .paused
        turnedAtFold = now
        pauses.add(1)
        route.breakOff()
        link.noteUndivided()
        endRRSpan()
        return true
    }

    mutating func resume(_ stream: SessionStream, at now: UInt64) -> Bool {
        guard state == .paused else { return false }
        state = .running
        turnedAtFold = now
        self.stream = stream
        return true
    }

    mutating func end(_ event: SessionEnded, _ header: EventHeader, stepsToday: UInt64) {
        state = .ended
        // What is still on trial stays as it came.
        trials = []
        link.close(at: settledTo, readings, session: startedAtFold)
        endedAt = header.stamp
        endReason = event.reason
        stepsTodayAtEnd = stepsToday
    }
}
