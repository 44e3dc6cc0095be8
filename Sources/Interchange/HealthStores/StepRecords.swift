internal import Events
package import Projections
internal import Text

/// Collects a health store's step records and gives the total of each local date.
///
/// A phone and a watch that are worn together count the same steps, one app writes what another
/// has written, and a store that is asked twice gives the same record twice. The rule for all of
/// them:
///
/// - Records that do not overlap add up. Where they overlap, whoever wrote them, the time of each
///   holds at least its count, and no more than these counts make necessary; of records that have
///   most of their time in common the greatest counts.
/// - The count of a record is spread evenly over its time, unless shorter records say more. All is
///   counted in thousandths of a step, and rounded once: the total of a date, halves up.
/// - A record without length tells of the minute that it stands in; within one source these add up.
/// - A record with source, start and end of an earlier one replaces it if its count is greater,
///   and changes nothing if it is not.
/// - A time belongs to a local date by the zone that its records give (of several the one that
///   begins last), or by that of the collection if they have none.
///
/// So the order of the records does not matter, telling them again changes nothing, a total is at
/// least what any single source counted whose records do not overlap, and of one source it is the
/// sum of such records.
///
/// ```swift
/// var records = StepRecords { _ in 60 }
/// try records.add(source: "phone", from: nine, until: nine + 60_000, steps: 80)
/// try records.add(source: "watch", from: nine, until: nine + 60_000, steps: 95)
///
/// try records.totals()  // one date, 95 steps, until nine + 60_000
/// ```
///
/// A record takes 16 bytes; ``Limits`` bounds how many are held.
package struct StepRecords: Sendable {
    /// What a collection holds at most.
    package struct Limits: Sendable {
        /// Different records with steps, at least 1; by default 3,000,000, or 48 MB.
        package var records: Int
        /// Sources, 1 to 256; by default 64.
        package var sources: Int

        /// Sets the bounds.
        package init(records: Int = 3_000_000, sources: Int = 64) {
            precondition(records >= 1, "A collection needs at least one record.")
            precondition((1...256).contains(sources), "The number of sources is not 1 to 256.")
            (self.records, self.sources) = (records, sources)
        }
    }

    /// Why a single record does not count.
    package enum Refusal: String, CaseIterable, Sendable {
        /// It begins before 2000 or ends after 2099, in UTC.
        case dateOutOfRange
        /// It ends before it begins.
        case reversed
        /// It is longer than the longest local day, 25 hours.
        case tooLong
        /// Its count is below 0 or above 1,000,000.
        case countOutOfRange
        /// It has a length, and more than ``StepRecords/greatestPerMinute`` steps for each minute
        /// that it has begun.
        case tooFast
        /// The name of its source is longer than 256 bytes of UTF-8.
        case sourceNameTooLong
    }

    /// The longest record: a local day on which the clocks go back.
    package static let longestMilliseconds: Int64 = 25 * 3_600_000
    /// The greatest count of one record.
    package static let greatestCount: Int64 = 1_000_000
    /// The most steps of a minute: nobody runs faster.
    package static let greatestPerMinute = Int64(Plausibility.stepsPerMinute)
    /// The longest name of a source, in bytes of UTF-8.
    package static let sourceNameBytes = 256
    /// 2000-01-01T00:00:00Z up to 2100-01-01T00:00:00Z, in UTC milliseconds.
    package static let validMilliseconds: ClosedRange<Int64> = 946_684_800_000...4_102_444_800_000

    /// How many records were refused.
    package private(set) var refusedCount: UInt64 = 0
    /// How many of them were refused as ``Refusal/tooFast``.
    package private(set) var tooFastCount: UInt64 = 0
    /// Count and length in milliseconds of the first of these.
    package private(set) var firstTooFast: (steps: Int64, milliseconds: Int64)?
    /// How many records were taken, repeated ones and those of no step among them.
    package private(set) var takenCount: UInt64 = 0

    /// Minutes east of UTC at a UTC time in milliseconds, where records do not say.
    let offsetMinutes: @Sendable (_ wallMilliseconds: Int64) -> Int64
    private let limits: Limits
    private var sources: [String: Int] = [:]
    private var records: [StepRecord] = []
    /// The length of ``records`` at which repeated ones are taken out.
    private var settlingCount = 4_096
    /// Until when records without a step reach, by the date that they end in.
    private var quietUntil: [CivilDate: Int64] = [:]

    /// Makes an empty collection.
    ///
    /// - Parameters:
    ///   - limits: What it holds at most.
    ///   - offsetMinutes: Minutes east of UTC at a UTC time in milliseconds: which local date an
    ///     instant belongs to, where its records do not say.
    package init(
        limits: Limits = Limits(),
        offsetMinutes: @escaping @Sendable (_ wallMilliseconds: Int64) -> Int64
    ) {
        (self.limits, self.offsetMinutes) = (limits, offsetMinutes)
    }

    /// Adds a record of whole steps, unless it cannot be one.
    ///
    /// - Parameters:
    ///   - source: Who counted, at most 256 bytes of UTF-8.
    ///   - start: When it begins, in UTC milliseconds.
    ///   - end: When it ends, in UTC milliseconds; the record reaches up to it.
    ///   - steps: The count, 0 to 1,000,000. A record of no step tells until when nothing came.
    ///   - offset: Minutes east of UTC where it was counted, at most a day; nil if unknown.
    /// - Returns: Why the record does not count, or nil if it does.
    /// - Throws: ``HealthStoreError`` if there are more records or sources than ``Limits`` allows.
    @discardableResult
    package mutating func add(
        source: String, from start: Int64, until end: Int64, steps: Int64,
        offsetMinutes offset: Int64? = nil
    ) throws(HealthStoreError) -> Refusal? {
        try add(
            source: source, from: start, until: end,
            thousandths: min(max(steps, -1), Self.greatestCount + 1) * 1_000, offsetMinutes: offset)
    }

    /// Adds a record, unless it cannot be one.
    ///
    /// - Parameters:
    ///   - source: Who counted.
    ///   - start: When it begins, in UTC milliseconds.
    ///   - end: When it ends, in UTC milliseconds.
    ///   - thousandths: The count, in thousandths of a step.
    ///   - offset: Minutes east of UTC where it was counted; nil if unknown.
    /// - Returns: Why the record does not count, or nil if it does.
    /// - Throws: ``HealthStoreError`` if there are more records or sources than ``Limits`` allows.
    @discardableResult
    mutating func add(
        source: String, from start: Int64, until end: Int64, thousandths: Int64,
        offsetMinutes offset: Int64? = nil
    ) throws(HealthStoreError) -> Refusal? {
        precondition(
            offset.map(FieldRange.zoneOffsetMinutes.contains) ?? true,
            "The offset is over a day.")
        if let refusal = Self.refusal(source, start, end, thousandths) {
            refusedCount += 1
            if refusal == .tooFast {
                tooFastCount += 1
                firstTooFast = firstTooFast ?? (thousandths / 1_000, end - start)
            }
            return refusal
        }
        guard thousandths > 0 else {
            let last = max(start, end - 1)
            let date = CivilDate(
                wallMilliseconds: last, zoneOffsetMinutes: offset ?? offsetMinutes(last))
            quietUntil[date] = max(quietUntil[date] ?? end, end)
            takenCount += 1
            return nil
        }
        if records.count == settlingCount { try settle() }
        let number = try number(of: source)
        records.append(
            StepRecord(
                source: number, from: start, until: end, thousandths: thousandths,
                offsetMinutes: offset))
        takenCount += 1
        return nil
    }

    /// The totals of all dates that a record touches, in order of date.
    ///
    /// - Throws: ``HealthStoreError`` if there are more different records than ``Limits`` allows.
    package mutating func totals() throws(HealthStoreError) -> [HealthTotal] {
        try settle()
        var sums = DaySums(offsetMinutes: offsetMinutes)
        for (date, end) in quietUntil { sums.add(0, until: end, to: date) }
        var stretch = StepStretch()
        var place = 0
        while place < records.count {
            for record in minute(from: &place) {
                if !stretch.overlaps(record) { stretch.close { sums.add($0) } }
                stretch.add(record)
            }
        }
        stretch.close { sums.add($0) }
        refusedCount += stretch.refusedCount
        return sums.totals
    }

    /// The records that begin in the minute of the one at a place, in order of their start; those
    /// without length become one of each source.
    private func minute(from place: inout Int) -> [TimedSteps] {
        let minute: Int64 = 60_000
        let start = records[place].start / minute * minute
        var timed: [TimedSteps] = []
        var instants: [Int: TimedSteps] = [:]
        while place < records.count, records[place].start < start + minute {
            let record = records[place]
            place += 1
            let end = record.start + record.length
            guard record.length == 0 else {
                timed.append(
                    TimedSteps(
                        start: record.start, end: end, validUntil: end,
                        thousandths: record.thousandths, offsetMinutes: record.offsetMinutes))
                continue
            }
            let before = instants[record.source]
            instants[record.source] = TimedSteps(
                start: start, end: start + minute, validUntil: end,
                thousandths: (before?.thousandths ?? 0) + record.thousandths,
                offsetMinutes: record.offsetMinutes ?? before?.offsetMinutes)
        }
        guard !instants.isEmpty else { return timed }
        return instants.sorted { $0.key < $1.key }.map(\.value) + timed
    }

    /// Why a record cannot be one; nil if it can.
    static func refusal(
        _ source: String, _ start: Int64, _ end: Int64, _ thousandths: Int64
    ) -> Refusal? {
        guard validMilliseconds.contains(start), validMilliseconds.contains(end) else {
            return .dateOutOfRange
        }
        guard end >= start else { return .reversed }
        guard end - start <= longestMilliseconds else { return .tooLong }
        guard (0...greatestCount * 1_000).contains(thousandths) else { return .countOutOfRange }
        let minutes = (end - start + 59_999) / 60_000
        guard minutes == 0 || thousandths <= minutes * greatestPerMinute * 1_000 else {
            return .tooFast
        }
        return source.utf8.count > sourceNameBytes ? .sourceNameTooLong : nil
    }

    /// What ``Refusal/tooFast`` says, here and where a file is imported.
    package static func tooFastWords(steps: Int64, milliseconds: Int64) -> String {
        "is too fast: nobody walks \(grouped(UInt64(max(0, steps)))) steps in "
            + "\(grouped(UInt64(max(0, milliseconds) + 999) / 1_000)) seconds"
    }

    private mutating func number(of source: String) throws(HealthStoreError) -> Int {
        if let number = sources[source] { return number }
        guard sources.count < limits.sources else {
            throw HealthStoreError(
                .tooMuch,
                "The step records name more than \(limits.sources) sources: export fewer.")
        }
        sources[source] = sources.count
        return sources.count - 1
    }

    /// Puts the records in order of their start and takes out the repeated ones.
    private mutating func settle() throws(HealthStoreError) {
        records.sort()
        // In order, the greatest count of the same minutes and source stands last.
        var kept = 0
        for index in records.indices {
            if kept > 0, records[kept - 1].isSamePeriod(as: records[index]) { kept -= 1 }
            records[kept] = records[index]
            kept += 1
        }
        records.removeLast(records.count - kept)
        guard kept <= limits.records else {
            throw HealthStoreError(
                .tooMuch,
                "There are more than \(limits.records) step records: export a shorter time.")
        }
        settlingCount = max(4_096, min(2 * kept, limits.records + 4_096))
    }
}
