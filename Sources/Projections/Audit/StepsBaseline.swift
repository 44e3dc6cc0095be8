package import Events

/// A number and the event that brought it.
package struct SourcedTotal: Hashable, Sendable {
    /// The event.
    package let position: Position
    /// The number of steps.
    package let total: UInt64
    /// Who reported it; nil if nobody said so.
    package internal(set) var reporter: Reporter?
}

/// The baseline of a day, and where each of its operands came from.
package struct StepsBaseline: Hashable, Sendable {
    /// The event that set it, or nil if nothing has opened the day.
    package internal(set) var position: Position?
    /// The max() that was taken, or nil if the day began without one.
    package internal(set) var reconciliation: Reconciliation?
    /// The event that reported the health operand, or nil if only the reconciliation names it.
    package internal(set) var healthPosition: Position?
    /// Who reported it; nil if nobody said so.
    package internal(set) var healthReporter: Reporter?
    /// The baseline before, the first addend of the operand baseline + delta.
    package internal(set) var earlierBaseline: UInt64 = 0
    /// The delta before, its second addend.
    package internal(set) var earlierDelta: UInt64 = 0
    /// The event since which the persisted operand was displayed, or that imported it; nil if
    /// there is none.
    package internal(set) var persistedPosition: Position?
    /// Whether the persisted operand is an earlier program's value.
    package internal(set) var isPersistedLegacy = false
    /// Which program that was, with the reason why its value was taken over; else nil.
    package internal(set) var persistedReporter: Reporter?
    /// What was displayed of the day before it began, or nil.
    package internal(set) var lateTotal: SourcedTotal?
    /// Whether the day had counted before and restarted.
    package internal(set) var isBegunAnew = false

    /// The baseline: the greatest operand, added up again.
    package var value: UInt64 {
        guard let reconciliation else { return lateTotal?.total ?? 0 }
        return max(
            reconciliation.health ?? 0, earlierBaseline.plus(earlierDelta),
            reconciliation.persisted ?? 0)
    }
}

/// A correction as it is in the log.
package struct StepsCorrection: Hashable, Sendable {
    /// The event.
    package let position: Position
    /// Steps added, negative if taken away.
    package let amount: Int64
    /// Why; a person's text.
    package let reason: String
    /// Who; a person's text.
    package let author: String
}
