/// What a history must not do.
package enum Promise: String, CaseIterable, Sendable {
    /// After every event the certifier finds every day right (T1 to T8).
    ///
    /// What a total carries by the rule `carryOverlap` is as if the total said it.
    case isCertified
    /// No date displays less than it did, by the fold or by f(state, now) (T4).
    case neverFalls
    /// A reconcile takes in the greatest total that was ever told of its date (T2, T3).
    case seesEveryTotal
    /// A day's pedometer steps are those that were walked between its readings (T1, T7).
    case countsEachOnce
    /// Where trusted clocks are right, today is today whatever another clock said before (T5).
    case knowsToday
    /// In an honest world no date displays more than was walked.
    case staysBelowTruth
    /// In an honest world the rule `carryOverlap` drops no step that was heard (T9).
    ///
    /// Unless a greater total stands that does not say until when it counts.
    case carriesOverlap
    /// A total carries what was counted after its end, by the rule `carryOverlap` alone (T9).
    case carriesCounted
    /// A correction changes nothing that is displayed, and is in the second figure (T8).
    case correctionsAreApart
    /// What a session counts are the steps between the readings that it heard (S8).
    case sessionsAreApart
    /// Each value that a strap sends in a session counts, or is left out for its reason (S3).
    case heartsAddUp
    /// Folding again, from the beginning or from a snapshot, gives the same bytes (A2).
    case refolds
    /// Nothing that the decider makes is a finding.
    case findsNothing
    /// The history can be played.
    case plays
}

/// A promise that a history broke.
package struct Violation: Sendable, CustomStringConvertible {
    /// The promise.
    package var promise: Promise
    /// What was expected and what came.
    package var text: String

    /// Both in one line.
    package var description: String { "\(promise.rawValue): \(text)" }
}
