package import Events

/// One displayed number of a day, taken apart so that a person can redo it.
///
/// It follows the fold event by event and notes for one date what each number came from. Which
/// readings count, and of what, the fold says; ``displayed`` adds them up, so that it can be held
/// against the fold's own count.
package struct StepsExplanation: Sendable {
    /// The most stretches, uncounted readings and corrections that are kept one by one.
    package static let keptLimit = 256

    /// The day that is explained.
    package let date: CivilDate
    /// The event that opened the day, or nil if none did.
    package private(set) var openedPosition: Position?
    /// What the last reconciliation settled, and why.
    package private(set) var baseline = StepsBaseline()
    /// What the chosen pedometer counted since, in order.
    package internal(set) var stretches: [StepsStretch] = []
    /// Stretches that were too many to be kept, the oldest ones.
    package internal(set) var earlierStretches: UInt64 = 0
    /// What they add up to.
    package internal(set) var earlierSteps: UInt64 = 0
    /// A total that was reported when the day was not the current one, or nil.
    package private(set) var lateTotal: SourcedTotal?
    /// The first corrections.
    package private(set) var corrections: [StepsCorrection] = []
    /// The last readings of the chosen pedometer since the day began that do not count.
    package internal(set) var uncounted: [UncountedReading] = []
    /// How many there were in all.
    package internal(set) var uncountedReadings: UInt64 = 0
    /// Pedometers that are not chosen and were read since the day began.
    package internal(set) var otherPedometers: [OtherPedometer] = []
    /// Readings since the day began that cannot be decoded.
    package internal(set) var unreadableReadings: UInt64 = 0

    private(set) var audit: StepsAudit
    var marks: [ReadingMark] = []
    /// Why the pedometer's next reading may not count, and since which event.
    var suspension: (reason: UncountedReading.Reason, position: Position)?
    private var observed: SourcedTotal?
    private var legacy: SourcedTotal?
    private var shownPosition: Position?
    /// Whether the date counts now.
    private var isCurrent = false

    /// Begins before the first event.
    package init(of date: CivilDate, rules: Rules = Rules()) {
        self.date = date
        audit = StepsAudit(rules: rules)
    }

    /// The state after the last event.
    package var state: LogState { audit.state }

    /// What the chosen pedometer counted since the baseline: the sum of the stretches.
    package var delta: UInt64 {
        stretches.reduce(earlierSteps) { $0.plus($1.steps) }
    }

    /// The number that is explained: baseline and delta, or a late total if that is more.
    package var displayed: UInt64 { max(baseline.value.plus(delta), lateTotal?.total ?? 0) }

    /// The last numbers of the day that nobody can have walked; they count nothing.
    package var setAside: [SetAside] { state.own.steps[date]?.setAside ?? [] }

    /// The sum of all corrections, of which the first are in ``corrections``.
    package var correction: Int64 { state.own.steps[date]?.correction ?? 0 }

    /// The number with the corrections, at least 0.
    package var corrected: UInt64 {
        let amount = correction.magnitude
        return correction < 0 ? displayed.minus(amount) : displayed.plus(amount)
    }

    /// Goes on after events that did nothing to the day: ``StepsAudit/goOn(after:note:)``.
    package mutating func goOn(after state: LogState, note: String?) {
        audit.goOn(after: state, note: note)
        isCurrent = state.walked.steps.current?.date == date
    }

    /// Takes one event in.
    ///
    /// - Parameter event: The event, in place.
    package mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        guard header.kind.lane == .steps else { return audit.pass(event) }
        let covering = audit.covering
        let (effects, change) = audit.take(event)
        if let begun = effects.begun {
            isCurrent = begun == date
            if isCurrent { open(at: header.position) }
            suspension = nil
            if case .overMidnight = state.walked.steps.nextReading {
                suspension = (.newDay, header.position)
            }
        }
        if header.kind == .pedometerRead, header.provenance == .walked {
            guard isCurrent else { return }
            if effects.begun != nil { suspension = (.newDay, header.position) }
            take(effects.reading, covering, header.position)
            if change != nil { shownPosition = header.position }
            return
        }
        if let next = effects.next { suspend(next, header.position) }
        guard let day = effects.day, day.date == date else { return }
        note(day, event)
        if let reconciliation = day.reconciliation { settle(reconciliation) }
        if day.after != day.before { shownPosition = header.position }
    }

    /// Begins the day, or begins it anew.
    private mutating func open(at position: Position) {
        var next = StepsBaseline(position: position, lateTotal: lateTotal)
        if let openedPosition, displayed > lateTotal?.total ?? 0 {
            next.lateTotal = SourcedTotal(
                position: shownPosition ?? openedPosition, total: displayed)
            next.isBegunAnew = true
        }
        openedPosition = position
        baseline = next
        lateTotal = nil
        (stretches, earlierSteps, earlierStretches) = ([], 0, 0)
        marks = []
    }

    /// Notes what the fold remembers of an event, apart from what is displayed.
    private mutating func note(_ day: DayEffect, _ event: borrowing EventView) {
        let (kind, position) = (event.header.kind, event.header.position)
        if let total = day.told {
            let told = SourcedTotal(position: position, total: total, reporter: day.reporter)
            if kind == .healthTotalObserved, total >= observed?.total ?? 0 { observed = told }
            if kind == .legacyValueImported, total > legacy?.total ?? 0 { legacy = told }
            if day.isLate, total > lateTotal?.total ?? 0 { lateTotal = told }
        }
        guard day.cause == .correction else { return }
        switch event.decoded {
        case .stepsCorrected(let event):
            correct(by: event.correction, event.reason, event.author, position)
        case .setAsideTaken(let event):
            correct(by: Int64(event.steps), event.reason, event.author, position)
        default: break
        }
    }

    private mutating func correct(
        by amount: Int64, _ reason: String, _ author: String, _ position: Position
    ) {
        guard corrections.count < StepsExplanation.keptLimit else { return }
        corrections.append(
            StepsCorrection(position: position, amount: amount, reason: reason, author: author))
    }

    /// Takes a max() for the new baseline; the delta restarts.
    private mutating func settle(_ operands: Reconciliation) {
        var next = StepsBaseline(position: operands.position, reconciliation: operands)
        next.earlierBaseline = baseline.value
        next.earlierDelta = delta
        let reported = operands.health?.minus(operands.carriedSteps)
        if let observed, observed.total == reported {
            (next.healthPosition, next.healthReporter) = (observed.position, observed.reporter)
        }
        if let persisted = operands.persisted {
            let isShown = persisted == displayed
            next.isPersistedLegacy = !isShown && persisted == legacy?.total
            next.persistedReporter = next.isPersistedLegacy ? legacy?.reporter : nil
            next.persistedPosition =
                next.isPersistedLegacy ? legacy?.position : shownPosition ?? openedPosition
        }
        baseline = next
        (stretches, earlierSteps, earlierStretches) = ([], 0, 0)
    }

    private mutating func suspend(_ next: DaySteps.NextReading, _ position: Position) {
        switch next {
        case .difference: suspension = nil
        // As it was when the day began.
        case .overMidnight: break
        case .nothing: suspension = (.newlyChosen, position)
        }
    }
}
