/// A claim: a local day ended with these totals.
///
/// Folds ignore it; verification derives it again.
public struct DayClosed: EventPayload {
    /// The kind's number.
    public static var kind: EventKind { .dayClosed }
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
        self.date = date
        self.offsetMinutes = offsetMinutes
        self.displayed = displayed
        self.corrected = corrected
        self.firstStepsIndex = firstStepsIndex
        self.endStepsIndex = endStepsIndex
        self.stepsSHA256 = stepsSHA256
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

extension EventKind {
    /// The number of ``DayClosed``.
    @inlinable public static var dayClosed: EventKind { EventKind(rawValue: 0xC1) }
}
