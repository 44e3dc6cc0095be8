import Events

/// The kinds that come seldom, decoded to typed events.
extension SourceState {
    mutating func evolveRare(
        _ event: borrowing EventView, at now: UInt64, stepsIndex: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        let header = event.header
        if header.kind == .positionFixed { return readFix(event, at: now, rules, &effects) }
        do throws(FieldError) {
            let event = try event.decode()
            defer { followStrap(at: now, end: LinkEnd(event)) }
            switch header.kind.lane {
            case .control: return evolveControl(event, header, at: now, rules, &effects)
            case .link: return evolveLink(event, header, at: now)
            case .heart: return evolveHeart(event, header, at: now, &effects)
            case .steps:
                return evolveSteps(event, header, at: now, stepsIndex: stepsIndex, rules, &effects)
            case .session:
                sessions.noteRun(event, at: now)
                return evolveSession(event, header, at: now, rules, &effects)
            case .place:
                evolvePlace(event)
                return nil
            case .day, nil: return nil
            }
        } catch {
            return error.code == .mismatch ? .unknownEvent : .undecodablePayload
        }
    }

    private mutating func evolvePlace(_ event: Event) {
        switch event {
        case .heightErrorTold(let told):
            recorder.heightErrorMillimetres = told.errorMillimetres
            sessions.change { $0.route.tell(heightErrorMillimetres: told.errorMillimetres) }
        case .positionSourceTold(let told) where told.leftOut == OpenCode(.none):
            recorder.positions.follow(told)
        case .positionSourceTold(let told):
            sessions.change { $0.leftOutFixes.add(told.leftOut.known) }
        default: break
        }
    }

    private mutating func readFix(
        _ event: borrowing EventView, at now: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        guard let fix = event.fix, let place = Place(fix) else { return .undecodablePayload }
        recorder.fixes.add(1)
        recorder.positions.hear(fix, at: event.header.stamp)
        guard !sessions.slot.isEmpty else { return nil }
        return sessions.slot.value.receive(
            fix, place, wallMilliseconds: event.header.stamp.wallMilliseconds, at: now,
            isOfPhone: recorder.positions.areOfPhone, rules, &effects)
    }

    private mutating func evolveControl(
        _ event: Event, _ header: EventHeader, at now: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        switch event {
        case .bootBegan(let event):
            (recorder.bootID, recorder.bootNumber) = (event.bootID, header.stamp.bootNumber)
            recorder.zoneOffsetMinutes = event.zoneOffsetMinutes
            recorder.zoneName = event.zoneName
        case .recorderStarted(let event):
            recorder.zoneOffsetMinutes = event.zoneOffsetMinutes
            recorder.zoneName = event.zoneName
            (recorder.startedPosition, recorder.startedAt) = (header.position, header.stamp)
            recorder.stoppedPosition = nil
            steps.beginListening()
        case .recorderStopped:
            endRecorder(at: header.position, rules, &effects)
            steps.beginListening()
        case .zoneOffsetChanged(let event):
            (recorder.zoneOffsetMinutes, recorder.zoneName) = (event.toMinutes, event.zoneName)
        case .importBegan(let event): devices.isOfFile = event.isOfWalks
        case .profileChanged(let event): recorder.profile = event
        case .walkerDescribed(let event): recorder.walker = event
        case .preferencesChanged(let event): recorder.preferences = event
        case .intakeOverflowed(let event): recorder.lostInputs.add(event.lostEvents)
        default: break
        }
        return nil
    }

    private mutating func evolveLink(
        _ event: Event, _ header: EventHeader, at now: UInt64
    ) -> Finding.Code? {
        var hasRoom = true
        switch event {
        case .adapterStateChanged(let event): recorder.adapter = event.state
        case .deviceSeen(let event): devices.see(event)
        case .devicePaired(let event): hasRoom = devices.pair(event, at: header.position)
        case .deviceForgotten(let event): devices.forget(event.device, at: now)
        case .primaryChosen(let event): devices.choose(event)
        case .contactChosen(let event): hasRoom = devices.choose(event)
        case .linkUp(let event):
            hasRoom = devices.connect(event, at: now)
            if devices.strap?.id == event.device {
                sessions.change { $0.link.noteConnect(event.connectMilliseconds) }
            }
        case .linkLost(let event):
            if devices.strap?.id == event.device { sessions.change { $0.endRRSpan() } }
            devices.disconnect(event, at: now)
        case .connectFailed(let event):
            if let index = devices.index(of: event.device.word) {
                devices.all[index].link.failedAttempts.add(1)
            } else {
                hasRoom = false
            }
            if devices.isStrap(event.device) {
                sessions.change { $0.link.failedAttempts.add(1) }
            }
        default: break
        }
        return hasRoom ? nil : .tooManyDevices
    }

    private mutating func evolveHeart(
        _ event: Event, _ header: EventHeader, at now: UInt64, _ effects: inout some EffectSink
    ) -> Finding.Code? {
        switch event {
        case .characteristicRead(let event):
            guard let index = devices.index(of: event.device.word) else { return .tooManyDevices }
            devices.all[index].link.markUp(at: now)
            return devices.all[index].describe(
                event.characteristic, event.value.span)
        case .valueCut(let event):
            guard let index = devices.index(of: event.device.word) else { return .tooManyDevices }
            devices.all[index].link.markUp(at: now)
            devices.all[index].link.undecodable.add(1)
            if event.characteristic == .heartRateMeasurement {
                sessions.change {
                    $0.hear(event.device)
                    $0.receiveUndecodable()
                }
                noteHeart(nil, .single, of: event.device, &effects)
            }
            return .valueCut
        default: return nil
        }
    }

    private mutating func evolveSteps(
        _ event: Event, _ header: EventHeader, at now: UInt64, stepsIndex: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        let position = header.position
        switch event {
        case .healthTotalObserved(let event):
            return steps.observe(event, at: position, rules, &effects)
        case .legacyValueImported(let event):
            return steps.takeOver(event, at: position, rules, &effects)
        case .stepsCorrected(let event): steps.correct(event, at: position, &effects)
        case .setAsideTaken(let event): steps.takeIn(event, at: position, &effects)
        case .pedometerValueCut: return .valueCut
        case .pedometerChosen(let event):
            let before = steps.chosen?.key
            steps.choose(event, &effects)
            if let chosen = steps.chosen, chosen.key != before {
                sessions.change { $0.way.follow(.awaited, at: now) }
            }
        case .reconciliationTriggered(let event):
            let isInPlace = steps.reconcile(
                event, header, isTrusted: clock.isWallTrusted(at: header.stamp, header.flags),
                at: now, stepsIndex: stepsIndex, rules, &effects)
            return isInPlace ? nil : .dateWentBack
        default: break
        }
        return nil
    }

    private mutating func evolveSession(
        _ event: Event, _ header: EventHeader, at now: UInt64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        var isInPlace = true
        switch event {
        case .sessionStarted(let event):
            guard sessions.slot.isEmpty else { return .sessionOutOfPlace }
            sessions.open = Session(
                event, header, at: now, by: recorder, rules: rules,
                stepsBaseline: stepsToday(at: Moment(header.stamp, header.flags)),
                stream: steps.sessionStream(since: now.minus(rules.cadenceMilliseconds)),
                ownStride: stride.micrometres)
            effects.note { $0.session.turn = .began }
            if let error = recorder.heightErrorMillimetres {
                sessions.change { $0.route.tell(heightErrorMillimetres: error) }
            }
            let strap = devices.strapLink
            if strap.isUp { sessions.change { $0.link.noteConnect(strap.connectMilliseconds) } }
        case .sessionPaused:
            isInPlace = sessions.change { $0.pause(at: now, rules, &effects) } ?? false
        case .standstillBegan:
            if rules.countStandstill { return nil }
            isInPlace = sessions.change { $0.standStill(at: now, rules, &effects) } ?? false
        case .standstillEnded where rules.countStandstill: return nil
        // The walker went on with a pause that the rule has not counted.
        case .sessionResumed where rules.countStandstill && sessions.open?.state == .running:
            return nil
        case .standstillEnded where sessions.open?.standsStill != true: isInPlace = false
        case .sessionResumed, .standstillEnded:
            let recent = now.minus(rules.cadenceMilliseconds)
            let turned = sessions.slot.isEmpty ? 0 : sessions.slot.value.turnedAtFold
            let stream = steps.sessionStream(since: max(recent, turned + 1))
            isInPlace = sessions.change { $0.resume(stream, at: now, &effects) } ?? false
        case .sessionEnded(let event):
            guard !sessions.slot.isEmpty else { return .sessionOutOfPlace }
            let today = stepsToday(at: Moment(header.stamp, header.flags))
            sessions.slot.value.end(event, header, stepsToday: today, at: now, rules)
            sessions.slot.value.noteProgress(rules, at: header.position, &effects)
            stride.take(sessions.slot.value.way.comparison.stride)
            effects.note {
                $0.session.turn = .ended
                $0.session.reach(sessions.slot.value, at: now)
            }
            sessions.past.insert(sessions.slot.value)
            sessions.open = nil
        case .sessionMarked(let event):
            isInPlace = sessions.change { $0.marks.add(1) } != nil
            effects.note { $0.session.turn = .marked(event.text) }
        case .lapMarked(let event):
            isInPlace = sessions.change { $0.endLap(at: now, rules) } != nil
            effects.note { $0.session.turn = .lapped(event.cause.known ?? .unnamed) }
        case .deviceExcluded(let event):
            isInPlace =
                sessions.change(event.session) { $0.exclude(event.device, event.excluded) } ?? false
        case .sessionDescribed(let event): isInPlace = sessions.describe(event)
        default: break
        }
        return isInPlace ? nil : .sessionOutOfPlace
    }
}

extension DaySteps {
    /// Whether the chosen pedometer was read at or after a fold time, by this recorder.
    func isRead(since time: UInt64) -> Bool {
        guard let chosenIndex, let lastAt = pedometers[chosenIndex].lastAt else { return false }
        return !pedometers[chosenIndex].isStale && lastAt >= time
    }

    /// The stream that a session begins now: from the last reading, if that came at or after a
    /// fold time, else from the next one.
    func sessionStream(since time: UInt64) -> SessionStream {
        guard isRead(since: time), let chosen else { return .awaited }
        return chosen.gaveDistance ? .withTotal : .begun
    }
}
