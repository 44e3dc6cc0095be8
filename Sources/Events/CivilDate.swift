/// A day of the civil (proleptic Gregorian) calendar, without a zone.
@frozen
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, within ``validDays``.
    public let daysSinceEpoch: Int64

    /// 0001-01-01 to 9999-12-31.
    public static let validDays: ClosedRange<Int64> = -719_162...2_932_896

    /// Makes a date, or nil outside the years 1 to 9999.
    public init?(daysSinceEpoch: Int64) {
        guard CivilDate.validDays.contains(daysSinceEpoch) else { return nil }
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// The local date of an instant under a zone offset; clamped to the valid years.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: UTC in milliseconds since 1970.
    ///   - zoneOffsetMinutes: Minutes east of UTC.
    public init(wallMilliseconds: Int64, zoneOffsetMinutes: Int64) {
        let (shifted, overflow) = wallMilliseconds.addingReportingOverflow(
            zoneOffsetMinutes.multipliedReportingOverflow(by: 60_000).partialValue)
        let milliseconds = overflow ? wallMilliseconds : shifted
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let days = remainder < 0 ? quotient - 1 : quotient
        daysSinceEpoch = min(
            max(days, CivilDate.validDays.lowerBound), CivilDate.validDays.upperBound)
    }

    /// Whether the left date is the earlier one.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }
}

extension CivilDate: CustomStringConvertible {
    /// Year, month and day.
    ///
    /// Source of the arithmetic: the 400-year cycle of 146,097 days.
    public var components: (year: Int64, month: Int64, day: Int64) {
        // Years begin in March here, so that the leap day is the last of its year.
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Makes a date from its parts, or nil if there is no such day.
    public init?(year: Int64, month: Int64, day: Int64) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
            return nil
        }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(daysSinceEpoch: era * 146_097 + dayOfEra - 719_468)
        let made = components
        guard made.year == year, made.month == month, made.day == day else { return nil }
    }

    /// The date as `2026-03-01`.
    public var description: String {
        let (year, month, day) = components
        return String(year).withLeadingZeros(4) + "-" + String(month).withLeadingZeros(2) + "-"
            + String(day).withLeadingZeros(2)
    }

    /// Reads `2026-03-01`, exactly in that form.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-")
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }
}

extension CivilDate {
    /// 1970-01-01.
    public static var epoch: CivilDate { CivilDate(wallMilliseconds: 0, zoneOffsetMinutes: 0) }
}

extension CivilDate {
    /// The days of a month; nil if there is none.
    public static func month(_ month: Int64, of year: Int64) -> ClosedRange<CivilDate>? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        let next =
            month == 12
            ? CivilDate(year: year + 1, month: 1, day: 1)
            : CivilDate(year: year, month: month + 1, day: 1)
        // Of the last year that there is, its last month has 31 days as well.
        return first...(next?.advanced(by: -1) ?? first.advanced(by: 30))
    }

    /// Days since a Monday: 1970 began on a Thursday.
    public var weekday: Int { Int(((daysSinceEpoch + 3) % 7 + 7) % 7) }

    /// The day some days later; the last or first one that there is beyond those.
    public func advanced(by days: Int64) -> CivilDate {
        let (sum, isBeyond) = daysSinceEpoch.addingReportingOverflow(days)
        let limits = Self.validDays
        let least = isBeyond ? (days < 0 ? limits.lowerBound : limits.upperBound) : sum
        let number = min(max(least, limits.lowerBound), limits.upperBound)
        return CivilDate(daysSinceEpoch: number) ?? self
    }

    /// The first day of its week.
    public var monday: CivilDate { advanced(by: -Int64(weekday)) }
}
