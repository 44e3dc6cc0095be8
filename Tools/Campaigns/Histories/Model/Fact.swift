public import Events

/// What an event says about steps and hearts, in the model's own words.
public enum Fact: Sendable {
    /// What a pedometer shows.
    public enum Count: Sendable {
        /// A cumulative count.
        case total(UInt64)
        /// A cumulative count of 32 bits, which wraps.
        case wrapping(UInt32)
        /// Counts a minute, from now on.
        case rate(UInt64)

        /// What a counter shows; nil of a rate.
        var shown: UInt64? {
            switch self {
            case .total(let count): count
            case .wrapping(let count): UInt64(count)
            case .rate: nil
            }
        }
    }

    /// A pedometer was read.
    case reading(DeviceID, Count)
    /// Another pedometer counts, or none, and its rate counts so many steps.
    case chosen(DeviceID?, stepsPerCount: UInt64)
    /// A health total, of any source.
    case observed(CivilDate, UInt64)
    /// A reconciliation. Without a total a rollover takes no max().
    case reconciled(CivilDate, total: UInt64?, until: Int64?, by: Trigger?)
    /// What an earlier program displayed.
    case legacy(CivilDate, UInt64)
    /// Totals of a date up to this are meant.
    case meant(CivilDate, UInt64)
    /// Steps to add to the second figure.
    case corrected(CivilDate, Int64)
    /// Minutes east of UTC from now on; at a start of the recorder nobody listened before.
    case zone(Int64, isStart: Bool)
    /// The recorder stopped.
    case stopped
    /// A session began.
    case sessionStarted
    /// It was paused.
    case sessionPaused
    /// It goes on.
    case sessionResumed
    /// It paused by itself.
    case standstillBegan
    /// It goes on by itself.
    case standstillEnded
    /// It ended.
    case sessionEnded
    /// A strap sent a heart rate.
    case heart(DeviceID, [UInt8])
    /// What a strap says of contact is ignored from now on, or heeded.
    case contact(DeviceID, isIgnored: Bool)
    /// A strap is left out of the session that an event began, or taken in again.
    case excluded(Position, DeviceID, Bool)
    /// Nothing about steps or hearts.
    case nothing

    /// Reads an event.
    ///
    /// - Parameter recorded: The event; of an import only totals matter.
    public init(_ recorded: RecordedEvent) {
        if case .healthTotalObserved(let event) = recorded.event {
            self = .observed(event.date, event.total)
            return
        }
        self = recorded.header.provenance == .walked ? Fact(live: recorded.event) : .nothing
    }

    private init(live event: Event) {
        switch event {
        case .pedometerRead(let event): self = .reading(event.device, Count(event.reading))
        case .pedometerChosen(let event):
            self = .chosen(event.device, stepsPerCount: UInt64(event.stepsPerCadenceCount))
        case .reconciliationTriggered(let event):
            self = .reconciled(
                event.date, total: event.healthTotal, until: event.validUntilMilliseconds,
                by: event.trigger.known)
        case .legacyValueImported(let event): self = .legacy(event.date, event.total)
        case .stepsCorrected(let event): self = .corrected(event.date, event.correction)
        case .setAsideTaken(let event):
            self =
                event.reading == nil
                ? .meant(event.date, event.steps) : .corrected(event.date, Int64(event.steps))
        case .bootBegan(let event): self = .zone(event.zoneOffsetMinutes, isStart: false)
        case .zoneOffsetChanged(let event): self = .zone(event.toMinutes, isStart: false)
        case .recorderStarted(let event): self = .zone(event.zoneOffsetMinutes, isStart: true)
        case .recorderStopped: self = .stopped
        case .sessionStarted: self = .sessionStarted
        case .sessionPaused: self = .sessionPaused
        case .sessionResumed: self = .sessionResumed
        case .standstillBegan: self = .standstillBegan
        case .standstillEnded: self = .standstillEnded
        case .sessionEnded: self = .sessionEnded
        case .characteristicNotified(let event): self = .heart(event.device, event.value)
        case .contactChosen(let event): self = .contact(event.device, isIgnored: event.ignored)
        case .deviceExcluded(let event):
            self = .excluded(event.session, event.device, event.excluded)
        default: self = .nothing
        }
    }
}

extension Fact.Count {
    init(_ reading: PedometerRead.Reading) {
        switch reading {
        case .counter(let count): self = .total(count)
        case .characteristic(.infiniTimeStepCount, let value):
            self = .wrapping(value.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
        case .characteristic(_, let value):
            // Running speed and cadence: flags, speed of two bytes, cadence.
            self = .rate(value.count > 3 ? UInt64(value[3]) : 0)
        }
    }
}
