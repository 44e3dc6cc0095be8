public import Events

/// Follows the live fold and reports each change of a day's count as it comes.
///
/// The fold is the one truth: nothing is counted here a second time. An event changes at most one
/// day, so the audit looks at that day before and after it, and keeps nothing else.
///
/// ```swift
/// var audit = StepsAudit()
/// try log.read { event in
///     if let change = audit.evolve(event) { show(change) }
///     return true
/// }
/// ```
public struct StepsAudit: Sendable {
    /// The state after the last event.
    public private(set) var state: LogState
    /// The totals that cover a part of the next reading, or nil.
    private(set) var covering: CoveringTotals?
    /// The greatest total of each date, and who reported it; only looked up, never walked.
    private var reports: [CivilDate: (total: UInt64, reporter: Reporter?)] = [:]
    /// The greatest value of an earlier program for each date, likewise.
    private var legacies: [CivilDate: (total: UInt64, reporter: Reporter?)] = [:]
    /// The text of the last note.
    private(set) var note: String?

    /// Begins before the first event.
    public init(rules: Rules = Rules()) {
        state = LogState(rules: rules)
    }

    /// Takes one event in.
    ///
    /// - Parameter event: The event, in place.
    /// - Returns: What it changed, or nil if no day of the live recorder changed.
    public mutating func evolve(_ event: borrowing EventView) -> StepsChange? {
        let before = state.nextReading
        let change = take(event)
        let next = state.nextReading
        guard next != before else { return change }
        switch (before, next) {
        case (.difference, .difference(let covered)) where covered > before.covered,
            (.restartOnly, .restartOnly(let covered)) where covered > before.covered:
            covering = CoveringTotals(
                count: (covering?.count ?? 0) + 1, lastPosition: event.header.position)
        default:
            covering =
                next.covered > 0
                ? CoveringTotals(count: 1, lastPosition: event.header.position) : nil
        }
        return change
    }

    private mutating func take(_ event: borrowing EventView) -> StepsChange? {
        let header = event.header
        if header.kind == .pedometerRead, header.provenance == .walked {
            return evolveReading(event)
        }
        guard let fact = DatedFact(event) else {
            if header.kind == .noted, header.provenance == .walked,
                case .noted(let event) = event.decoded
            {
                note = event.text
            }
            state.evolve(event)
            return nil
        }
        let known = state.live.steps[fact.date]
        let before = known?.displayed ?? 0
        state.evolve(event)
        guard let day = state.live.steps[fact.date] else { return nil }
        let isSetAside = day.setAsideCount > known?.setAsideCount ?? 0
        if case .healthTotalObserved(let event) = fact.event, day.observedTotal == event.total {
            note(event)
        }
        if case .legacyValueImported(let event) = fact.event, day.legacyTotal == event.total {
            legacies[event.date] = (event.total, event.reporter(noted: note))
        }
        let isCurrent = state.live.steps.current?.date == fact.date
        let cause: StepsCause
        switch fact.event {
        case .reconciliationTriggered(let event) where isCurrent:
            cause = .reconciliation(event.trigger)
        case .stepsCorrected: cause = .correction
        case .setAsideTaken(let event) where event.reading != nil: cause = .correction
        case .healthTotalObserved where isSetAside, .legacyValueImported where isSetAside,
            .reconciliationTriggered where isSetAside:
            cause = .setAside
        case .legacyValueImported: cause = .legacyValue
        default: cause = .lateTotal
        }
        switch cause {
        case .reconciliation, .correction, .setAside: break
        case .pedometer, .lateTotal, .legacyValue:
            guard day.displayed != before else { return nil }
        }
        // What is displayed may be what another program showed, as it was before a restart.
        let last = day.lastReconciliation
        let isLegacy =
            cause == .legacyValue
            || last?.position == header.position && last?.winner == .persisted
                && last?.persisted == legacies[fact.date]?.total
        return change(
            day, header, cause, before: before,
            reporter: isLegacy ? legacies[fact.date] : reports[fact.date],
            setAside: isSetAside ? day.setAside.last : nil)
    }

    /// Notes who reported the greatest total of a date, as the fold notes the total.
    private mutating func note(_ event: HealthTotalObserved) {
        guard event.total >= reports[event.date]?.total ?? 0 else { return }
        reports[event.date] = (event.total, event.reporter)
    }

    private mutating func evolveReading(_ event: borrowing EventView) -> StepsChange? {
        let before = state.live.steps.current
        state.evolve(event)
        // A reading that opens the first day counts nothing.
        guard let before, let day = state.live.steps.current else { return nil }
        let steps = day.coveredSteps.minus(before.coveredSteps)
        let covered = steps == 0 ? nil : covering.map { CoveredSteps(steps: steps, totals: $0) }
        let isSetAside = day.setAsideCount > before.setAsideCount
        guard day.displayed != before.displayed || covered != nil || isSetAside else { return nil }
        return change(
            day, event.header, isSetAside ? .setAside : .pedometer, before: before.displayed,
            covered, countedBy: event.pedometerFields?.device,
            setAside: isSetAside ? day.setAside.last : nil)
    }

    private func change(
        _ day: Day, _ header: EventHeader, _ cause: StepsCause, before: UInt64,
        _ covered: CoveredSteps? = nil, reporter told: (total: UInt64, reporter: Reporter?)? = nil,
        countedBy: DeviceID? = nil, setAside: SetAside? = nil
    ) -> StepsChange {
        let last = day.lastReconciliation
        let reconciliation = last?.position == header.position ? last : nil
        let total =
            cause == .lateTotal || cause == .legacyValue
            ? day.lateTotal
            : reconciliation.flatMap {
                $0.winner == .persisted ? $0.persisted : $0.health?.minus($0.carriedSteps)
            }
        return StepsChange(
            date: day.date, position: header.position, stamp: header.stamp,
            zoneOffsetMinutes: state.live.recorder.zoneOffsetMinutes, cause: cause,
            reconciliation: reconciliation, before: before, after: day.displayed,
            corrected: day.corrected, covered: covered,
            reporter: told?.total == total ? told?.reporter : nil,
            countedBy: countedBy, setAside: setAside)
    }
}

/// An event that names the day whose count it can change.
struct DatedFact {
    let date: CivilDate
    let event: Event

    /// Reads an event; nil if it names no day of the walker.
    init?(_ event: borrowing EventView) {
        let header = event.header
        guard header.kind.lane == .steps,
            header.provenance == .walked
                || header.kind == .healthTotalObserved && !header.flags.contains(.simulated)
        else { return nil }
        self.event = event.decoded
        switch self.event {
        case .healthTotalObserved(let event): date = event.date
        case .reconciliationTriggered(let event): date = event.date
        case .legacyValueImported(let event): date = event.date
        case .stepsCorrected(let event): date = event.date
        case .setAsideTaken(let event): date = event.date
        default: return nil
        }
    }
}
