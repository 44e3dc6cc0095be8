public import Events

/// What a record says of its day, of whichever version.
public struct DayRecord: Hashable, Sendable {
    /// What it says.
    public let day: DayRecorded
    /// When it was made: the wall clock, UTC in milliseconds since 1970.
    public let madeAtMilliseconds: Int64
    /// Whether it is of an earlier version: made-up steps count in it, its offset is that of the
    /// event that ended the day, and it says neither what was walked nor what came later.
    public let isFormer: Bool

    /// Reads an event of the lane of days; nil if it is not a record of the walker's.
    public init?(_ event: borrowing EventView) {
        guard event.header.source == 0 else { return nil }
        switch event.decoded {
        case .dayRecorded(let day): (self.day, isFormer) = (day, false)
        case .dayClosed(let day):
            isFormer = true
            self.day = DayRecorded(
                date: day.date, offsetMinutes: day.offsetMinutes, displayed: day.displayed,
                corrected: UInt64(max(0, day.corrected)), displayedAtEnd: day.displayed,
                eventCount: day.endStepsIndex - min(day.firstStepsIndex, day.endStepsIndex),
                eventsSHA256: day.stepsSHA256)
        default: return nil
        }
        madeAtMilliseconds = event.header.stamp.wallMilliseconds
    }
}

/// The events of a day that its record was made of, added up by themselves.
public struct DayEvents: Hashable, Sendable {
    /// The most reporters, and corrections, that are told apart.
    private static let listLimit = 64

    /// A total that somebody reported.
    public struct Report: Hashable, Sendable {
        /// Who; nil if nobody said so.
        public let reporter: Reporter?
        /// The number of steps.
        public fileprivate(set) var total: UInt64
        /// When: the wall clock, UTC in milliseconds since 1970.
        public fileprivate(set) var atMilliseconds: Int64
    }

    /// How many events there are.
    public private(set) var count: UInt64 = 0
    /// What they add up to by themselves, computed without the code that displayed it; nil if they
    /// do not speak of the date.
    ///
    /// It is less than what was displayed if something of before the day counted on it: a total or
    /// a reading that only earlier events explain.
    public private(set) var sum: UInt64?
    /// How that comes about; nil if there is no sum.
    public private(set) var certificate: Certificate?
    /// Each reporter's greatest total for the date, in order of their first one.
    public private(set) var reports: [Report] = []
    /// What was corrected, and readings that were taken in, in order.
    public private(set) var corrections: [StepsCorrected] = []
    /// The totals of the date, of stores and of earlier programs.
    private var totals: [UInt64] = []
    /// Up to where a person means totals that nobody walks.
    private var meant: UInt64 = 200_000
    /// How many of the events are simulated; they are in no sum.
    public private(set) var simulatedCount: UInt64 = 0

    /// Adds up events.
    ///
    /// - Parameters:
    ///   - bytes: Their canonical bytes, one after the other.
    ///   - record: What they were recorded as.
    /// - Throws: `FieldError` naming the part of an event that cannot be read.
    public init(_ bytes: Span<UInt8>, of record: DayRecord) throws(FieldError) {
        let day = record.day
        var certifier = StepsCertifier(
            zoneOffsetMinutes: day.offsetMinutes ?? 0,
            stepsPerCadenceCount: day.stepsPerCadenceCount)
        var events = self
        try CanonicalEvents.forEach(in: bytes) { event in
            certifier.take(event)
            events.note(event, on: day.date)
        }
        self = events
        certificate = certifier.certificate(of: day.date)
        // A total that came when the day was over counts besides what it had come to.
        let isLate = day.displayed > day.displayedAtEnd ?? 0 && totals.contains(day.displayed)
        sum = certificate.map { isLate ? max($0.displayed, day.displayed) : $0.displayed }
    }

    private mutating func note(_ event: borrowing EventView, on date: CivilDate) {
        count += 1
        guard !event.header.flags.contains(.simulated) else {
            simulatedCount += 1
            return
        }
        switch event.decoded {
        case .legacyValueImported(let told) where told.date == date && told.total <= meant:
            totals.append(told.total)
        case .healthTotalObserved(let told) where told.date == date && told.total <= meant:
            totals.append(told.total)
            note(told, at: event.header.stamp.wallMilliseconds)
        case .stepsCorrected(let correction) where correction.date == date: note(correction)
        case .setAsideTaken(let taken) where taken.date == date:
            guard taken.reading != nil else { return meant = max(meant, taken.steps) }
            note(
                StepsCorrected(
                    date: date, correction: Int64(taken.steps), reason: taken.reason,
                    author: taken.author))
        default: break
        }
    }

    private mutating func note(_ correction: StepsCorrected) {
        if corrections.count < Self.listLimit { corrections.append(correction) }
    }

    private mutating func note(_ told: HealthTotalObserved, at milliseconds: Int64) {
        guard let index = reports.firstIndex(where: { $0.reporter == told.reporter }) else {
            guard reports.count < Self.listLimit else { return }
            return reports.append(
                Report(reporter: told.reporter, total: told.total, atMilliseconds: milliseconds))
        }
        guard told.total > reports[index].total else { return }
        reports[index].total = told.total
        reports[index].atMilliseconds = milliseconds
    }
}
