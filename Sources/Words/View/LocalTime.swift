package import Events
package import Projections
internal import Text

/// An instant where the walker was: under the offset that the log recorded, never a browser's.
package struct LocalTime: Hashable, Sendable {
    /// The day of the walker.
    package let date: CivilDate
    /// The time of day to the millisecond, `09:51:57.182`.
    package let exact: String
    /// What a clock on the wall says, in milliseconds since it was 1970 there.
    package let localMilliseconds: Int64
    private let offsetMinutes: Int64
    /// UTC in milliseconds since 1970.
    let wallMilliseconds: Int64

    /// Tells an instant.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: UTC in milliseconds since 1970.
    ///   - offsetMinutes: Minutes east of UTC.
    package init(_ wallMilliseconds: Int64, offsetMinutes: Int64) {
        let ahead = min(max(offsetMinutes, -1_440), 1_440) * 60_000
        let (local, isBeyond) = wallMilliseconds.addingReportingOverflow(ahead)
        let instant = isBeyond ? wallMilliseconds : local
        date = CivilDate(wallMilliseconds: instant, zoneOffsetMinutes: 0)
        exact = String(TimeText.utc(instant).dropFirst(11).dropLast())
        localMilliseconds = instant
        (self.wallMilliseconds, self.offsetMinutes) = (wallMilliseconds, offsetMinutes)
    }

    /// Another instant under the same offset.
    func moved(to wallMilliseconds: Int64) -> LocalTime {
        LocalTime(wallMilliseconds, offsetMinutes: offsetMinutes)
    }

    /// `09:51`.
    package var clock: String { String(exact.prefix(5)) }
    /// `09:51:57`.
    package var seconds: String { String(exact.prefix(8)) }
    /// `2026-03-01 +01:00`, for a line above the times of the day.
    var day: String { "\(date) \(TimeText.offset(offsetMinutes))" }
    /// `2026-03-01 09:51:57`.
    var dated: String { "\(date) \(seconds)" }
    /// `2026-03-01 09:51:57 +01:00`.
    var whole: String { "\(dated) \(TimeText.offset(offsetMinutes))" }

    /// The time after another one: with its date, unless that is the same.
    func after(_ other: LocalTime) -> String { date == other.date ? seconds : dated }

    /// Since the day's midnight by the clock on the wall.
    package var millisecondOfDay: Int64 {
        let parts = exact.split { !$0.isNumber }.compactMap { Int64($0) }
        return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1_000 + parts[3]
    }
}

extension LogState {
    /// What the walker's clock shows at a moment.
    package func localTime(at moment: Moment) -> LocalTime {
        LocalTime(
            moment.stamp.wallMilliseconds, offsetMinutes: walked.recorder.zoneOffsetMinutes)
    }
}

extension StepsChange {
    /// When it was, where the walker was.
    var time: LocalTime {
        LocalTime(stamp.wallMilliseconds, offsetMinutes: zoneOffsetMinutes)
    }
}

extension SessionReport {
    /// When it began, where the walker was.
    var start: LocalTime { LocalTime(startedAtMilliseconds, offsetMinutes: offsetMinutes) }
}

extension CivilDate {
    /// The days of some years; nil if these are none that there are.
    static func days(of years: ClosedRange<Int64>) -> ClosedRange<CivilDate>? {
        guard let first = CivilDate(year: years.lowerBound, month: 1, day: 1),
            let last = CivilDate(year: years.upperBound, month: 12, day: 31)
        else { return nil }
        return first...last
    }

    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// `March`.
    var monthName: String { Self.months[Int(components.month) - 1] }
    var shortMonth: String { String(monthName.prefix(3)) }

    /// `Sunday 1 March 2026`.
    package var long: String { "\(Self.weekdays[weekday]) \(dayAndMonth) \(components.year)" }
    /// `Sun 1 Mar`.
    package var short: String { "\(Self.weekdays[weekday].prefix(3)) \(small)" }
    /// `Sun  1 Mar`: the same, as wide on each day.
    var aligned: String { "\(Self.weekdays[weekday].prefix(3)) \(alignedRight(small, 6))" }
    /// ` 1 Mar 2026`, as wide on each day.
    var withYear: String { "\(alignedRight(small, 6)) \(components.year)" }
    /// ` 2025`, but nothing for the year that is understood, as the present one.
    package func year(unless known: Int64?) -> String {
        components.year == known ? "" : " \(components.year)"
    }
    /// `Sunday 1 March`.
    var weekdayAndMonth: String { "\(Self.weekdays[weekday]) \(dayAndMonth)" }
    /// `1 March`.
    package var dayAndMonth: String { "\(components.day) \(monthName)" }
    /// `1 Mar`.
    package var small: String { "\(components.day) \(shortMonth)" }
}
