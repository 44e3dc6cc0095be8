package import Events

/// Takes dates and times apart, from the left, as people and programs write them.
///
/// What takes something returns nil, and takes nothing, where something else stands.
package struct TimeScanner {
    private var rest: ArraySlice<UInt8>

    /// Begins with a text.
    package init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    /// Whether nothing is left.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Takes a text; false if another one stands there.
    package mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    /// Takes one of some characters of ASCII, and returns it.
    package mutating func take(oneOf characters: String) -> Character? {
        characters.first { take(String($0)) }
    }

    /// Takes a number of so many digits, with no other before or after it.
    package mutating func number(_ counts: ClosedRange<Int>, below limit: Int64 = .max) -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard counts.contains(digits.count) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        guard number < limit else { return nil }
        rest.removeFirst(digits.count)
        return number
    }

    /// Takes a point or a comma and digits, as millionths; what is finer is cut off.
    ///
    /// - Returns: The millionths, 0 if there is no fraction; nil for a point without digits.
    package mutating func millionths() -> Int64? {
        var ahead = self
        guard ahead.take(oneOf: ".,") != nil else { return 0 }
        let digits = ahead.rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = ahead.rest.dropFirst(digits.count)
        return (digits.prefix(6) + Array(repeating: 0x30, count: max(0, 6 - digits.count)))
            .reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Takes `2026-03-01`, or what has other separators or shorter numbers of month and day.
    package mutating func date(
        separators: String = "-", digits counts: ClosedRange<Int> = 2...2
    ) -> CivilDate? {
        var ahead = self
        guard let year = ahead.number(4...4), ahead.take(oneOf: separators) != nil,
            let month = ahead.number(counts), ahead.take(oneOf: separators) != nil,
            let day = ahead.number(counts), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self = ahead
        return date
    }

    /// Takes a time of the day such as `09:00:00` or `09:00:00.5`, as microseconds since midnight.
    ///
    /// - Parameters:
    ///   - hasHalves: Whether ` am` or ` PM` may follow, and then also to `9:00:00`.
    ///   - isShort: Whether `9:00:00` is one.
    ///   - needsSeconds: Whether `09:00` isn't one.
    ///   - secondLimit: 61 where a second may be inserted, which is the next minute's first one.
    /// - Returns: The time.
    package mutating func timeOfDay(
        hasHalves: Bool = false, isShort: Bool = false, needsSeconds: Bool = true,
        secondsBelow secondLimit: Int64 = 60
    ) -> Int64? {
        var ahead = self
        let hasShortHour = ahead.rest.dropFirst().first == UInt8(ascii: ":")
        guard let hour = ahead.number(1...2, below: 24), ahead.take(":"),
            let minute = ahead.number(2...2, below: 60)
        else { return nil }
        var micros = (hour * 60 + minute) * 60_000_000
        if ahead.take(":") {
            guard let second = ahead.number(2...2, below: secondLimit),
                let fraction = ahead.millionths()
            else { return nil }
            micros += second * 1_000_000 + fraction
        } else if needsSeconds {
            return nil
        }
        if hasHalves, let isAfternoon = ahead.half() {
            guard (1...12).contains(hour) else { return nil }
            micros += (hour % 12 + (isAfternoon ? 12 : 0) - hour) * 3_600_000_000
        } else if hasShortHour, !isShort {
            return nil
        }
        self = ahead
        return micros
    }

    /// Takes ` am`, ` PM` or ` p.m.`, with whichever space; true for the afternoon.
    private mutating func half() -> Bool? {
        var ahead = self
        guard ahead.take(" ") || ahead.take("\u{202F}") || ahead.take("\u{A0}"),
            let letter = ahead.take(oneOf: "aApP")
        else { return nil }
        let hasPoints = ahead.take(".")
        guard ahead.take(oneOf: "mM") != nil, !hasPoints || ahead.take(".") else { return nil }
        self = ahead
        return "pP".contains(letter)
    }

    /// Takes `Z`, `+01:00`, `+0100` or `+01`, as minutes east of UTC.
    package mutating func offsetMinutes() -> Int64? {
        if take("Z") { return 0 }
        var ahead = self
        guard let sign = ahead.take(oneOf: "+-") else { return nil }
        let digits = ahead.number(4...4)
        guard let hours = digits.map({ $0 / 100 }) ?? ahead.number(2...2), hours < 19,
            let minutes = digits.map({ $0 % 100 })
                ?? (ahead.take(":") ? ahead.number(2...2) : 0), minutes < 60
        else { return nil }
        self = ahead
        return (sign == "-" ? -1 : 1) * (hours * 60 + minutes)
    }
}
