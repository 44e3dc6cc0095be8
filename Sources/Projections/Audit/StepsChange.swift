package import Events

/// What changed a day's count.
package enum StepsCause: Hashable, Sendable {
    /// The chosen pedometer counted.
    case pedometer
    /// A reconciliation of the current day, or its beginning.
    case reconciliation(OpenCode<Trigger>)
    /// What was told is not what anybody walks: nothing changed.
    case setAside
    /// A person corrected the count, or took in a reading.
    case correction
    /// A health store reported the total of a day that is not the current one.
    case lateTotal
    /// An earlier program's value of a day that is not the current one was taken over.
    case legacyValue

    /// The cause in JSON: `pedometer`, a trigger's name, `correction`, `lateTotal` or `legacy`.
    package var name: String {
        switch self {
        case .pedometer: "pedometer"
        case .reconciliation(let trigger): trigger.known?.name ?? "trigger\(trigger.rawValue)"
        case .setAside: "setAside"
        case .correction: "correction"
        case .lateTotal: "lateTotal"
        case .legacyValue: "legacy"
        }
    }
}

/// Totals that hold steps which no reading reported before.
package struct CoveringTotals: Hashable, Sendable {
    /// How many there are.
    package internal(set) var count: UInt64
    /// The event at which the last of them won, or with which the day began.
    package internal(set) var lastPosition: Position
}

/// Steps of a reading that do not count, because totals had them.
package struct CoveredSteps: Hashable, Sendable {
    /// How many.
    package let steps: UInt64
    /// Whose they are.
    package let totals: CoveringTotals
}

/// One step of the staircase: an event that moved a day's count, or set it anew, or a reading of
/// which a part is covered.
///
/// A reconciliation is one also where it leaves the count as it is: from there on the pedometer
/// counts from 0.
@dynamicMemberLookup
package struct StepsChange: Hashable, Sendable {
    /// The event.
    package internal(set) var position: Position
    /// When it arrived.
    package internal(set) var stamp: Stamp
    /// When the first of those arrived that are one with it, by the wall clock; nil if it is alone.
    package private(set) var begin: Int64?
    /// Minutes east of UTC of the live recorder then.
    package let zoneOffsetMinutes: Int64
    /// What changed the count.
    package let cause: StepsCause
    /// What the event did to the day.
    var effect: DayEffect
    /// What of a reading does not count because totals had it, or nil.
    package let covered: CoveredSteps?
    /// Who reported the total that was seen; nil if there is none, or nobody said so.
    package let reporter: Reporter?
    /// The pedometer that counted; nil for another cause.
    package let countedBy: DeviceID?

    /// The day: most changes are passed over by it, without a key path.
    package var date: CivilDate { effect.date }

    /// What the event did to the day: what is displayed from then on, and by what.
    package subscript<Field>(dynamicMember field: KeyPath<DayEffect, Field>) -> Field {
        effect[keyPath: field]
    }
}

extension StepsChange {
    /// This change and the next as one: both by the pedometer, within a minute of the wall clock.
    ///
    /// - Parameter next: The change of the same day that comes after this one.
    /// - Returns: The change from before this one to after the next, with the next one's position
    ///   and time; nil if they are to be told apart.
    fileprivate func merging(_ next: StepsChange) -> StepsChange? {
        let minutes = [self, next].map { $0.stamp.wallMilliseconds / 60_000 }
        guard cause == .pedometer, next.cause == .pedometer, covered == nil, next.covered == nil,
            minutes[0] == minutes[1], zoneOffsetMinutes == next.zoneOffsetMinutes,
            next.before == self.after, next.countedBy == countedBy
        else { return nil }
        var merged = self
        (merged.position, merged.stamp, merged.effect) = (next.position, next.stamp, next.effect)
        (merged.effect.before, merged.begin) = (self.before, begin ?? stamp.wallMilliseconds)
        return merged
    }
}

extension [StepsChange] {
    /// Adds the next change of a day; one by the pedometer within a minute joins the last one.
    package mutating func add(_ change: StepsChange) {
        guard let merged = last?.merging(change) else { return append(change) }
        self[count - 1] = merged
    }
}
