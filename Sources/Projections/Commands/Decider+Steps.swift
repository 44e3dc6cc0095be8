package import Events

/// Requests that concern steps, and what must stand before events of the steps lane.
extension Decider {
    static func stepsEvents(
        _ command: Command, _ own: SourceState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        switch command {
        case .refresh(.clockTrusted):
            guard let date = own.clockDate(at: moment) else { throw Refusal(.clockNotSet) }
            guard let current = own.steps.current?.date, date < current else {
                return try stepsEvents(.refresh(), own, at: moment)
            }
            return [reconciliation(.clockTrusted, date, own)]
        case .refresh(let trigger):
            return [reconciliation(trigger, try today(own, moment), own)]
        case .healthTotal(let total, let date, let until, let origin, let trigger, let author):
            let today = try today(own, moment)
            let date = date ?? today
            if author == nil, total > own.steps[date]?.meantTotal ?? 0 { try checkTotal(total) }
            guard date <= today else { throw Refusal(.futureDate) }
            let observed = HealthTotalObserved(
                date: date, total: total, validUntilMilliseconds: until,
                origin: origin?.origin ?? "")
            let told = events(of: observed, trigger, own, today: today)
            guard let author, total > Plausibility.stepsPerDay else { return told }
            let meant = SetAsideTaken(
                date: date, steps: total, reason: "it is meant", author: author)
            return [.setAsideTaken(meant)] + told
        case .news(let total, let origin):
            guard own.isNews(total) else { return [] }
            let told = Command.healthTotal(
                total.steps, date: total.date,
                validUntilMilliseconds: total.validUntilMilliseconds, origin: origin)
            return try stepsEvents(told, own, at: moment)
        case .legacyTotal(let total, let date, let reason, let author):
            guard !reason.isEmpty, !author.isEmpty else { throw Refusal(.legacyWithoutReason) }
            guard reason.utf8.count <= 512 else {
                throw Refusal(.fieldOutOfRange, field: "reason", limitBytes: 512)
            }
            guard total <= Plausibility.stepsPerDay else { throw Refusal(.legacyNotCredible) }
            let today = try today(own, moment)
            guard date <= today else { throw Refusal(.futureDate) }
            let known = own.steps[date]
            guard known?.legacyTotal != total else { return [] }
            guard total > known?.displayed ?? 0 else { throw Refusal(.legacyNotMore) }
            let value = LegacyValueImported(date: date, total: total)
            return [
                .noted(value.note(because: reason, author: author)), .legacyValueImported(value),
            ] + (date == today ? [reconciliation(.manual, today, own)] : [])
        case .correct(let date, let amount, let reason, let author):
            guard amount != 0, !reason.isEmpty, !author.isEmpty else {
                throw Refusal(.emptyCorrection)
            }
            guard date <= (try today(own, moment)) else { throw Refusal(.futureDate) }
            return [
                .stepsCorrected(
                    StepsCorrected(date: date, correction: amount, reason: reason, author: author))
            ]
        case .takeIn(let position, let reason, let author):
            return try takingIn(position, reason: reason, author: author, own, at: moment)
        case .rollOver:
            let date = try today(own, moment)
            guard let current = own.steps.current?.date, current < date else { return [] }
            return [reconciliation(.rollover, date, own)]
        default: return []
        }
    }

    /// A total, with the reconciliation that it brings about if it is of today.
    private static func events(
        of observed: HealthTotalObserved, _ trigger: Trigger, _ own: SourceState, today: CivilDate
    ) -> [Event] {
        guard observed.date == today else { return [.healthTotalObserved(observed)] }
        return [
            .healthTotalObserved(observed),
            reconciliation(
                trigger, today, own, total: observed.total,
                until: observed.validUntilMilliseconds),
        ]
    }

    /// A reading is taken in by its position; a total by being meant, and told again.
    private static func takingIn(
        _ position: Position, reason: String, author: String, _ own: SourceState,
        at moment: Moment
    ) throws(Refusal) -> [Event] {
        guard !reason.isEmpty, !author.isEmpty else { throw Refusal(.emptyCorrection) }
        for day in own.steps.days {
            guard let found = day.setAside.first(where: { $0.position == position }) else {
                continue
            }
            guard !found.isTaken else { throw Refusal(.alreadyTaken) }
            let isTotal = found.kind == .total
            let taken = SetAsideTaken(
                date: day.date, reading: isTotal ? nil : position, steps: found.steps,
                reason: reason, author: author)
            guard isTotal else { return [.setAsideTaken(taken)] }
            let observed = HealthTotalObserved(date: day.date, total: found.steps)
            let today = try today(own, moment)
            guard day.date <= today else { throw Refusal(.futureDate) }
            return [.setAsideTaken(taken)]
                + events(of: observed, .observer, own, today: today)
        }
        throw Refusal(.notSetAside)
    }

    private static func checkTotal(_ total: UInt64) throws(Refusal) {
        guard total <= Plausibility.stepsPerDay else { throw Refusal(.totalNotCredible) }
    }

    private static func today(
        _ own: SourceState, _ moment: Moment
    ) throws(Refusal) -> CivilDate {
        guard let date = own.localDate(at: moment) else { throw Refusal(.clockNotSet) }
        return date
    }

    /// A reconciliation with the inputs it sees: the date's greatest total, at a rollover only if
    /// it is more than the date shows, as where a date counts again whose last total was not
    /// reconciled.
    private static func reconciliation(
        _ trigger: Trigger, _ date: CivilDate, _ own: SourceState, total: UInt64? = nil,
        until: Int64? = nil
    ) -> Event {
        var event = ReconciliationTriggered(
            trigger: trigger, date: date, offsetMinutes: own.recorder.zoneOffsetMinutes)
        var known = own.steps[date]
        if trigger == .rollover, known?.observedTotal ?? 0 <= known?.displayed ?? 0 { known = nil }
        event.healthTotal = known?.observedTotal
        event.validUntilMilliseconds = known?.observedUntilMilliseconds
        if let total, total >= event.healthTotal ?? 0 {
            event.healthTotal = total
            event.validUntilMilliseconds = until
        }
        return .reconciliationTriggered(event)
    }

    /// What must stand before an event: the rollover before the first one of the steps lane on a
    /// new local date, and the choice of a pedometer before the first reading of all.
    ///
    /// - Parameters:
    ///   - event: What is to be appended.
    ///   - state: The state after the last event of the log.
    ///   - moment: When it arrived.
    /// - Returns: The events, mostly none.
    package static func prefix(
        to event: Event, _ state: LogState, at moment: Moment
    ) -> [Event] {
        guard event.kind.lane == .steps else { return [] }
        var events: [Event] = []
        let own = state.own
        if case .pedometerRead(let event) = event, own.steps.choice == .firstSeen {
            let chosen = own.steps.chosen?.device ?? event.device
            events.append(choice(chosen, own.recorder.profile))
        }
        if case .reconciliationTriggered(let event) = event, event.trigger.known == .rollover {
            return events
        }
        guard let date = own.localDate(at: moment), date != own.steps.current?.date else {
            return events
        }
        return [reconciliation(.rollover, date, own)] + events
    }

    static func choice(_ device: DeviceID?, _ profile: Profile) -> Event {
        .pedometerChosen(
            PedometerChosen(device: device, stepsPerCadenceCount: profile.stepsPerCadenceCount))
    }
}
