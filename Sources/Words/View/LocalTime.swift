public import Events
internal import Text

/// An instant where the walker was: under the offset that the log recorded, never a browser's.
public struct LocalTime: Hashable, Sendable {
    /// The day of the walker.
    public let date: CivilDate
    /// The time of day to the millisecond, `09:51:57.182`.
    public let exact: String

    /// Tells an instant.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: UTC in milliseconds since 1970.
    ///   - offsetMinutes: Minutes east of UTC.
    public init(_ wallMilliseconds: Int64, offsetMinutes: Int64) {
        let ahead = min(max(offsetMinutes, -1_440), 1_440) * 60_000
        let (local, isBeyond) = wallMilliseconds.addingReportingOverflow(ahead)
        let instant = isBeyond ? wallMilliseconds : local
        date = CivilDate(wallMilliseconds: instant, zoneOffsetMinutes: 0)
        exact = String(TimeText.utc(instant).dropFirst(11).dropLast())
    }

    /// `09:51`.
    public var clock: String { String(exact.prefix(5)) }
    /// `09:51:57`.
    public var seconds: String { String(exact.prefix(8)) }
}

extension CivilDate {
    private static let days = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// Days since a Monday: 1970 began on a Thursday.
    private var weekday: Int { Int(((daysSinceEpoch + 3) % 7 + 7) % 7) }
    private var month: String { Self.months[Int(components.month) - 1] }
    private var shortMonth: String { month == "September" ? "Sept" : String(month.prefix(3)) }

    /// `Sunday 1 March 2026`.
    public var long: String { "\(Self.days[weekday]) \(dayAndMonth) \(components.year)" }
    /// `Sun 1 Mar`.
    public var short: String { "\(Self.days[weekday].prefix(3)) \(small)" }
    /// `1 March`.
    public var dayAndMonth: String { "\(components.day) \(month)" }
    /// `1 Mar`.
    public var small: String { "\(components.day) \(shortMonth)" }

    /// The day some days later; the last or first one that there is beyond those.
    public func advanced(by days: Int64) -> CivilDate {
        CivilDate(daysSinceEpoch: daysSinceEpoch + days) ?? self
    }

    /// The first day of its week.
    var monday: CivilDate { advanced(by: -Int64(weekday)) }
}
