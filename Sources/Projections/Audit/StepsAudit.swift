package import Events

/// Follows the live fold and reports each change of a day's count as it comes.
///
/// The fold is the one truth, and says itself what each event did: nothing is counted here a second
/// time. What spans several events is kept: who reported a total, and which totals cover the next
/// reading.
///
/// ```swift
/// var audit = StepsAudit()
/// try log.read { event in
///     if let change = audit.evolve(event) { show(change) }
///     return true
/// }
/// ```
package struct StepsAudit: Sendable {
    /// The greatest total of a date, and who reported it.
    private typealias Report = (total: UInt64, reporter: Reporter?)

    /// The state after the last event.
    package private(set) var state: LogState
    /// What the next reading of the chosen pedometer means.
    private var next = DaySteps.NextReading.difference(beyond: 0)
    /// The totals that cover a part of it, or nil.
    private(set) var covering: CoveringTotals?
    /// The greatest totals of each date; only looked up, never walked.
    private var reports: [CivilDate: Report] = [:]
    /// The greatest values of an earlier program, likewise.
    private var legacies: [CivilDate: Report] = [:]
    /// The text of the last note.
    private var note: String?

    /// Begins before the first event.
    package init(rules: Rules = Rules()) {
        state = LogState(rules: rules)
    }

    /// Goes on after events that did nothing to the day that is of interest.
    ///
    /// - Parameters:
    ///   - state: The state after them.
    ///   - note: The text of the last note.
    package mutating func goOn(after state: LogState, note: String?) {
        let after = state.walked.steps.nextReading
        if after != next { (next, covering) = (after, nil) }
        (self.state, self.note) = (state, note)
    }

    /// Takes one event in.
    ///
    /// - Parameter event: The event, in place.
    /// - Returns: What it changed, or nil if no day of the live recorder changed.
    package mutating func evolve(_ event: borrowing EventView) -> StepsChange? {
        guard event.header.kind.lane == .steps else {
            pass(event)
            return nil
        }
        return take(event).change
    }

    /// Takes an event of another lane in.
    mutating func pass(_ event: borrowing EventView) {
        state.fold(event)
        guard event.header.kind == .noted, event.header.isWalked else { return }
        if case .noted(let told) = event.decoded { note = told.text }
    }

    /// Takes an event of the steps lane in.
    ///
    /// - Returns: What it did to the walker's days, with the reporter of an earlier program's value
    ///   as well; and the step of the staircase that comes of it, or nil.
    mutating func take(
        _ event: borrowing EventView
    ) -> (effects: Effects, change: StepsChange?) {
        let header = event.header
        var effects = state.evolve(event)
        guard !effects.isSimulated else { return (Effects(), nil) }
        if effects.day?.told != nil, case .legacyValueImported(let told) = event.decoded {
            effects.day?.reporter = told.reporter(noted: note)
        }
        let change = effects.day.flatMap { step(effects, $0, header) }
        if effects.begun != nil { next = .nothing }
        cover(effects.begun == nil ? effects.next : state.walked.steps.nextReading, header.position)
        return (effects, change)
    }

    private mutating func step(
        _ effects: Effects, _ day: DayEffect, _ header: EventHeader
    ) -> StepsChange? {
        if let told = day.told {
            if header.kind == .legacyValueImported {
                Self.note((told, day.reporter), in: &legacies[day.date])
            } else if header.kind == .healthTotalObserved || told > reports[day.date]?.total ?? 0 {
                Self.note((told, day.reporter), in: &reports[day.date])
            }
        }
        guard day.isStep, let cause = day.cause else { return nil }
        let total =
            day.isLate
            ? day.lateTotal
            : day.reconciliation.flatMap {
                $0.winner == .persisted ? $0.persisted : $0.health?.minus($0.carriedSteps)
            }
        // What is displayed may be what another program showed, as it was before a restart.
        let legacy = legacies[day.date]
        let isLegacy =
            cause == .legacyValue
            || day.reconciliation?.winner == .persisted
                && day.reconciliation?.persisted == legacy?.total
        let report = isLegacy ? legacy : reports[day.date]
        return StepsChange(
            position: header.position, stamp: header.stamp,
            zoneOffsetMinutes: state.own.recorder.zoneOffsetMinutes, cause: cause, effect: day,
            covered: day.coveredSteps == 0
                ? nil : covering.map { CoveredSteps(steps: day.coveredSteps, totals: $0) },
            reporter: total != nil && report?.total == total ? report?.reporter : nil,
            countedBy: effects.reading?.device)
    }

    private static func note(_ report: Report, in greatest: inout Report?) {
        if report.total >= greatest?.total ?? 0 { greatest = report }
    }

    /// Notes which totals cover a part of the next reading, if that means something else now.
    private mutating func cover(_ after: DaySteps.NextReading?, _ position: Position) {
        guard let after, after != next else { return }
        var count: UInt64 = 1
        switch (next, after) {
        case (.difference, .difference) where after.covered > next.covered,
            (.overMidnight, .overMidnight) where after.covered > next.covered:
            count += covering?.count ?? 0
        default: break
        }
        covering =
            after.covered > 0 ? CoveringTotals(count: count, lastPosition: position) : nil
        next = after
    }
}
