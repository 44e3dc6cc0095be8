/// A claim: a local day ended with these totals, in the form of earlier versions.
///
/// Folds ignore it; verification derives it again. ``DayRecorded`` is written in its place.
public struct DayClosed: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// Minutes east of UTC at the end of the day.
    public var offsetMinutes: Int64
    /// The displayed steps.
    public var displayed: UInt64
    /// The steps after corrections.
    public var corrected: Int64
    /// Index in the steps lane of the day's first event.
    public var firstStepsIndex: UInt64
    /// Index in the steps lane after the day's last event.
    public var endStepsIndex: UInt64
    /// SHA-256 over the canonical bytes of the day's steps events.
    public var stepsSHA256: [UInt8]
    /// SHA-256 of the record of the day before, zeros if there is none.
    public var previousDaySHA256: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        date: CivilDate = CivilDate.epoch, offsetMinutes: Int64 = 0, displayed: UInt64 = 0,
        corrected: Int64 = 0, firstStepsIndex: UInt64 = 0, endStepsIndex: UInt64 = 0,
        stepsSHA256: [UInt8] = [UInt8](repeating: 0, count: 32),
        previousDaySHA256: [UInt8] = [UInt8](repeating: 0, count: 32)
    ) {
        (self.date, self.offsetMinutes, self.displayed) = (date, offsetMinutes, displayed)
        (self.corrected, self.firstStepsIndex) = (corrected, firstStepsIndex)
        (self.endStepsIndex, self.stepsSHA256) = (endStepsIndex, stepsSHA256)
        self.previousDaySHA256 = previousDaySHA256
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.signed("offsetMinutes", &offsetMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.unsigned("displayed", &displayed, in: FieldRange.unsigned)
        try coder.signed("corrected", &corrected, in: FieldRange.signed)
        try coder.unsigned("firstStepsIndex", &firstStepsIndex, in: FieldRange.unsigned)
        try coder.unsigned("endStepsIndex", &endStepsIndex, in: FieldRange.unsigned)
        try coder.fixedBytes("stepsSHA256", &stepsSHA256, count: 32)
        try coder.fixedBytes("previousDaySHA256", &previousDaySHA256, count: 32)
    }
}

/// A claim: the figures of a local day that is over, and a hash over its own events.
///
/// Folds ignore it; verification derives it again. Its block has no other event of
/// its lane, so that a proof of it lays open no other day. A day whose figures changed after it was
/// recorded has another record as soon as somebody wants a proof.
public struct DayRecorded: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// Minutes east of UTC when the day began; nil if it never counted and has only totals.
    public var offsetMinutes: Int64?
    /// The steps that are displayed, as of the record.
    public var displayed: UInt64
    /// The steps with corrections, as of the record.
    public var corrected: UInt64
    /// The steps that were displayed when the day ended; nil if it never counted.
    public var displayedAtEnd: UInt64?
    /// How many corrections there are.
    public var corrections: UInt64
    /// The steps that the pedometer counted on this day, each once.
    public var walked: UInt64
    /// Steps for one count of a foot pod's cadence when the day began, 1 or 2.
    public var stepsPerCadenceCount: UInt8
    /// How many events the day has of its own.
    public var eventCount: UInt64
    /// SHA-256 over their canonical bytes, one after the other.
    public var eventsSHA256: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        date: CivilDate = CivilDate.epoch, offsetMinutes: Int64? = nil, displayed: UInt64 = 0,
        corrected: UInt64 = 0, displayedAtEnd: UInt64? = nil, corrections: UInt64 = 0,
        walked: UInt64 = 0, stepsPerCadenceCount: UInt8 = 1, eventCount: UInt64 = 0,
        eventsSHA256: [UInt8] = [UInt8](repeating: 0, count: 32)
    ) {
        (self.date, self.offsetMinutes, self.displayed) = (date, offsetMinutes, displayed)
        (self.corrected, self.displayedAtEnd) = (corrected, displayedAtEnd)
        (self.corrections, self.walked) = (corrections, walked)
        (self.stepsPerCadenceCount, self.eventCount) = (stepsPerCadenceCount, eventCount)
        self.eventsSHA256 = eventsSHA256
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.optionalSigned("offsetMinutes", &offsetMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder.unsigned("displayed", &displayed, in: FieldRange.unsigned)
        try coder.unsigned("corrected", &corrected, in: FieldRange.unsigned)
        try coder.optionalUnsigned("displayedAtEnd", &displayedAtEnd)
        try coder.unsigned("corrections", &corrections, in: FieldRange.unsigned)
        try coder.unsigned("walked", &walked, in: FieldRange.unsigned)
        try coder.byte("stepsPerCadenceCount", &stepsPerCadenceCount, in: 1...2)
        try coder.unsigned("eventCount", &eventCount, in: FieldRange.unsigned)
        try coder.fixedBytes("eventsSHA256", &eventsSHA256, count: 32)
    }
}

extension EventKind {
    /// The number of ``DayRecorded``.
    @inlinable public static var dayRecorded: EventKind { EventKind(rawValue: 0xC2) }
    /// The number of ``DayClosed``.
    @inlinable public static var dayClosed: EventKind { EventKind(rawValue: 0xC1) }
}
