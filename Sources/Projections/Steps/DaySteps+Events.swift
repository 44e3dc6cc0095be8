import Events

/// What the events of the steps lane do.
extension DaySteps {
    /// The most pedometers that are told apart in one source.
    static let pedometerLimit = 64

    /// Takes a reading of any pedometer.
    ///
    /// - Returns: What it counted, and whether it is the chosen one; nil if it has no room.
    mutating func read(
        _ value: PedometerValue, distance: UInt64?, of key: UInt64, at position: Position,
        now: FoldMoment, wallMilliseconds: Int64, _ rules: Rules
    ) -> (delta: StepsDelta, isChosen: Bool)? {
        guard let index = pedometerIndex(of: key) else { return nil }
        let isChosen = index == chosenIndex
        let delta = read(
            value, distance: distance, of: index, isChosen: isChosen, at: position, now: now,
            wallMilliseconds: wallMilliseconds, rules)
        return (delta, isChosen)
    }

    /// Takes a reading of a pedometer that is known.
    ///
    /// - Returns: What it counted.
    @inline(__always)
    mutating func read(
        _ value: PedometerValue, distance: UInt64?, of index: Int, isChosen: Bool,
        at position: Position, now: FoldMoment, wallMilliseconds: Int64, _ rules: Rules
    ) -> StepsDelta {
        let isHeld = isHeld(isChosen: isChosen, rules)
        let factor = rules.stepsPerCadenceCount ?? stepsPerCadenceCount
        var delta: StepsDelta
        if isHeld {
            delta = pedometers[index].read(
                value, distance: distance, at: now, stepsPerCadenceCount: factor, rules, &legs)
        } else {
            var legs = NoLegs()
            delta = pedometers[index].read(
                value, distance: distance, at: now, stepsPerCadenceCount: factor, rules, &legs)
        }
        guard isChosen else { return delta }
        let counted = nextReading.counted(delta)
        if isHeld, counted > restOfDay { delta.setAside(delta.steps, .reading) }
        if let setAside = delta.setAside, !slot.isEmpty {
            slot.value.setAside(setAside.steps, setAside.kind, at: position)
        }
        if delta.isNone { return delta }
        // What begins a stream may be of long ago, and counts nothing.
        if nextReading == .nothing { legs.walk(0, legs.turn(to: now), after: nil) }
        if !slot.isEmpty, nextReading.covered > 0 {
            slot.value.coveredSteps.add(nextReading.coveredSteps(of: delta))
        }
        nextReading = .difference(beyond: 0)
        if counted > 0, !slot.isEmpty {
            slot.value.delta.add(counted)
            slot.value.pedometerSteps.add(counted)
            if rules.carryOverlap { overlap.add(counted, at: wallMilliseconds) }
        }
        return delta
    }

    /// Whether the next reading of a pedometer is held against what the legs can have walked.
    func isHeld(isChosen: Bool, _ rules: Rules) -> Bool {
        isChosen && nextReading != .nothing && !rules.countEachMargin && !rules.countImplausible
    }

    /// The most steps that pedometers can still count on this day.
    private var restOfDay: UInt64 {
        Plausibility.stepsPerDay.minus(slot.isEmpty ? 0 : slot.value.pedometerSteps)
    }

    /// Where a pedometer stands that was read before; nil if it was not.
    @inline(__always)
    func knownIndex(of key: UInt64) -> Int? {
        for index in pedometers.indices where pedometers[index].key == key { return index }
        return nil
    }

    private mutating func pedometerIndex(of key: UInt64) -> Int? {
        if let index = knownIndex(of: key) { return index }
        guard pedometers.count < DaySteps.pedometerLimit, let device = DeviceID(word: key) else {
            return nil
        }
        pedometers.append(PedometerStream(device))
        return pedometers.count - 1
    }

    /// Another pedometer counts from now on, from its next reading.
    ///
    /// The same one just goes on.
    mutating func choose(_ event: PedometerChosen) {
        stepsPerCadenceCount = event.stepsPerCadenceCount
        let before = chosen?.key
        choice = event.device.map { .device($0) } ?? .none
        guard let key = event.device?.word, key != before else { return }
        nextReading = .nothing
        // A pedometer that was never read has no stream to leave: its first reading gives nothing.
        if chosen == nil { nextReading = .difference(beyond: 0) }
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
        _ event: HealthTotalObserved, at position: Position, _ rules: Rules
    ) -> Finding.Code? {
        hear(event.total, of: event.date, at: position, rules) { day in
            day.observe(event.total, until: event.validUntilMilliseconds)
        }
    }

    /// Notes what an earlier program displayed.
    ///
    /// - Returns: What was found of it, or nil.
    mutating func takeOver(
        _ event: LegacyValueImported, at position: Position, _ rules: Rules
    ) -> Finding.Code? {
        hear(event.total, of: event.date, at: position, rules) { day in
            day.legacyTotal = max(day.legacyTotal ?? 0, event.total)
        }
    }

    private mutating func hear(
        _ total: UInt64, of date: CivilDate, at position: Position, _ rules: Rules,
        _ note: (inout Day) -> Void
    ) -> Finding.Code? {
        var isBelieved = true
        withDay(date, at: position) { day, isCurrent in
            isBelieved = day.believes(total, rules)
            guard isBelieved else { return day.setAside(total, .total, at: position) }
            note(&day)
            if !isCurrent { day.lateTotal = max(day.lateTotal, total) }
        }
        return isBelieved ? nil : .totalSetAside
    }

    /// A person takes in what was set aside.
    mutating func takeIn(_ event: SetAsideTaken, at position: Position) {
        withDay(event.date, at: position) { day, _ in day.takeIn(event) }
    }

    /// Notes a correction; what is displayed stays.
    mutating func correct(_ event: StepsCorrected, at position: Position) {
        withDay(event.date, at: position) { day, _ in day.correct(event.correction) }
    }

    /// Reconciles, after opening the event's date if that counts from now on.
    ///
    /// - Returns: False if the event's date is over. Its total then counts for that date only.
    mutating func reconcile(
        _ event: ReconciliationTriggered, _ header: EventHeader, isTrusted: Bool,
        at now: UInt64, stepsIndex: UInt64, _ rules: Rules
    ) -> Bool {
        let position = header.position
        if !slot.isEmpty, event.date < slot.value.date, event.trigger.known != .clockTrusted,
            !slot.value.givesWay(to: event.date, isTrusted: isTrusted)
        {
            guard let total = event.healthTotal else { return false }
            _ = hear(total, of: event.date, at: position, rules) { day in
                day.observe(total, until: event.validUntilMilliseconds)
            }
            return false
        }
        if slot.isEmpty || slot.value.date != event.date {
            open(
                event.date, offsetMinutes: event.offsetMinutes, isTrusted: isTrusted,
                at: position, stepsIndex: stepsIndex, rules)
        }
        if isTrusted { slot.value.isDateTrusted = true }
        slot.value.touch(position)
        slot.value.reconciliations.add(1)
        if event.trigger.known != .rollover || event.healthTotal != nil {
            let carried =
                rules.carryOverlap
                ? event.validUntilMilliseconds.map { overlap.steps(after: $0) } ?? 0 : 0
            let reconciliation = slot.value.reconcile(event, carried, at: position, rules)
            let wall = header.stamp.wallMilliseconds
            let (age, overflow) = wall.subtractingReportingOverflow(
                event.validUntilMilliseconds ?? wall)
            coverNextReading(reconciliation, at: now, age: overflow ? 0 : age, rules)
        }
        return true
    }

    /// A total that won may hold steps that the pedometer has counted but not told.
    ///
    /// Not if it was read since the total's end, or a moment ago. Else its next reading counts only
    /// beyond what the total brought: what is displayed never falls, so no step may count twice.
    private mutating func coverNextReading(
        _ last: Reconciliation, at now: UInt64, age: Int64, _ rules: Rules
    ) {
        guard rules.coverUnheard, last.winner == .health, chosenIndex != nil else { return }
        let silence = max(rules.cadenceMilliseconds, UInt64(max(0, age)))
        guard !isRead(since: now.minus(silence)) else { return }
        nextReading.cover(last.result.minus(last.baselinePlusDelta))
    }
}

extension Day {
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
