import Decoding
import Events

/// One step of the fold within a source.
extension SourceState {
    /// - Returns: What it found that it could not use, or nil.
    @inline(__always)
    mutating func evolve(
        _ event: borrowing EventView, stepsIndex: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        // The recorder that held the links is gone: they ended with its last sign of life.
        if event.header.version == 1, event.beginsAnew { endLinks(rules, &effects) }
        let before = clock.milliseconds
        clock.advance(to: event.header)
        let now = clock.milliseconds
        if event.header.kind == .bootBegan, now == before { devices.forgetLosses() }
        // One session can be open; its time is told by the link as it was up to here.
        let isOpen = !sessions.slot.isEmpty
        let wasLeft = isOpen && sessions.slot.value.isLeft
        if wasLeft, isOfWalk(event.header) { sessions.slot.value.goOn() }
        // Steps and places change no link: their time can wait for an event that may, unless the
        // goal is a duration. Time is attributed by addition, so the sums are the same; but what a
        // file tells of a place without a heart rate ends the value that it holds.
        let canWait =
            event.header.kind == .pedometerRead
            || event.header.kind == .positionFixed && event.header.source == 0
        if isOpen, !canWait || sessions.slot.value.goal.kind == .duration {
            sessions.slot.value.settle(to: now, devices.strapTimes, rules, &effects)
        }
        let finding: Finding.Code?
        if event.header.version != 1 {
            finding = .unknownEvent
        } else if event.header.kind == .characteristicNotified {
            finding = readHeart(event, at: now, rules, &effects)
        } else if event.header.kind == .pedometerRead {
            finding = readPedometer(event, at: now, stepsIndex: stepsIndex, rules, &effects)
        } else {
            finding = evolveRare(event, at: now, stepsIndex: stepsIndex, rules, &effects)
        }
        // A heart rate brings a session on by its time alone.
        if isOpen, !sessions.slot.isEmpty,
            event.header.kind != .characteristicNotified
                || sessions.slot.value.goal.kind == .duration
        {
            sessions.slot.value.noteProgress(rules, at: event.header.position, &effects)
        }
        if wasLeft, recorder.stoppedPosition != nil { leaveSession(rules, &effects) }
        effects.note {
            if !sessions.slot.isEmpty { $0.session.reach(sessions.slot.value, at: now) }
        }
        return finding
    }

    /// Whether an event says that a session that was left goes on: if the walker does something
    /// to it, or a recorder that lives.
    ///
    /// An end does not, nor what is said of this or another one after the fact, nor the events
    /// about the machine that precede a process's first event of its own.
    private func isOfWalk(_ header: EventHeader) -> Bool {
        guard header.kind != .sessionEnded, !header.kind.namesSession else { return false }
        return header.kind.lane == .session
            || recorder.stoppedPosition == nil && header.kind.lane != .control
    }

    /// The recorder is gone with the last event.
    mutating func endRecorder(
        at position: Position?, _ rules: Rules, _ effects: inout some EffectSink
    ) {
        recorder.stoppedPosition = position
        endLinks(rules, &effects)
    }

    /// Every link that is up ends with the last event, and the open session is left.
    mutating func endLinks(_ rules: Rules, _ effects: inout some EffectSink) {
        let now = clock.milliseconds
        leaveSession(rules, &effects)
        if !sessions.slot.isEmpty { sessions.slot.value.endRRSpan() }
        for index in devices.all.indices { devices.all[index].link.end(at: now) }
        followStrap(at: now)
    }

    /// Nobody records the open session after the last event, unless what comes says otherwise.
    private mutating func leaveSession(_ rules: Rules, _ effects: inout some EffectSink) {
        guard !sessions.slot.isEmpty, !sessions.slot.value.isLeft else { return }
        sessions.slot.value.settle(to: clock.milliseconds, devices.strapTimes, rules, &effects)
        guard !rules.countUnrecorded else { return }
        let last = clock.lastStamp
        sessions.slot.value.endedAt = last
        sessions.slot.value.stepsTodayAtEnd = stepsToday(at: Moment(last, []))
    }

    // MARK: - Hot kinds

    @inline(__always)
    private mutating func readHeart(
        _ event: borrowing EventView, at now: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        guard let fields = event.heartFields else { return .undecodablePayload }
        guard let index = devices.index(of: fields.device.word) else { return .tooManyDevices }
        guard fields.characteristic == .heartRateMeasurement else {
            return event.withBytes(fields.value) {
                devices.all[index].describe(fields.characteristic, $0)
            }
        }
        if devices.strapIndex != index || !devices.all[index].link.isUp {
            useStrap(index, at: now)
        }
        if !sessions.slot.isEmpty { sessions.slot.value.hear(fields.device) }
        return event.withBytes(fields.value) { value in
            do throws(MalformedMeasurement) {
                let measurement = try HeartRateMeasurement(decoding: value)
                let reading = HeartReading(
                    measurement, isContactIgnored: devices.all[index].contact.isIgnored, rules)
                let heard = HeardValue(
                    measurement: measurement, reading: reading, at: now,
                    position: event.header.position)
                var verdict = devices.all[index].hear(heard, value, rules)
                if verdict != .single { verdict = weigh(verdict, of: index, at: now, &effects) }
                if !sessions.slot.isEmpty {
                    sessions.slot.value.receive(heard, verdict, value, of: fields.device, rules)
                    noteHeart(heard, verdict, of: fields.device, &effects)
                }
                return measurement.trailingByteCount == 0 ? nil : .trailingBytes
            } catch {
                return receiveUndecodable(value, of: index, at: now, rules, &effects)
            }
        }
    }

    /// A value came that cannot be decoded.
    private mutating func receiveUndecodable(
        _ value: Span<UInt8>, of index: Int, at now: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        devices.all[index].link.undecodable.add(1)
        var verdict = devices.all[index].link.delivery.take(value, nil, at: now, rules)
        verdict = weigh(verdict, of: index, at: now, &effects)
        if !sessions.slot.isEmpty {
            sessions.slot.value.receiveUndecodable(verdict)
            noteHeart(nil, verdict, of: devices.all[index].id, &effects)
        }
        return .undecodableValue
    }

    /// Says what became of a value in the open session.
    @inline(__always)
    func noteHeart(
        _ heard: HeardValue?, _ verdict: Delivery.Verdict, of device: DeviceID,
        _ effects: inout some EffectSink
    ) {
        effects.note {
            $0.session.heart = HeartEffect(heard, verdict, of: device, in: sessions.slot.value)
        }
    }

    /// A value came of a device that was not the strap, or whose link was not known to stand.
    private mutating func useStrap(_ index: Int, at now: UInt64) {
        devices.strapIndex = index
        devices.all[index].markUp(at: now)
        followStrap(at: now)
    }

    /// Lets the open session know what a value proves of those before it.
    ///
    /// - Returns: What the value is for that session.
    @inline(never)
    private mutating func weigh(
        _ verdict: Delivery.Verdict, of index: Int, at now: UInt64,
        _ effects: inout some EffectSink
    ) -> Delivery.Verdict {
        if verdict == .proven || verdict == .ended {
            effects.note {
                let device = devices.all[index]
                $0.delivery = (device.id, device.link.delivery.factor)
            }
        }
        guard !sessions.slot.isEmpty else { return verdict }
        let delivery = devices.all[index].link.delivery
        if verdict == .candidate {
            sessions.slot.value.abandonTrial { devices[$0]?.link.isUp ?? false }
        }
        return sessions.slot.value.weigh(
            verdict, delivery, of: devices.all[index].id, at: now, &effects)
    }

    /// Updates the open session with the state of the strap's link.
    ///
    /// - Parameters:
    ///   - now: The fold time.
    ///   - end: What ended the link, if it is no longer up.
    mutating func followStrap(at now: UInt64, end: LinkEnd = .recorderGone) {
        guard !sessions.slot.isEmpty, let index = devices.strapIndex else { return }
        sessions.slot.value.follow(devices.all[index], at: now, end: end)
    }

    @inline(__always)
    private mutating func readPedometer(
        _ event: borrowing EventView, at now: UInt64, stepsIndex: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        guard let fields = event.pedometerFields else { return .undecodablePayload }
        defer {
            effects.note {
                $0.date = steps.chosen?.device == fields.device ? steps.current?.date : nil
            }
        }
        var value = PedometerValue.counter(fields.count)
        var finding: Finding.Code? = nil
        if fields.form != .counter {
            finding = event.withBytes(fields.value) { value.decode($0, fields.form) }
            if finding == .undecodableValue {
                if !sessions.slot.isEmpty { sessions.slot.value.excludedReadings.add(1) }
                return finding
            }
        }
        if steps.slot.isEmpty {
            openDay(event.header, stepsIndex: stepsIndex, rules, &effects)
        }
        var delta = StepsDelta()
        let isChosen = steps.read(
            value, distance: fields.distanceMillimetres, of: fields.device.word,
            at: event.header.position, now: clock.moment,
            wallMilliseconds: event.header.stamp.wallMilliseconds,
            steps.isOverMidnight ? overMidnight(event.header, rules) : nil, rules, &delta,
            &effects)
        if !steps.slot.isEmpty { steps.slot.value.touch(event.header.position) }
        guard let isChosen else { return finding }
        if isChosen, !sessions.slot.isEmpty {
            sessions.slot.value.receive(delta, at: now, rules, &effects)
        }
        return finding ?? delta.finding
    }

    /// Before any reconciliation the first reading opens its own local date, if that is known.
    private mutating func openDay(
        _ header: EventHeader, stepsIndex: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) {
        guard let date = localDate(at: Moment(header.stamp, header.flags)) else { return }
        steps.open(
            date, offsetMinutes: recorder.zoneOffsetMinutes,
            isTrusted: clock.isWallTrusted(at: header.stamp, header.flags), at: header.position,
            stepsIndex: stepsIndex, rules, &effects)
    }
}

extension EventView {
    /// Whether what stood before the event ended nobody knows when: a machine, a recorder or a new
    /// origin begins, or a recorder is found dead.
    @inline(__always)
    fileprivate var beginsAnew: Bool {
        header.kind.rawValue >> 5 == Lane.control.rawValue
            && (header.kind == .recorderStarted || header.kind == .bootBegan
                || header.kind == .originBegan
                || header.kind == .recorderStopped && reportsDeadRecorder)
    }

    private var reportsDeadRecorder: Bool {
        guard case .recorderStopped(let event) = decoded else { return false }
        return event.reason.known == .foundDead
    }
}

// MARK: - Values of a device

/// A heart-rate value of a device.
struct HeardValue {
    /// What it says.
    let measurement: HeartRateMeasurement
    /// The same by the rules.
    let reading: HeartReading
    /// When it came, in fold time.
    let at: UInt64
    /// The event.
    let position: Position
}

extension Device {
    /// Takes a heart-rate value; what may be a copy is no newer than the value before.
    ///
    /// - Returns: Whether it is a value of its own, and what it proves of those before it.
    @inline(__always)
    fileprivate mutating func hear(
        _ heard: HeardValue, _ value: Span<UInt8>, _ rules: Rules
    ) -> Delivery.Verdict {
        let verdict = link.delivery.take(value, heard.measurement, at: heard.at, rules)
        link.values.add(1)
        let isNew = verdict != .copy && verdict != .candidate
        if isNew { contact.note(heard.measurement) }
        // What no heart can beat says nothing, as if it could not be decoded.
        guard heard.reading.doubt != .notCredible else { return verdict }
        if isNew {
            if let last = link.lastValueAt, last >= link.upSince ?? 0 {
                link.cadence.note(heard.at.minus(last))
            }
            link.lastValueAt = heard.at
        }
        link.lastBPM = heard.reading.heartRateBPM
        link.lastWithoutContact = heard.reading.isWithoutContact
        if !link.isWithoutPulse { (link.pulseBPM, link.pulseAt) = (link.lastBPM, heard.at) }
        return verdict
    }

    /// Takes what a device says of itself: location, maker, battery.
    mutating func describe(
        _ characteristic: CharacteristicCode, _ value: Span<UInt8>
    ) -> Finding.Code? {
        do throws(MalformedMeasurement) {
            switch characteristic {
            case .bodySensorLocation:
                bodyLocation = try BodySensorLocation(decoding: value).number
            case .manufacturerName:
                manufacturer = try ManufacturerName(decoding: value).text
            case .batteryLevel:
                batteryPercent = try BatteryLevel(decoding: value).percent
            case .heartRateMeasurement, .runningSpeedCadenceMeasurement, .infiniTimeStepCount:
                break
            }
            return nil
        } catch {
            link.undecodable.add(1)
            return .undecodableValue
        }
    }
}
