internal import Events

/// A time as logs write it at the beginning or end of their lines, and what of it they leave out.
struct TextTime: Equatable {
    /// What a time is counted from.
    enum Scale {
        /// 1970 in UTC: the time is whole.
        case utc
        /// 1970 by the clock on a wall whose zone is not given.
        case local
        /// The beginning of a year that is not given, by the clock on a wall.
        case yearless
        /// Midnight of a date that is not given, by the clock on a wall.
        case timeOfDay
        /// Whenever the program that logged began.
        case elapsed
    }

    var microseconds: Int64
    var scale: Scale
}

extension TextTime {
    private static let dayMicroseconds: Int64 = 86_400_000_000
    /// 2001 in seconds since 1970: a greater number is not a time since some program began.
    private static let leastEpochSeconds: Int64 = 1_000_000_000

    /// Finds the first time in a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isLast: Whether it ends with the time, as btmon's headings do.
    init?(in text: Substring, isLast: Bool = false) {
        let words = text.split(whereSeparator: { " \t[]()\u{A0}".contains($0) })
        if isLast {
            let found = [3, 2, 1].lazy.compactMap { count in
                words.count >= count ? TextTime(words.suffix(count)) : nil
            }.first
            guard let found else { return nil }
            self = found
            return
        }
        for index in words.indices.prefix(8) {
            let rest = words[index...].prefix(3)
            for count in [3, 2, 1] where rest.count >= count {
                // A number alone is a time only where a line begins.
                guard let time = TextTime(rest.prefix(count)),
                    time.scale != .elapsed && words[index].contains(where: { ":-".contains($0) })
                        || count > 1 || index == words.startIndex
                else { continue }
                self = time
                return
            }
        }
        return nil
    }

    /// Reads a time of one to three words; nil if it isn't one.
    ///
    /// Known are RFC 3339 and the forms of ISO 8601 near it, `2026-03-01 09:00:00,123`, `03-01
    /// 09:00:00.123`, `Mar  1 09:00:00`, `09:00:00.123 PM`, and seconds with a fraction.
    init?(_ words: ArraySlice<Substring>) {
        guard let first = words.first else { return nil }
        let second = words.dropFirst().first
        switch words.count {
        case 1:
            if let separator = first.firstIndex(where: { "Tt_".contains($0) }),
                let time = TextTime(
                    date: first[..<separator],
                    time: first[first.index(after: separator)...])
            {
                self = time
            } else if let time = Self.timeOfDay(first, half: nil) {
                self = time
            } else {
                guard let time = Self.number(first) else { return nil }
                self = time
            }
        case 2:
            guard let second else { return nil }
            if let time = TextTime(date: first, time: second) {
                self = time
            } else {
                guard let time = Self.timeOfDay(first, half: second) else { return nil }
                self = time
            }
        default:
            guard let second, let third = words.dropFirst(2).first else { return nil }
            if let month = Self.months.firstIndex(of: first.lowercased()), let day = Int64(second),
                let days = Self.yearlessDays(Int64(month) + 1, day),
                let time = Self.timeOfDay(third, half: nil), time.scale == .timeOfDay
            {
                microseconds = days * Self.dayMicroseconds + time.microseconds
                scale = .yearless
            } else {
                // The zone may stand by itself, or half of the day.
                let joined = TextTime(date: first, time: second + third)
                guard let time = joined ?? Self.dated(first, Self.timeOfDay(second, half: third))
                else { return nil }
                self = time
            }
        }
    }

    private init?(date: Substring, time: Substring) {
        guard let time = Self.dated(date, Self.timeOfDay(time, half: nil)) else { return nil }
        self = time
    }

    private static func dated(_ date: Substring, _ time: TextTime?) -> TextTime? {
        guard let time else { return nil }
        let separators = "-/."
        let parts = date.split(omittingEmptySubsequences: false) { separators.contains($0) }
        let numbers = parts.compactMap { $0.count <= 4 ? UInt16($0).map(Int64.init) : nil }
        guard numbers.count == parts.count else { return nil }
        if numbers.count == 3, parts[0].count == 4,
            let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        {
            return TextTime(
                microseconds: date.daysSinceEpoch * dayMicroseconds + time.microseconds,
                scale: time.scale == .utc ? .utc : .local)
        }
        guard numbers.count == 2, date.contains("-"), time.scale == .timeOfDay,
            let days = yearlessDays(numbers[0], numbers[1])
        else { return nil }
        return TextTime(
            microseconds: days * dayMicroseconds + time.microseconds, scale: .yearless)
    }

    /// Days from the first of a year, a leap year: the one that is given later may be one.
    private static func yearlessDays(_ month: Int64, _ day: Int64) -> Int64? {
        let leapYear: Int64 = 10_957  // 2000-01-01
        return CivilDate(year: 2_000, month: month, day: day).map { $0.daysSinceEpoch - leapYear }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// A time of the day, with the zone's offset or without: the scale is ``Scale/utc`` with it.
    private static func timeOfDay(_ text: Substring, half: Substring?) -> TextTime? {
        var clock = text.hasSuffix(":") || text.hasSuffix(",") ? text.dropLast() : text
        var offset: Int64?
        if clock.hasSuffix("Z") || clock.hasSuffix("z") {
            clock = clock.dropLast()
            offset = 0
        } else if let sign = clock.lastIndex(where: { "+-".contains($0) }) {
            guard let minutes = offsetMinutes(clock[sign...]) else { return nil }
            offset = minutes
            clock = clock[..<sign]
        }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, var hour = Int64(parts[0]), let minute = Int64(parts[1]),
            parts[0].count <= 2, parts[1].count == 2, (0..<24).contains(hour),
            (0..<60).contains(minute), let second = seconds(parts[2]), second < 61_000_000
        else { return nil }
        if let half = half?.lowercased() {
            guard ["am", "pm"].contains(half), (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        let time = (hour * 60 + minute) * 60_000_000 + second
        return TextTime(
            microseconds: time - (offset ?? 0) * 60_000_000,
            scale: offset == nil ? .timeOfDay : .utc)
    }

    /// `+01:00`, `+0100` or `+01`, in minutes.
    static func offsetMinutes(_ text: Substring) -> Int64? {
        let digits = text.dropFirst().filter { $0 != ":" }
        guard let sign = text.first, "+-".contains(sign), [2, 4].contains(digits.count),
            let number = UInt16(digits).map(Int64.init)
        else { return nil }
        let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
        guard minutes <= 1_140 else { return nil }
        return sign == "-" ? -minutes : minutes
    }

    /// A number: seconds or milliseconds since 1970, or seconds since some beginning.
    private static func number(_ text: Substring) -> TextTime? {
        if text.count == 13, let milliseconds = UInt64(text) {
            return TextTime(microseconds: Int64(milliseconds) * 1_000, scale: .utc)
        }
        guard let microseconds = seconds(text) else { return nil }
        let isWhole = microseconds / 1_000_000 >= leastEpochSeconds
        // Without a fraction a small number is that of a line.
        guard isWhole || text.contains(where: { ".,".contains($0) }) else { return nil }
        return TextTime(microseconds: microseconds, scale: isWhole ? .utc : .elapsed)
    }

    private static func seconds(_ text: Substring) -> Int64? {
        let parts = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { ".,".contains($0) })
        guard let whole = parts.first, whole.utf8.count <= 10, let seconds = UInt64(whole) else {
            return nil
        }
        guard parts.count == 2 else { return Int64(seconds) * 1_000_000 }
        let digits = parts[1].prefix(6)
        guard !digits.isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
            let fraction = Int64(digits)
        else { return nil }
        return Int64(seconds) * 1_000_000
            + (digits.utf8.count..<6).reduce(fraction) { value, _ in value * 10 }
    }
}
