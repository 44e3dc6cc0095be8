internal import Clocks
package import Events
package import Projections
internal import Text

/// A time as people write it: `10:15`, `2026-03-01T10:15:00+01:00`, or milliseconds of UTC
/// since 1970.
///
/// Seconds may stand after the minutes and a fraction after them; `Z` is UTC.
package enum WrittenTime: Equatable {
    /// Milliseconds since local midnight of a day that is still to be named.
    case timeOfDay(Int64)
    /// Milliseconds of UTC since 1970.
    case instant(Int64)

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        if let number = WholeNumber.of(argument) {
            guard FieldRange.signed.contains(number) else { return nil }
            self = .instant(number)
        } else if let time = InstantText.timeOfDayMilliseconds(argument) {
            self = .timeOfDay(time)
        } else if let instant = InstantText(argument) {
            self = .instant(instant.milliseconds)
        } else {
            return nil
        }
    }

    /// UTC in milliseconds since 1970.
    ///
    /// A time of the day is that of the clock on the wall: on a day that the log knows under the
    /// offset that it recorded, else in this machine's zone, as what is recorded now.
    ///
    /// - Parameters:
    ///   - date: The day; nil for today.
    ///   - state: What the log knows.
    ///   - now: UTC in milliseconds since 1970.
    /// - Returns: The instant.
    package func milliseconds(on date: CivilDate?, _ state: LogState, now: Int64) -> Int64 {
        let time: Int64
        switch self {
        case .instant(let instant): return instant
        case .timeOfDay(let value): time = value
        }
        let zone = LocalZone.offsetMinutes(atWallMilliseconds:)
        let today = CivilDate(wallMilliseconds: now, zoneOffsetMinutes: zone(now))
        let local = (date ?? today).daysSinceEpoch * 86_400_000 + time
        if let date, date != today,
            let offset = state.dayReports().last(where: { $0.date == date })?.offsetMinutes
        {
            return local - offset * 60_000
        }
        return ZoneOffset.utc(ofLocal: local, zone)
    }
}

/// A place in a log that a person names: a position or a time.
package enum WholeNumber {
    /// A number of digits only, or nil.
    package static func of(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    /// A position that a log can have, or nil.
    package static func position(_ text: String) -> Position? {
        of(text).flatMap { FieldRange.signed.contains($0) ? Position($0) : nil }
    }
}
