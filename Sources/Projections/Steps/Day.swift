package import Events

/// Which operand of the max() became the baseline.
///
/// On equal operands what was displayed already wins, then the health total.
package enum ReconciliationWinner: String, Sendable {
    /// What was displayed: baseline and delta.
    case baselinePlusDelta
    /// The health store's total.
    case health
    /// The persisted value: the highest that was displayed on this date, or a legacy value.
    case persisted
}

/// One reconciliation: the operands that it saw and what came of them.
package struct Reconciliation: StatePart, Hashable, Sendable {
    /// The event.
    package internal(set) var position: Position = 0
    /// What asked for it.
    package internal(set) var trigger = OpenCode(Trigger.start)
    /// The health total with any carried steps, or nil if none was known.
    package internal(set) var health: UInt64?
    /// Pedometer steps after the total's end that are in ``health``, by the rule
    /// `carryOverlap`; else 0.
    package internal(set) var carriedSteps: UInt64 = 0
    /// Baseline and delta before.
    package internal(set) var baselinePlusDelta: UInt64 = 0
    /// The persisted value, or nil if this date has none.
    package internal(set) var persisted: UInt64?

    /// The greatest of the operands: the new baseline.
    package var result: UInt64 { max(baselinePlusDelta, health ?? 0, persisted ?? 0) }

    /// The operand that became the baseline.
    package var winner: ReconciliationWinner {
        if baselinePlusDelta == result { return .baselinePlusDelta }
        return health == result ? .health : .persisted
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&position, &trigger, &health, &carriedSteps, &baselinePlusDelta, &persisted)
    }
}

/// The steps of one local date.
package struct Day: OrderedPart, Hashable, Sendable {
    /// The date.
    package private(set) var date: CivilDate
    /// Minutes east of UTC when it was opened, or nil if nothing opened it.
    package internal(set) var offsetMinutes: Int64?
    /// Whether a trusted clock named this date when it was opened or reconciled.
    package internal(set) var isDateTrusted = false
    /// What the last reconciliation settled.
    package internal(set) var baseline: UInt64 = 0
    /// What the pedometer counted since.
    package internal(set) var delta: UInt64 = 0
    /// What the pedometer counted on this date in all.
    package internal(set) var pedometerSteps: UInt64 = 0
    /// Steps that it counted besides those: totals already had them.
    package internal(set) var coveredSteps: UInt64 = 0
    /// The greatest health total that was reported for this date, or nil.
    package internal(set) var observedTotal: UInt64?
    /// Until when that total counts, in UTC milliseconds, or nil if not given.
    package internal(set) var observedUntilMilliseconds: Int64?
    /// A total or legacy value that was reported when the day was not the current one.
    package internal(set) var lateTotal: UInt64 = 0
    /// The value that an earlier program displayed, or nil.
    package internal(set) var legacyTotal: UInt64?
    /// The sum of the corrections.
    package internal(set) var correction: Int64 = 0
    /// How many corrections there are.
    package internal(set) var corrections: UInt64 = 0
    /// The last numbers that nobody can have walked, and that count nothing.
    package internal(set) var setAside: [SetAside] = []
    /// How many there are.
    package internal(set) var setAsideCount: UInt64 = 0
    /// Totals up to this are meant, a person said; 0 if nobody did.
    package internal(set) var meantTotal: UInt64 = 0
    /// How many reconciliations there were, the rollover included.
    package internal(set) var reconciliations: UInt64 = 0
    /// The last reconciliation that took a max(), or nil.
    package internal(set) var lastReconciliation: Reconciliation?
    /// The first and the last event that touched this day.
    package internal(set) var positions: ClosedRange<Position>
    /// The index in the steps lane of the event that opened it, or nil.
    package internal(set) var firstStepsIndex: UInt64?

    var key: CivilDate { date }

    init() { self.init(.epoch, at: 0) }

    init(_ date: CivilDate, at position: Position) {
        self.date = date
        positions = position...position
    }

    /// The count that people see; it never decreases.
    package var displayed: UInt64 { max(baseline.plus(delta), lateTotal) }

    /// The displayed count with the corrections, at least 0.
    package var corrected: UInt64 {
        let amount = correction.magnitude
        return correction < 0 ? displayed.minus(amount) : displayed.plus(amount)
    }

    /// Whether this day, which counts now, gives way to an earlier date.
    ///
    /// The date moves forward only, unless no trusted clock ever named this one: then a trusted
    /// clock knows better, and so does any other that shows an earlier date by two days or more: of
    /// all flights only one of 25 hours' difference, just after midnight, looks the same. Without
    /// this a clock that was wrong once would date steps forever. From a date that a trusted clock
    /// named only a person goes back (``Trigger/clockTrusted``).
    func givesWay(to date: CivilDate, isTrusted: Bool) -> Bool {
        guard !isDateTrusted, date < self.date else { return false }
        return isTrusted || self.date.daysSinceEpoch - date.daysSinceEpoch >= 2
    }

    /// Takes an event that may change the count, and says what it did.
    @inline(__always)
    mutating func take(
        at position: Position, _ effects: inout some EffectSink,
        _ change: (inout Day) -> StepsCause?
    ) {
        let before = displayed
        touch(position)
        let cause = change(&self)
        assert(displayed >= before, "What is displayed never falls.")
        effects.note {
            $0.date = date
            $0.day = DayEffect(self, at: position, before: before, cause)
        }
    }

    mutating func touch(_ position: Position) {
        positions = positions.lowerBound...max(positions.lowerBound, position)
    }

    mutating func observe(_ total: UInt64, until: Int64?) {
        guard total >= observedTotal ?? 0 else { return }
        observedTotal = total
        observedUntilMilliseconds = until
    }

    /// Takes the greatest operand as the new baseline and resets the delta, whichever it was.
    mutating func reconcile(_ reconciliation: Reconciliation) {
        baseline = reconciliation.result
        delta = 0
        lastReconciliation = reconciliation
    }

    mutating func correct(_ amount: Int64) {
        let limit = Int64(greatestSum)
        let (sum, overflow) = correction.addingReportingOverflow(amount)
        correction = overflow ? (amount < 0 ? -limit : limit) : min(max(sum, -limit), limit)
        corrections.add(1)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&date, &offsetMinutes, &isDateTrusted, &baseline, &delta, &pedometerSteps)
        try coder(&coveredSteps, &observedTotal, &observedUntilMilliseconds, &lateTotal)
        try coder(&legacyTotal, &correction, &corrections, &setAside, &setAsideCount, &meantTotal)
        var (first, last) = (positions.lowerBound, positions.upperBound)
        try coder(&reconciliations, &lastReconciliation, &first, &last, &firstStepsIndex)
        try coder.require(first <= last)
        positions = first...last
    }
}
