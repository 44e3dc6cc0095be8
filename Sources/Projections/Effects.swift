package import Events

/// What one event did, as the fold says it while it works.
///
/// Whatever explains, audits or claims adds these up or looks for some of them: no state before an
/// event has to be compared with the one after it, and no rule has to be applied a second time.
/// Steps and days are the walker's, or those of the simulated source if ``isSimulated``. What an
/// import does to days of its own is not in it; its health totals, which count for the walker's
/// days, are. What an event does to a session is in it, whosever walk that is.
package struct Effects: Sendable {
    /// What a date showed when another one began to count.
    package typealias Ended = (date: CivilDate, displayed: UInt64, corrected: UInt64)

    /// What could not be used of the event, or nil.
    package internal(set) var finding: Finding.Code?
    /// Whether it touched only the simulated source.
    package internal(set) var isSimulated = false
    /// The day that the event belongs to: that which it names, or for which the chosen pedometer
    /// counts; nil if it is no day's.
    package internal(set) var date: CivilDate?
    /// The date that counts from this event on, or nil if that is the one before.
    package internal(set) var begun: CivilDate?
    /// What the date showed that counted until then; nil if none did.
    package internal(set) var ended: Ended?
    /// What the event did to a day's count, or nil.
    package internal(set) var day: DayEffect?
    /// What became of a pedometer's reading; nil for another event, and for what is not readable.
    package internal(set) var reading: ReadingEffect?
    /// What the chosen pedometer's next reading means from now on; nil if it means the same.
    var next: DaySteps.NextReading?
    /// The goal of the session at half of which the walker turns, if that was reached.
    package internal(set) var turnedAround: Goal?
    /// The goal of the session, if it was reached.
    package internal(set) var goalReached: Goal?
    /// What it did to the session that is open; of an import too.
    package internal(set) var session = SessionEffect()
    /// The strap of which a value proved that each comes several times, or no longer does.
    package internal(set) var delivery: (device: DeviceID, factor: UInt64)?
}

/// What an event did to a day's count.
package struct DayEffect: Hashable, Sendable {
    /// The day.
    package let date: CivilDate
    /// What changed the count; nil if something was only noted for later.
    package let cause: StepsCause?
    /// What was displayed before.
    package internal(set) var before: UInt64
    /// What is displayed from then on.
    package let after: UInt64
    /// The same with the corrections.
    package let corrected: UInt64
    /// The greatest total that was reported while the day was not the current one.
    package let lateTotal: UInt64
    /// The operands of the max() and its winner, or nil if none was taken.
    package let reconciliation: Reconciliation?
    /// What was set aside of what the event reported, or nil.
    package let setAside: SetAside?
    /// The total or earlier program's value that the event told and that is believed, or nil.
    package internal(set) var told: UInt64?
    /// Who reported it; nil if nobody said so.
    package internal(set) var reporter: Reporter?
    /// Steps of a reading that do not count because totals had them.
    package internal(set) var coveredSteps: UInt64 = 0

    init(_ day: borrowing Day, at position: Position, before: UInt64, _ cause: StepsCause?) {
        (date, self.cause, self.before) = (day.date, cause, before)
        (after, corrected, lateTotal) = (day.displayed, day.corrected, day.lateTotal)
        let (last, setAside) = (day.lastReconciliation, day.setAside.last)
        reconciliation = last?.position == position ? last : nil
        self.setAside = setAside?.position == position ? setAside : nil
    }

    /// Whether it is of a day that is not the current one, and may be displayed.
    var isLate: Bool { cause == .lateTotal || cause == .legacyValue }

    /// Whether the staircase of the day has a step here.
    var isStep: Bool {
        switch cause {
        case nil: false
        case .reconciliation, .correction: true
        case .setAside: setAside != nil
        case .pedometer, .lateTotal, .legacyValue:
            after != before || coveredSteps > 0 || setAside != nil
        }
    }
}

/// What became of a pedometer's reading.
package struct ReadingEffect: Hashable, Sendable {
    /// Whose it is.
    package let device: DeviceID
    /// Whether it is a cadence, not a count.
    package let isFootPod: Bool
    /// Whether it is the chosen pedometer's.
    package internal(set) var isChosen = false
    /// What it shows since the reading before, and what of that does not count.
    ///
    /// Nil for the first one. Where the two stand in the log, it does not say.
    package internal(set) var step: StepsStretch?
    /// Steps that count for the day.
    package internal(set) var counted: UInt64 = 0
    /// Why steps of it do not count; nil if all do.
    package internal(set) var uncounted: UncountedReading.Reason?

    init(of device: DeviceID, _ value: PedometerValue) {
        self.device = device
        if case .footPod = value { isFootPod = true } else { isFootPod = false }
    }

    /// Says what counts of the reading.
    mutating func take(
        _ delta: StepsDelta, _ next: DaySteps.NextReading, _ share: StepsShare,
        _ midnight: OverMidnight?
    ) {
        isChosen = true
        counted = share.counted
        if delta.setAside != nil { step?.rule = .setAside }
        step?.covered = delta.steps.minus(counted)
        if !delta.isRestart { step?.silenceMilliseconds = midnight?.silenceMilliseconds }
        guard delta.steps > counted else { return }
        uncounted =
            next == .nothing
            ? .newlyChosen : delta.steps > counted.plus(share.covered) ? .newDay : .coveredByTotal
    }
}

/// Where a fold says what it does.
protocol EffectSink {
    /// Says something, if anybody asks.
    mutating func note(_ change: (inout Effects) -> Void)
}

/// Nobody asks: a fold of whole blocks says nothing, and it costs nothing.
struct NoEffects: EffectSink {
    @inline(__always)
    mutating func note(_ change: (inout Effects) -> Void) {}
}

extension Effects: EffectSink {
    mutating func note(_ change: (inout Effects) -> Void) { change(&self) }
}
