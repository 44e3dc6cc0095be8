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
    /// - Parameter text: The text, with nothing before or after it.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard let date = CivilDate(String(decoding: rest.prefix(10), as: UTF8.self)) else {
            return nil
        }
        rest = rest.dropFirst(10)
        guard let separator = rest.popFirst(), "T ".utf8.contains(separator),
            let time = rest.takeTime(allowsHalves: separator == UInt8(ascii: " ")),
            let offset = rest.takeOffset(), rest.isEmpty
        else { return nil }
        self.date = date
        timeOfDayMilliseconds = time
        offsetMinutes = offset
    }

    /// Reads a time of the day alone: `10:00`, `10:00:30` or `10:00:30.250`.
    ///
    /// - Parameter text: The text, with nothing before or after it.
    /// - Returns: Milliseconds since midnight, or nil if it has none of the forms.
    package static func timeOfDayMilliseconds(_ text: String) -> Int64? {
        var rest = Array((text.utf8.count == 5 ? text + ":00" : text).utf8)[...]
        guard let time = rest.takeTime(allowsHalves: false), rest.isEmpty else { return nil }
        return time
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        removeFirst(text.utf8.count)
        return true
    }

    /// Takes as many digits as `counts` allows.
    fileprivate mutating func take(_ counts: ClosedRange<Int>, below limit: Int64) -> Int64? {
        let digits = prefix(counts.upperBound).prefix(while: \.isDecimalDigit)
        let number = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        guard counts.contains(digits.count), number < limit else { return nil }
        removeFirst(digits.count)
        return number
    }

    /// Takes `09:00:00`, with a fraction or without, or where halves are allowed `9:00:00 am`.
    fileprivate mutating func takeTime(allowsHalves: Bool) -> Int64? {
        let hourDigits = prefix(while: \.isDecimalDigit).count
        guard var hour = take(1...2, below: 24), take(":"), let minute = take(2...2, below: 60),
            take(":"), let second = take(2...2, below: 60)
        else { return nil }
        var fraction: Int64 = 0
        if take(".") || take(",") {
            let digits = prefix(while: \.isDecimalDigit)
            guard !digits.isEmpty else { return nil }
            for digit in Array(digits.prefix(3) + [0x30, 0x30]).prefix(3) {
                fraction = fraction * 10 + Int64(digit - 0x30)
            }
            removeFirst(digits.count)
        }
        if allowsHalves, let isAfternoon = takeHalf() {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        } else if hourDigits != 2 {
            return nil
        }
        return ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
    }

    /// Takes ` am`, ` PM` or ` p.m.`, with whichever space; true for the afternoon.
    private mutating func takeHalf() -> Bool? {
        var rest = self
        guard rest.take(" ") || rest.take("\u{202F}") || rest.take("\u{A0}") else { return nil }
        let isAfternoon = rest.take("p") || rest.take("P")
        guard isAfternoon || rest.take("a") || rest.take("A") else { return nil }
        let hasPoints = rest.take(".")
        guard rest.take("m") || rest.take("M"), !hasPoints || rest.take(".") else { return nil }
        self = rest
        return isAfternoon
    }

    /// Takes `Z`, `+01:00`, `+0100`, `+01` or ` +0100`; the offset in minutes.
    fileprivate mutating func takeOffset() -> Int64? {
        _ = take(" ")
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = take(2...2, below: 19) else { return nil }
        guard let minutes = take(":") || !isEmpty ? take(2...2, below: 60) : 0 else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}

extension UInt8 {
    fileprivate var isDecimalDigit: Bool { (0x30...0x39).contains(self) }
}
