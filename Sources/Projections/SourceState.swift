package import Events

/// Everything that is known of one source: the walker, what is simulated, or one import.
///
/// Sources do not touch each other; only a health total of an import also counts for the walker's
/// day (see ``LogState``), and what is simulated knows the machine and the walker's profile.
package struct SourceState: OrderedPart, Hashable, Sendable {
    /// The number of ``provenance``.
    private var source: UInt32
    /// The time.
    package internal(set) var clock = FoldClock()
    /// Boots, zone, profile, adapter.
    package internal(set) var recorder = RecorderState()
    /// Devices and their links.
    package internal(set) var devices = Devices()
    /// Steps of the days.
    package internal(set) var steps = DaySteps()
    /// Sessions.
    package internal(set) var sessions = Sessions()
    /// How long the walker's steps are.
    package internal(set) var stride = OwnStride()

    var key: UInt32 { source }

    init() { self.init(source: 1) }

    init(source: UInt32) {
        self.source = source
    }

    /// What is simulated begins on the same machine, with the same walker.
    init(simulatedAfter walked: SourceState) {
        source = Provenance.simulated.number
        clock = walked.clock
        recorder = RecorderState(on: walked.recorder)
    }

    /// Whose walks these are.
    package var provenance: Provenance { Provenance(number: source) }

    /// The local date of a moment: that of the wall clock, or the current day unless that gives
    /// way to it (``Day/givesWay(to:isTrusted:)``).
    ///
    /// Nil only if no day is open and the wall clock was never set.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The date, or nil.
    package func localDate(at moment: Moment) -> CivilDate? {
        let date = clockDate(at: moment)
        guard let current = steps.current else { return date }
        let isTrusted = clock.isWallTrusted(at: moment.stamp, moment.flags)
        guard let date, date > current.date || current.givesWay(to: date, isTrusted: isTrusted)
        else { return current.date }
        return date
    }

    /// The local date by the wall clock; nil if that was never set.
    func clockDate(at moment: Moment) -> CivilDate? {
        clock.wallMilliseconds(at: moment.stamp, moment.flags).map {
            CivilDate(wallMilliseconds: $0, zoneOffsetMinutes: recorder.zoneOffsetMinutes)
        }
    }

    /// The day that counts, where that is later than the clock's by more than travel explains, and
    /// the clock's: a clock was wrong once.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: Both dates; nil if all is well.
    package func dayAhead(at moment: Moment) -> (day: CivilDate, clock: CivilDate)? {
        guard let day = localDate(at: moment), let clock = clockDate(at: moment),
            day.daysSinceEpoch > clock.daysSinceEpoch + 1
        else { return nil }
        return (day, clock)
    }

    /// What today displays at a moment: 0 from midnight on, also before an event says so.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: The steps.
    package func stepsToday(at moment: Moment) -> UInt64 {
        localDate(at: moment).flatMap { steps[$0]?.displayed } ?? 0
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&source, &clock, &recorder, &devices, &steps, &sessions)
        try coder(&stride)
    }
}

/// A moment at which something is asked or decided.
package struct Moment: Hashable, Sendable {
    /// Both clocks, taken together.
    package var stamp: Stamp
    /// Trusted clock, simulated input.
    package var flags: EventFlags

    /// Makes a moment.
    package init(_ stamp: Stamp, _ flags: EventFlags) {
        (self.stamp, self.flags) = (stamp, flags)
    }
}
