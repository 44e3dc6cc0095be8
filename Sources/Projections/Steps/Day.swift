public import Events

/// Which operand of the max() became the baseline (PRODUCT T2).
///
/// On equal operands what was displayed already wins, then the health total.
public enum ReconciliationWinner: String, Sendable {
    /// What was displayed: baseline and delta.
    case baselinePlusDelta
    /// The health store's total.
    case health
    /// The persisted value: the highest that was displayed on this date, or a legacy value.
    case persisted
}

/// One reconciliation: the operands that it saw and what came of them (PRODUCT T2, A5).
public struct Reconciliation: Hashable, Sendable {
    /// The event.
    public let position: Position
    /// What asked for it.
    public let trigger: OpenCode<Trigger>
    /// The health total with any carried steps, or nil if none was known.
    public let health: UInt64?
    /// Pedometer steps after the total's end that are in ``health``: rule T9, else 0.
    public let carriedSteps: UInt64
    /// Baseline and delta before.
    public let baselinePlusDelta: UInt64
    /// The persisted value, or nil if this date has none.
    public let persisted: UInt64?

    /// The greatest of the operands: the new baseline.
    public var result: UInt64 { max(baselinePlusDelta, health ?? 0, persisted ?? 0) }

    /// The operand that became the baseline.
    public var winner: ReconciliationWinner {
        if baselinePlusDelta == result { return .baselinePlusDelta }
        return health == result ? .health : .persisted
    }

    func write(to writer: inout CanonicalWriter) {
        writer.unsigned(position)
        writer.unsigned(trigger.rawValue)
        writer.optional(health)
        writer.unsigned(carriedSteps)
        writer.unsigned(baselinePlusDelta)
        writer.optional(persisted)
    }
}

/// The steps of one local date (PRODUCT T1 to T8).
public struct Day: Hashable, Sendable {
    /// The date.
    public let date: CivilDate
    /// Minutes east of UTC when it was opened, or nil if nothing opened it.
    public internal(set) var offsetMinutes: Int64?
    /// What the last reconciliation settled.
    public internal(set) var baseline: UInt64 = 0
    /// What the pedometer counted since.
    public internal(set) var delta: UInt64 = 0
    /// What the pedometer counted on this date in all.
    public internal(set) var pedometerSteps: UInt64 = 0
    /// The greatest health total that was reported for this date, or nil.
    public internal(set) var observedTotal: UInt64?
    /// Until when that total counts, in UTC milliseconds, or nil if not told.
    public internal(set) var observedUntilMilliseconds: Int64?
    /// A total or legacy value that was reported when the day was not the current one.
    public internal(set) var lateTotal: UInt64 = 0
    /// The value that an earlier program displayed, or nil.
    public internal(set) var legacyTotal: UInt64?
    /// The sum of the corrections.
    public internal(set) var correction: Int64 = 0
    /// How many corrections there are.
    public internal(set) var corrections: UInt64 = 0
    /// How many reconciliations there were, the rollover included.
    public internal(set) var reconciliations: UInt64 = 0
    /// The last reconciliation that took a max(), or nil.
    public internal(set) var lastReconciliation: Reconciliation?
    /// The first and the last event that touched this day.
    public internal(set) var positions: ClosedRange<Position>
    /// The index in the steps lane of the event that opened it, or nil.
    public internal(set) var firstStepsIndex: UInt64?

    init(_ date: CivilDate, at position: Position) {
        self.date = date
        positions = position...position
    }

    /// The count that people see; it never decreases (PRODUCT T1, T4).
    public var displayed: UInt64 { max(baseline.plus(delta), lateTotal) }

    /// The displayed count with the corrections, at least 0 (PRODUCT T8).
    public var corrected: UInt64 {
        let amount = correction.magnitude
        return correction < 0 ? displayed.minus(amount) : displayed.plus(amount)
    }

    mutating func touch(_ position: Position) {
        positions = positions.lowerBound...max(positions.lowerBound, position)
    }

    mutating func observe(_ total: UInt64, until: Int64?) {
        guard total >= observedTotal ?? 0 else { return }
        observedTotal = total
        observedUntilMilliseconds = until
    }

    /// Takes the max() of T2 as the new baseline and resets the delta, whichever operand won.
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

    func write(to writer: inout CanonicalWriter) {
        writer.signed(date.daysSinceEpoch)
        writer.optional(offsetMinutes) { $0.signed($1) }
        writer.unsigned(baseline)
        writer.unsigned(delta)
        writer.unsigned(pedometerSteps)
        writer.optional(observedTotal)
        writer.optional(observedUntilMilliseconds) { $0.signed($1) }
        writer.unsigned(lateTotal)
        writer.optional(legacyTotal)
        writer.signed(correction)
        writer.unsigned(corrections)
        writer.unsigned(reconciliations)
        writer.optional(lastReconciliation) { $1.write(to: &$0) }
        writer.unsigned(positions.lowerBound)
        writer.unsigned(positions.upperBound)
        writer.optional(firstStepsIndex)
    }
}
