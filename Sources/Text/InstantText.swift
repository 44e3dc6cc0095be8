package import Events

/// An instant as people and programs write it: a date, a time of the day, and the zone's offset.
///
/// The forms are those of RFC 3339, `2026-03-01T10:00:00.123+01:00`, of ISO 8601,
/// `2026-03-01T10:00:00,123+01`, and of phones, `2026-03-01 10:00:00 +0100`. A phone that is set
/// to twelve hours writes `2024-09-21 7:57:00 am +1000`, with a space, a no-break space or a narrow
/// one (U+202F) before the half of the day.
package struct InstantText: Hashable, Sendable {
    /// The local date.
    package let date: CivilDate
    /// Since the date's local midnight, by the clock on the wall.
    package let timeOfDayMilliseconds: Int64
    /// Minutes east of UTC, -1,139 to 1,139.
    package let offsetMinutes: Int64

    /// UTC in milliseconds since 1970.
    package var milliseconds: Int64 {
        date.daysSinceEpoch * 86_400_000 + timeOfDayMilliseconds - offsetMinutes * 60_000
    }

    /// Reads an instant; nil if the text has none of the forms.
    ///
    /// A fraction has any number of digits and is cut off after milliseconds; a leap second is no
    /// instant here.
    ///
    /// - Parameters:
    ///   - text: The text, with nothing before or after it.
    ///   - otherwise: The offset where none is written; nil if that is no instant.
    package init?(_ text: String, otherwise: Int64? = nil) {
        var rest = TimeScanner(text)
        guard let date = rest.date(), let separator = rest.take(oneOf: "T "),
            let time = rest.timeOfDay(hasHalves: separator == " ")
        else { return nil }
        let isWhole = !rest.isAtEnd || otherwise == nil
        _ = isWhole && rest.take(" ")
        guard let offset = isWhole ? rest.offsetMinutes() : otherwise, rest.isAtEnd else {
            return nil
        }
        self.date = date
        timeOfDayMilliseconds = time / 1_000
        offsetMinutes = offset
    }

    /// Reads a time of the day alone: `10:00`, `10:00:30` or `10:00:30.250`.
    ///
    /// - Parameter text: The text, with nothing before or after it.
    /// - Returns: Milliseconds since midnight, or nil if it has none of the forms.
    package static func timeOfDayMilliseconds(_ text: String) -> Int64? {
        var rest = TimeScanner(text)
        guard let time = rest.timeOfDay(needsSeconds: false), rest.isAtEnd else { return nil }
        return time / 1_000
    }
}
