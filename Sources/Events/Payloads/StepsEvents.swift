/// A health store reported the total of a day.
public struct HealthTotalObserved: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// Steps of that day, all devices.
    public var total: UInt64
    /// UTC until which the total counts, if the store says.
    public var validUntilMilliseconds: Int64?
    /// What reported it, as ``Reporter/origin`` gives it.
    public var origin: String
    /// As above; nil if nobody said so.
    public var reporter: Reporter? { Reporter(origin: origin) }

    /// Makes the payload; without an argument a blank one.
    public init(
        date: CivilDate = CivilDate.epoch, total: UInt64 = 0, validUntilMilliseconds: Int64? = nil,
        origin: String = ""
    ) {
        (self.date, self.total, self.validUntilMilliseconds) = (date, total, validUntilMilliseconds)
        self.origin = origin
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.unsigned("total", &total, in: FieldRange.stepsTotal)
        try coder.optionalSigned("validUntilMilliseconds", &validUntilMilliseconds)
        try coder.text("origin", &origin, limit: 128)
    }
}

/// A health store reported what one of its devices counted within some minutes.
///
/// It changes no count by itself: totals of days are made of samples, and a total that is news is
/// an event of its own.
public struct StepSampleObserved: EventPayload {
    /// Which store or program reported it.
    public var origin: String
    /// The device or program that counted; may be empty.
    public var countedBy: String
    /// UTC at which the counting began, in milliseconds since 1970.
    public var beganAtMilliseconds: Int64
    /// UTC at which it ended.
    public var endedAtMilliseconds: Int64
    /// The steps.
    public var steps: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(
        origin: String = "", countedBy: String = "", beganAtMilliseconds: Int64 = 0,
        endedAtMilliseconds: Int64 = 0, steps: UInt64 = 0
    ) {
        (self.origin, self.countedBy) = (origin, countedBy)
        self.beganAtMilliseconds = beganAtMilliseconds
        (self.endedAtMilliseconds, self.steps) = (endedAtMilliseconds, steps)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.text("origin", &origin, limit: 128)
        try coder.text("countedBy", &countedBy, limit: 256)
        try coder.signed("beganAtMilliseconds", &beganAtMilliseconds, in: FieldRange.signed)
        try coder.signed("endedAtMilliseconds", &endedAtMilliseconds, in: FieldRange.signed)
        try coder.unsigned("steps", &steps, in: FieldRange.stepsTotal)
    }
}

/// Something asked for the day's count to be reconciled; the inputs it saw.
public struct ReconciliationTriggered: EventPayload {
    /// What asked.
    public var trigger: OpenCode<Trigger>
    /// The health store's total, if known.
    public var healthTotal: UInt64?
    /// UTC until which that total counts, if known.
    public var validUntilMilliseconds: Int64?
    /// The local date of the decision.
    public var date: CivilDate
    /// Minutes east of UTC of the decision.
    public var offsetMinutes: Int64

    /// Makes the payload; without an argument a blank one.
    public init(
        trigger: Trigger = .start, healthTotal: UInt64? = nil, validUntilMilliseconds: Int64? = nil,
        date: CivilDate = CivilDate.epoch, offsetMinutes: Int64 = 0
    ) {
        self.trigger = OpenCode(trigger)
        (self.healthTotal, self.validUntilMilliseconds) = (healthTotal, validUntilMilliseconds)
        (self.date, self.offsetMinutes) = (date, offsetMinutes)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("trigger", &trigger)
        try coder.optionalUnsigned("healthTotal", &healthTotal, in: FieldRange.stepsTotal)
        try coder.optionalSigned("validUntilMilliseconds", &validUntilMilliseconds)
        try coder.date("date", &date)
        try coder.signed("offsetMinutes", &offsetMinutes, in: FieldRange.zoneOffsetMinutes)
    }
}

/// A displayed value was taken over from an earlier program.
public struct LegacyValueImported: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// The steps that were displayed.
    public var total: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(date: CivilDate = CivilDate.epoch, total: UInt64 = 0) {
        (self.date, self.total) = (date, total)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.unsigned("total", &total, in: FieldRange.stepsTotal)
    }
}

/// A person corrected the steps of a day; the displayed count stays.
public struct StepsCorrected: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// Steps to add, negative to take away.
    public var correction: Int64
    /// Why.
    public var reason: String
    /// Who.
    public var author: String

    /// Makes the payload; without an argument a blank one.
    public init(
        date: CivilDate = CivilDate.epoch, correction: Int64 = 0, reason: String = "",
        author: String = ""
    ) {
        (self.date, self.correction, self.reason, self.author) = (date, correction, reason, author)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.signed("correction", &correction, in: FieldRange.signed)
        try coder.text("reason", &reason, limit: 512)
        try coder.text("author", &author, limit: 128)
    }
}

/// A person takes in what folds set aside, or is going to say: a number that nobody walks is meant.
///
/// A reading counts in the second figure, as a correction does. A total is one like any other: it
/// counts when it is told, or told again, after this.
public struct SetAsideTaken: EventPayload {
    /// The local date.
    public var date: CivilDate
    /// The reading that was set aside; nil if totals of the date up to ``steps`` are meant.
    public var reading: Position?
    /// The steps of the reading, or the total.
    public var steps: UInt64
    /// Why.
    public var reason: String
    /// Who.
    public var author: String

    /// Makes the payload; without an argument a blank one.
    public init(
        date: CivilDate = CivilDate.epoch, reading: Position? = nil, steps: UInt64 = 0,
        reason: String = "", author: String = ""
    ) {
        (self.date, self.reading, self.steps, self.reason) = (date, reading, steps, reason)
        self.author = author
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.date("date", &date)
        try coder.optionalUnsigned("reading", &reading, in: FieldRange.unsigned)
        try coder.unsigned("steps", &steps, in: FieldRange.unsigned)
        try coder.text("reason", &reason, limit: 512)
        try coder.text("author", &author, limit: 128)
    }
}

/// What asked for a reconciliation.
public enum Trigger: UInt8, CodedName {
    /// The program started.
    case start = 0
    /// A view was opened.
    case foreground = 1
    /// A new local day began.
    case rollover = 2
    /// A person asked.
    case manual = 3
    /// The health store reported; HealthKit calls who listens for that an observer.
    case observer = 4
    /// A person said that the clock is right: its date counts, also if it is before the log's.
    case clockTrusted = 5

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "start", "foreground", "rollover", "manual", "observer", "clockTrusted",
    ]
}

extension EventKind {
    /// The number of ``HealthTotalObserved``.
    @inlinable public static var healthTotalObserved: EventKind { EventKind(rawValue: 0x62) }
    /// The number of ``ReconciliationTriggered``.
    @inlinable public static var reconciliationTriggered: EventKind { EventKind(rawValue: 0x63) }
    /// The number of ``LegacyValueImported``.
    @inlinable public static var legacyValueImported: EventKind { EventKind(rawValue: 0x64) }
    /// The number of ``StepsCorrected``.
    @inlinable public static var stepsCorrected: EventKind { EventKind(rawValue: 0x65) }
    /// The number of ``StepSampleObserved``.
    @inlinable public static var stepSampleObserved: EventKind { EventKind(rawValue: 0x68) }
    /// The number of ``SetAsideTaken``.
    @inlinable public static var setAsideTaken: EventKind { EventKind(rawValue: 0x69) }
}
