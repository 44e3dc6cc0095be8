internal import Events
internal import Text

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
        var rest = TimeScanner(words.joined(separator: " ").lowercased())
        if words.count == 1, let number = Self.number(rest) {
            self = number
            return
        }
        var (day, scale): (Int64, Scale) = (0, .timeOfDay)
        if let date = rest.date(separators: "-/.", digits: 1...2) {
            (day, scale) = (date.daysSinceEpoch, .local)
        } else if let date = Self.yearlessDay(&rest) {
            (day, scale) = (date, .yearless)
        }
        guard scale == .timeOfDay || rest.take(oneOf: "t_ ") != nil,
            let time = rest.timeOfDay(hasHalves: true, isShort: true, secondsBelow: 61)
        else { return nil }
        var offset: Int64?
        if scale != .yearless {
            // The zone may stand by itself after a date.
            _ = scale == .local && rest.take(" ")
            offset = rest.take("z") ? 0 : rest.offsetMinutes()
        }
        _ = rest.take(oneOf: ":,")
        guard rest.isAtEnd else { return nil }
        microseconds = day * Self.dayMicroseconds + time - (offset ?? 0) * 60_000_000
        self.scale = offset == nil ? scale : .utc
    }

    /// Takes `03-01` or `Mar 1`, as days from the first of a year, a leap year: the one that is
    /// given later may be one.
    private static func yearlessDay(_ rest: inout TimeScanner) -> Int64? {
        let leapYear: Int64 = 10_957  // 2000-01-01
        var ahead = rest
        var month = Self.months.firstIndex { ahead.take($0) }.map { Int64($0) + 1 }
        let separator = month == nil ? "-" : " "
        if month == nil { month = ahead.number(1...2) }
        guard let month, ahead.take(separator), let day = ahead.number(1...2),
            let date = CivilDate(year: 2_000, month: month, day: day)
        else { return nil }
        rest = ahead
        return date.daysSinceEpoch - leapYear
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// A number: seconds or milliseconds since 1970, or seconds since some beginning.
    private static func number(_ text: TimeScanner) -> TextTime? {
        var rest = text
        if let milliseconds = rest.number(13...13), rest.isAtEnd {
            return TextTime(microseconds: milliseconds * 1_000, scale: .utc)
        }
        guard let seconds = rest.number(1...10) else { return nil }
        let isWhole = seconds >= leastEpochSeconds
        // Without a fraction a small number is that of a line.
        guard isWhole || !rest.isAtEnd, let fraction = rest.millionths(), rest.isAtEnd else {
            return nil
        }
        return TextTime(
            microseconds: seconds * 1_000_000 + fraction, scale: isWhole ? .utc : .elapsed)
    }
}
