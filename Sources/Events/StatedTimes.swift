/// What somebody says of a file's times where the file itself does not.
public struct StatedTimes: Sendable {
    /// When its first value came, in UTC milliseconds since 1970: what times without a date count
    /// from, and the date of times of a day; nil if nobody says.
    public var beganAtMilliseconds: Int64?
    /// Minutes east of UTC at a UTC time in milliseconds; nil if nobody says.
    public var offsetMinutes: (@Sendable (_ milliseconds: Int64) -> Int64)?
    /// Whether the day stands before the month in dates such as 3/1/2026; nil if nobody says.
    public var isDayFirst: Bool?

    /// Says nothing by default.
    public init(
        beganAtMilliseconds: Int64? = nil,
        offsetMinutes: (@Sendable (_ milliseconds: Int64) -> Int64)? = nil
    ) {
        (self.beganAtMilliseconds, self.offsetMinutes) = (beganAtMilliseconds, offsetMinutes)
    }
}
