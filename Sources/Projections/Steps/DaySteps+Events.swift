import Events

/// What the events of the steps lane do.
extension DaySteps {
    /// The most pedometers that are told apart in one source.
    static let pedometerLimit = 64

    /// Takes a reading of any pedometer.
    ///
    /// - Returns: Whether it is the chosen one; nil if it has no room. What it counted is `delta`.
    mutating func read(
        _ value: PedometerValue, distance: UInt64?, of key: UInt64, at position: Position,
        now: FoldMoment, wallMilliseconds: Int64, _ midnight: OverMidnight?, _ rules: Rules,
        _ delta: inout StepsDelta, _ effects: inout some EffectSink
    ) -> Bool? {
        guard let index = pedometerIndex(of: key) else { return nil }
        effects.note { $0.reading = ReadingEffect(of: pedometers[index].device, value) }
        let isChosen = index == chosenIndex
        let isHeld = isHeld(isChosen: isChosen, rules)
        if isHeld {
            pedometers[index].read(
                value, distance: distance, at: now, stepsPerCadenceCount: stepsPerCadenceCount,
                rules, &legs,
                &delta, &effects)
        } else {
            var legs = NoLegs()
            pedometers[index].read(
                value, distance: distance, at: now, stepsPerCadenceCount: stepsPerCadenceCount,
                rules, &legs,
                &delta, &effects)
        }
        guard isChosen else { return false }
        let next = nextReading
        var share = next.share(of: delta, midnight)
        if isHeld, share.counted > restOfDay {
            delta.setAside(delta.steps, .reading)
            share = StepsShare()
        }
        delta.isPartSetAside = share.setAside > 0
        effects.note { $0.reading?.take(delta, next, share, midnight) }
        if !delta.isNone {
            // What begins a stream may be of long ago, and counts nothing.
            if next == .nothing { legs.walk(0, legs.turn(to: now), after: nil) }
            expect(.difference(beyond: 0), &effects)
        }
        guard !slot.isEmpty else { return true }
        slot.value.take(at: position, &effects) { $0.read(delta, share, midnight, at: position) }
        if share.counted > 0, rules.carryOverlap {
            overlap.add(share.counted, at: wallMilliseconds)
        }
        effects.note { $0.day?.coveredSteps = share.covered }
        return true
    }

    /// Whether the next reading of a pedometer is held against what the legs can have walked.
    func isHeld(isChosen: Bool, _ rules: Rules) -> Bool {
        isChosen && nextReading != .nothing && !rules.countEachMargin && !rules.countImplausible
    }

    /// The most steps that pedometers can still count on this day.
    private var restOfDay: UInt64 {
        Plausibility.stepsPerDay.minus(slot.isEmpty ? 0 : slot.value.pedometerSteps)
    }

    private mutating func pedometerIndex(of key: UInt64) -> Int? {
        for index in pedometers.indices where pedometers[index].key == key { return index }
        guard pedometers.count < DaySteps.pedometerLimit, let device = DeviceID(word: key) else {
            return nil
        }
        pedometers.append(PedometerStream(device))
        return pedometers.count - 1
    }

    /// Another pedometer counts from now on, from its next reading.
    ///
    /// The same one just goes on.
    mutating func choose(_ event: PedometerChosen, _ effects: inout some EffectSink) {
        effects.note { $0.date = current?.date }
        stepsPerCadenceCount = event.stepsPerCadenceCount
        let before = chosen?.key
        choice = event.device.map { .device($0) } ?? .none
        guard let key = event.device?.word, key != before else { return }
        // A pedometer that was never read has no stream to leave: its first reading gives nothing.
        expect(chosen == nil ? .difference(beyond: 0) : .nothing, &effects)
    }

    /// The recorder started: what is counted until the next reading was counted unheard.
    mutating func beginListening() {
        for index in pedometers.indices { pedometers[index].isStale = true }
    }

    /// Notes a health total.
    ///
    /// It changes the current day only through a reconciliation.
    ///
    /// - Returns: What was found of it, or nil.
    mutating func observe(
        _ event: HealthTotalObserved, at position: Position, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        let finding = hear(event.total, of: event.date, at: position, .lateTotal, rules, &effects) {
            $0.observe(event.total, until: event.validUntilMilliseconds)
        }
        effects.note { $0.day?.reporter = event.reporter }
        return finding
    }

    /// Notes what an earlier program displayed.
    ///
    /// - Returns: What was found of it, or nil.
    mutating func takeOver(
        _ event: LegacyValueImported, at position: Position, _ rules: Rules,
        _ effects: inout some EffectSink
    ) -> Finding.Code? {
        hear(event.total, of: event.date, at: position, .legacyValue, rules, &effects) { day in
            day.legacyTotal = max(day.legacyTotal ?? 0, event.total)
        }
    }

    private mutating func hear(
        _ total: UInt64, of date: CivilDate, at position: Position, _ cause: StepsCause,
        _ rules: Rules, _ effects: inout some EffectSink, _ note: (inout Day) -> Void
    ) -> Finding.Code? {
        var isBelieved = true
        withDay(date, at: position, &effects) { day, isCurrent in
            isBelieved = day.believes(total, rules)
            guard isBelieved else {
                day.setAside(total, .total, at: position)
                return .setAside
            }
            note(&day)
            if isCurrent { return nil }
            day.lateTotal = max(day.lateTotal, total)
            return cause
        }
        guard isBelieved else { return .totalSetAside }
        effects.note { $0.day?.told = total }
        return nil
    }

    /// A person takes in what was set aside.
    mutating func takeIn(
        _ event: SetAsideTaken, at position: Position, _ effects: inout some EffectSink
    ) {
        withDay(event.date, at: position, &effects) { day, _ in
            day.takeIn(event)
            return event.reading == nil ? nil : .correction
        }
    }

    /// Notes a correction; what is displayed stays.
    mutating func correct(
        _ event: StepsCorrected, at position: Position, _ effects: inout some EffectSink
    ) {
        withDay(event.date, at: position, &effects) { day, _ in
            day.correct(event.correction)
            return .correction
        }
    }

    /// Reconciles, after opening the event's date if that counts from now on.
    ///
    /// - Returns: False if the event's date is over. Its total then counts for that date only.
    mutating func reconcile(
        _ event: ReconciliationTriggered, _ header: EventHeader, isTrusted: Bool,
        at now: UInt64, stepsIndex: UInt64, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Bool {
        let position = header.position
        effects.note { $0.date = event.date }
        if !slot.isEmpty, event.date < slot.value.date, event.trigger.known != .clockTrusted,
            !slot.value.givesWay(to: event.date, isTrusted: isTrusted)
        {
            guard let total = event.healthTotal else { return false }
            _ = hear(total, of: event.date, at: position, .lateTotal, rules, &effects) {
                $0.observe(total, until: event.validUntilMilliseconds)
            }
            return false
        }
        if slot.isEmpty || slot.value.date != event.date {
            open(
                event.date, offsetMinutes: event.offsetMinutes, isTrusted: isTrusted,
                at: position, stepsIndex: stepsIndex, rules, &effects)
        }
        if isTrusted { slot.value.isDateTrusted = true }
        slot.value.reconciliations.add(1)
        let carried =
            rules.carryOverlap
            ? event.validUntilMilliseconds.map { overlap.steps(after: $0) } ?? 0 : 0
        var reconciliation: Reconciliation?
        slot.value.take(at: position, &effects) { day in
            if event.trigger.known != .rollover || event.healthTotal != nil {
                reconciliation = day.reconcile(event, carried, at: position, rules)
            }
            return .reconciliation(event.trigger)
        }
        guard let reconciliation else { return true }
        if reconciliation.health != nil { effects.note { $0.day?.told = event.healthTotal } }
        let wall = header.stamp.wallMilliseconds
        let (age, overflow) = wall.subtractingReportingOverflow(
            event.validUntilMilliseconds ?? wall)
        coverNextReading(reconciliation, at: now, age: overflow ? 0 : age, rules, &effects)
        return true
    }

    /// A total that won may hold steps that the pedometer has counted but not told.
    ///
    /// Not if it was read since the total's end, or a moment ago. Else its next reading counts only
    /// beyond what the total brought: what is displayed never falls, so no step may count twice.
    private mutating func coverNextReading(
        _ last: Reconciliation, at now: UInt64, age: Int64, _ rules: Rules,
        _ effects: inout some EffectSink
    ) {
        guard rules.coverUnheard, last.winner == .health, chosenIndex != nil else { return }
        let silence = max(rules.cadenceMilliseconds, UInt64(max(0, age)))
        guard !isRead(since: now.minus(silence)) else { return }
        expect(nextReading.covering(last.result.minus(last.baselinePlusDelta)), &effects)
    }
}

extension Day {
    /// Takes what the chosen pedometer counted.
    @inline(__always)
    fileprivate mutating func read(
        _ delta: StepsDelta, _ share: StepsShare, _ midnight: OverMidnight?, at position: Position
    ) -> StepsCause {
        if let (steps, kind) = delta.setAside { setAside(steps, kind, at: position) }
        if share.setAside > 0 { setAside(share.setAside, .overMidnight, at: position, midnight) }
        self.delta.add(share.counted)
        pedometerSteps.add(share.counted)
        coveredSteps.add(share.covered)
        let isWhole = delta.setAside == nil && share.setAside == 0
        return isWhole || share.counted > 0 ? .pedometer : .setAside
    }

    /// Reconciles with a health total, if there is one, and the steps that were counted after it.
    ///
    /// - Returns: What came of it.
    fileprivate mutating func reconcile(
        _ event: ReconciliationTriggered, _ carried: UInt64, at position: Position, _ rules: Rules
    ) -> Reconciliation {
        var health = event.healthTotal
        // Observed already, unless the event was imported without the total's own.
        if let total = health {
            if believes(total, rules) {
                observe(total, until: event.validUntilMilliseconds)
            } else {
                setAside(total, .total, at: position)
                health = nil
            }
        }
        let carried = health == nil ? 0 : carried
        let proven = reconciliations > 1 || displayed > 0 ? displayed : nil
        let reconciliation = Reconciliation(
            position: position, trigger: event.trigger,
            health: health.map { $0.plus(carried) }, carriedSteps: carried,
            baselinePlusDelta: baseline.plus(delta),
            persisted: legacyTotal.map { max($0, proven ?? 0) } ?? proven)
        reconcile(reconciliation)
        return reconciliation
    }
}
