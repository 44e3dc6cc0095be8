internal import Events

/// An instant as Apple Health writes it: `2026-03-01 09:00:00 +0100`.
enum AppleHealthDate {
    /// The instant, or nil if the text is not exactly of that form or names no instant.
    ///
    /// A leap second is no instant here: the health store does not write one. Offsets reach to 18
    /// hours, as those of zones do.
    ///
    /// - Parameter text: 25 characters.
    /// - Returns: UTC in milliseconds since 1970.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 25, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: " "),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let offsetHour = number(bytes[21..<23]), let offsetMinute = number(bytes[23..<25]),
            let date = CivilDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60, offsetHour <= 18, offsetMinute < 60
        else { return nil }
        let sign: Int64
        switch bytes[20] {
        case UInt8(ascii: "+"): sign = 1
        case UInt8(ascii: "-"): sign = -1
        default: return nil
        }
        let minutes = (date.daysSinceEpoch * 24 + hour) * 60 + minute
        return ((minutes - sign * (offsetHour * 60 + offsetMinute)) * 60 + second) * 1_000
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
