/// Which of the events that were read ahead a fold takes as a run.
@frozen
public struct RunLimits: Sendable {
    /// The boot clock of the run's events; a clock that goes back ends the run as well.
    public var bootMilliseconds: Range<UInt64>
    /// Whether heart-rate values are taken.
    public var takesHearts: Bool
    /// Whether counts are taken.
    public var takesCounts: Bool

    /// Makes limits.
    @inlinable
    public init(bootMilliseconds: Range<UInt64>, takesHearts: Bool, takesCounts: Bool) {
        self.bootMilliseconds = bootMilliseconds
        self.takesHearts = takesHearts
        self.takesCounts = takesCounts
    }
}

/// A fold that takes runs of plain events as well as single ones.
public protocol RunFold {
    /// Which of the events that were read ahead can be taken as a run now; nil if none.
    ///
    /// Nothing is changed: it is `mutating` so that it is asked where it stands, and not of a copy.
    mutating func limits(of runs: borrowing BlockRuns) -> RunLimits?

    /// Takes a run in: the same as its events one by one.
    mutating func evolve(_ run: borrowing BlockRuns)

    /// Takes one event in.
    mutating func evolve(single event: borrowing EventView)
}
