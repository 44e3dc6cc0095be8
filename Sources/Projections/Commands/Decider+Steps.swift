public import Events

/// Requests that concern steps, and what must stand before events of the steps lane.
extension Decider {
    static func stepsEvents(
        _ command: Command, _ live: SourceState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        switch command {
        case .refresh(.clockTrusted):
            guard let date = live.clockDate(at: moment) else { throw Refusal(.clockNotSet) }
            guard let current = live.steps.current?.date, date < current else {
                return try stepsEvents(.refresh(), live, at: moment)
            }
            return [reconciliation(.clockTrusted, date, live)]
        case .refresh(let trigger):
            return [reconciliation(trigger, try today(live, moment), live)]
        case .healthTotal(let total, let date, let until, let origin, let trigger, let author):
            let today = try today(live, moment)
            let date = date ?? today
            if author == nil, total > live.steps[date]?.meantTotal ?? 0 { try checkTotal(total) }
            guard date <= today else { throw Refusal(.futureDate) }
            let observed = HealthTotalObserved(
                date: date, total: total, validUntilMilliseconds: until,
                origin: origin?.origin ?? "")
            let told = events(of: observed, trigger, live, today: today)
            guard let author, total > Plausibility.stepsPerDay else { return told }
            let meant = SetAsideTaken(
                date: date, steps: total, reason: "it is meant", author: author)
            return [.setAsideTaken(meant)] + told
        case .news(let total, let origin):
            guard live.isNews(total) else { return [] }
            let told = Command.healthTotal(
                total.steps, date: total.date,
                validUntilMilliseconds: total.validUntilMilliseconds, origin: origin)
            return try stepsEvents(told, live, at: moment)
        case .legacyTotal(let total, let date, let reason, let author):
            guard !reason.isEmpty, !author.isEmpty else { throw Refusal(.legacyWithoutReason) }
            guard reason.utf8.count <= 512 else {
                throw Refusal(.fieldOutOfRange, field: "reason", limitBytes: 512)
            }
            guard total <= Plausibility.stepsPerDay else { throw Refusal(.legacyNotCredible) }
            let today = try today(live, moment)
            guard date <= today else { throw Refusal(.futureDate) }
            let known = live.steps[date]
            guard known?.legacyTotal != total else { return [] }
            guard total > known?.displayed ?? 0 else { throw Refusal(.legacyNotMore) }
            let value = LegacyValueImported(date: date, total: total)
            return [
                .noted(value.note(because: reason, author: author)), .legacyValueImported(value),
            ] + (date == today ? [reconciliation(.manual, today, live)] : [])
        case .correct(let date, let amount, let reason, let author):
            guard amount != 0, !reason.isEmpty, !author.isEmpty else {
                throw Refusal(.emptyCorrection)
            }
            guard date <= (try today(live, moment)) else { throw Refusal(.futureDate) }
            return [
                .stepsCorrected(
                    StepsCorrected(date: date, correction: amount, reason: reason, author: author))
            ]
        case .takeIn(let position, let reason, let author):
            return try takingIn(position, reason: reason, author: author, live, at: moment)
        case .rollOver:
            let date = try today(live, moment)
            guard let current = live.steps.current?.date, current < date else { return [] }
            return [reconciliation(.rollover, date, live)]
        default: return []
        }
    }

    /// A total, with the reconciliation that it brings about if it is of today.
    private static func events(
        of observed: HealthTotalObserved, _ trigger: Trigger, _ live: SourceState, today: CivilDate
    ) -> [Event] {
        guard observed.date == today else { return [.healthTotalObserved(observed)] }
        return [
            .healthTotalObserved(observed),
            reconciliation(
                trigger, today, live, total: observed.total,
                until: observed.validUntilMilliseconds),
        ]
    }

    /// A reading is taken in by its position; a total by being meant, and told again.
    private static func takingIn(
        _ position: Position, reason: String, author: String, _ live: SourceState,
        at moment: Moment
    ) throws(Refusal) -> [Event] {
        guard !reason.isEmpty, !author.isEmpty else { throw Refusal(.emptyCorrection) }
        for day in live.steps.days {
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
            let today = try today(live, moment)
            guard day.date <= today else { throw Refusal(.futureDate) }
            return [.setAsideTaken(taken)]
                + events(of: observed, .observer, live, today: today)
        }
        throw Refusal(.notSetAside)
    }

    private static func checkTotal(_ total: UInt64) throws(Refusal) {
        guard total <= Plausibility.stepsPerDay else { throw Refusal(.totalNotCredible) }
    }

    private static func today(
        _ live: SourceState, _ moment: Moment
    ) throws(Refusal) -> CivilDate {
        guard let date = live.localDate(at: moment) else { throw Refusal(.clockNotSet) }
        return date
    }

    /// A reconciliation with the inputs it sees: the date's greatest total, at a rollover only if
    /// it is more than the date shows, as where a date counts again whose last total was not
    /// reconciled.
    private static func reconciliation(
        _ trigger: Trigger, _ date: CivilDate, _ live: SourceState, total: UInt64? = nil,
        until: Int64? = nil
    ) -> Event {
        var event = ReconciliationTriggered(
            trigger: trigger, date: date, offsetMinutes: live.recorder.zoneOffsetMinutes)
        var known = live.steps[date]
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
    public static func prefix(
        to event: Event, _ state: LogState, at moment: Moment
    ) -> [Event] {
        guard event.kind.lane == .steps else { return [] }
        var events: [Event] = []
        let live = state.live
        if case .pedometerRead(let event) = event, live.steps.choice == .firstSeen {
            let chosen = live.steps.chosen?.device ?? event.device
            events.append(choice(chosen, live.recorder.profile))
        }
        if case .reconciliationTriggered(let event) = event, event.trigger.known == .rollover {
            return events
        }
        guard let date = live.localDate(at: moment), date != live.steps.current?.date else {
            return events
        }
        return [reconciliation(.rollover, date, live)] + events
    }

    static func choice(_ device: DeviceID?, _ profile: Profile) -> Event {
        .pedometerChosen(
            PedometerChosen(device: device, stepsPerCadenceCount: profile.stepsPerCadenceCount))
    }
}
