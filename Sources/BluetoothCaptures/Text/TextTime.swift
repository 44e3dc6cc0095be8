/// The times that logs begin or end their lines with.
struct TextTime {
    /// Reads a time, in microseconds since 1970, or since midnight or the capture's beginning if no
    /// more is told; nil if it is none.
    ///
    /// Known are `2026-03-01 09:00:00.123456` with a blank or a T, and a comma or a point before
    /// the fraction, `09:00:00.123456`, and seconds with a fraction, `5.123456`.
    ///
    /// - Parameter words: The words of the time, one or two.
    /// - Returns: The time.
    static func microseconds(_ words: [Substring]) -> Int64? {
        switch words.count {
        case 1:
            let parts = words[0].split(separator: "T", maxSplits: 1)
            if parts.count == 2 { return microseconds(parts) }
            return timeOfDay(words[0]) ?? seconds(words[0])
        case 2:
            guard let days = days(words[0]), let time = timeOfDay(words[1]) else { return nil }
            return days * 86_400_000_000 + time
        default: return nil
        }
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, let year = Int64(parts[0]),
            let month = Int64(parts[1]), let day = Int64(parts[2]), (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        // March first: the day that leap years add is the last one.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func timeOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = Int64(parts[0]), let minute = Int64(parts[1]),
            (0..<24).contains(hour), (0..<60).contains(minute),
            let second = seconds(parts[2]), second < 61_000_000
        else { return nil }
        return (hour * 60 + minute) * 60_000_000 + second
    }

    private static func seconds(_ text: Substring) -> Int64? {
        let parts = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { ".,".contains($0) })
        guard let whole = parts.first, whole.utf8.count <= 9, let seconds = UInt32(whole) else {
            return nil
        }
        guard parts.count == 2 else { return Int64(seconds) * 1_000_000 }
        let digits = parts[1].prefix(6)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let fraction = Int64(digits)
        else { return nil }
        return Int64(seconds) * 1_000_000
            + (digits.utf8.count..<6).reduce(fraction) { value, _ in value * 10 }
    }
}
