internal import Events
internal import Interchange
internal import Text

/// A local date and its offset, as a line above the times that belong to it: `2026-03-01 +01:00`.
struct LocalDay: Hashable, CustomStringConvertible {
    private let date: CivilDate
    private let offsetMinutes: Int64

    /// The day of an instant.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: UTC in milliseconds since 1970.
    ///   - offsetMinutes: Minutes east of UTC.
    init(wallMilliseconds: Int64, offsetMinutes: Int64) {
        date = CivilDate(wallMilliseconds: wallMilliseconds, zoneOffsetMinutes: offsetMinutes)
        self.offsetMinutes = offsetMinutes
    }

    var description: String { "\(date) \(TimeText.offset(offsetMinutes))" }
}
