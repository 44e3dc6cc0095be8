public import Events

/// What was found right about one day.
public struct Certificate: Hashable, Sendable {
    /// The day.
    public let date: CivilDate
    /// The displayed count, which never fell.
    public let displayed: UInt64
    /// Steps that the chosen pedometer counted on the day, each counted once.
    public let walked: UInt64
    /// The same by pedometer, in the order in which they counted.
    public let walkedBy: [Counted]
    /// By how much an authoritative total was ahead of the pedometer at most.
    public let lead: UInt64
    /// That total, or nil if none was ever ahead.
    public let leader: Claim?
    /// The total of a day that was not the current one when it was told, if that is more; or nil.
    public let lateTotal: Claim?
    /// How many readings and totals tell what nobody can have walked; none of them is in a number.
    public let setAside: UInt64
    /// The last of them, or nil.
    public let lastSetAside: Position?
    /// The first and the last event that was looked at for this day.
    public let positions: ClosedRange<Position>

    /// What one pedometer counted.
    public struct Counted: Hashable, Sendable {
        /// The pedometer.
        public let device: DeviceID
        /// The number of steps.
        public let steps: UInt64
    }

    /// A total and the event that claims it.
    public struct Claim: Hashable, Sendable {
        /// The event.
        public let position: Position
        /// The number of steps.
        public let total: UInt64
        /// Who reported it; nil if nobody said so.
        public var reporter: Reporter?
    }
}

/// An event after which a displayed count is wrong.
public struct CounterExample: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Fault: String, Sendable {
        /// It is less than what was displayed before.
        case fell
        /// It is more than the events add up to: steps count twice, or were never walked.
        case tooMany
        /// It is less than the events add up to: steps are lost.
        case tooFew
    }

    /// What is wrong.
    public let fault: Fault
    /// The event after which it shows.
    public let position: Position
    /// The day.
    public let date: CivilDate
    /// What was displayed before.
    public let before: UInt64
    /// What is displayed.
    public let displayed: UInt64
    /// What the events add up to: steps walked, and the lead of a total.
    public let expected: UInt64
}
