public import Events

/// A number and the event that brought it.
public struct SourcedTotal: Hashable, Sendable {
    /// The event.
    public let position: Position
    /// The number of steps.
    public let total: UInt64
    /// Who reported it; nil if nobody said so.
    public internal(set) var reporter: Reporter?
}

/// The baseline of a day, and where each of its operands came from.
public struct StepsBaseline: Hashable, Sendable {
    /// The event that set it, or nil if nothing has opened the day.
    public internal(set) var position: Position?
    /// The max() that was taken, or nil if the day began without one.
    public internal(set) var reconciliation: Reconciliation?
    /// The event that reported the health operand, or nil if only the reconciliation names it.
    public internal(set) var healthPosition: Position?
    /// Who reported it; nil if nobody said so.
    public internal(set) var healthReporter: Reporter?
    /// The baseline before, the first addend of the operand baseline + delta.
    public internal(set) var earlierBaseline: UInt64 = 0
    /// The delta before, its second addend.
    public internal(set) var earlierDelta: UInt64 = 0
    /// The event since which the persisted operand was displayed, or that imported it; nil if
    /// there is none.
    public internal(set) var persistedPosition: Position?
    /// Whether the persisted operand is an earlier program's value.
    public internal(set) var isPersistedLegacy = false
    /// Which program that was, with the reason why its value was taken over; else nil.
    public internal(set) var persistedReporter: Reporter?
    /// What was displayed of the day before it began, or nil.
    public internal(set) var lateTotal: SourcedTotal?
    /// Whether the day had counted before and restarted.
    public internal(set) var isBegunAnew = false

    /// The baseline: the greatest operand, added up again.
    public var value: UInt64 {
        guard let reconciliation else { return lateTotal?.total ?? 0 }
        return max(
            reconciliation.health ?? 0, earlierBaseline.plus(earlierDelta),
            reconciliation.persisted ?? 0)
    }
}

/// A correction as it is in the log.
public struct StepsCorrection: Hashable, Sendable {
    /// The event.
    public let position: Position
    /// Steps added, negative if taken away.
    public let amount: Int64
    /// Why; a person's text.
    public let reason: String
    /// Who; a person's text.
    public let author: String
}
