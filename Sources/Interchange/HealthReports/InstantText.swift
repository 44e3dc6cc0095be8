internal import Events

/// Instants as programs on phones write them.
enum InstantText {
    /// The instant of `2026-03-01T09:00:00.123Z` (RFC 3339) or `2026-03-01 09:00:00 +0100`.
    ///
    /// A fraction is cut off behind milliseconds; a leap second is no instant here.
    ///
    /// - Parameter text: The text.
    /// - Returns: UTC in milliseconds since 1970, or nil if it is of neither form.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard let date = CivilDate(String(decoding: rest.prefix(10), as: UTF8.self)) else {
            return nil
        }
        rest = rest.dropFirst(10)
        guard let separator = rest.popFirst(), "T ".utf8.contains(separator),
            let hour = rest.take(2, below: 24), rest.take(":"),
            let minute = rest.take(2, below: 60), rest.take(":"),
            let second = rest.take(2, below: 60)
        else { return nil }
        var fraction: Int64 = 0
        if rest.take(".") {
            let digits = rest.prefix(while: \.isDecimalDigit)
            guard (1...9).contains(digits.count) else { return nil }
            for place in 0..<3 {
                let digit = place < digits.count ? digits[digits.startIndex + place] - 0x30 : 0
                fraction = fraction * 10 + Int64(digit)
            }
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = rest.takeOffset(), rest.isEmpty else { return nil }
        let minutes = (date.daysSinceEpoch * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1_000 + fraction
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func take(_ digits: Int, below limit: Int64) -> Int64? {
        let part = prefix(digits)
        guard part.count == digits, part.allSatisfy(\.isDecimalDigit) else { return nil }
        let number = part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        guard number < limit else { return nil }
        removeFirst(digits)
        return number
    }

    /// Takes `Z`, `+01:00`, `+0100` or ` +0100`; the offset in minutes.
    fileprivate mutating func takeOffset() -> Int64? {
        _ = take(" ")
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = take(2, below: 19) else { return nil }
        _ = take(":")
        guard let minutes = take(2, below: 60) else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}

extension UInt8 {
    fileprivate var isDecimalDigit: Bool { (0x30...0x39).contains(self) }
}

extension JSONNumber {
    /// The number rounded to an integer, halves up; nil if it is negative, greater than a limit, or
    /// has an exponent of more than three digits.
    func roundedInteger(upTo limit: UInt64) -> UInt64? {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) : 0
        guard let exponent, (-999...999).contains(exponent), !text.hasPrefix("-") else {
            return nil
        }
        let digits = mantissa.joined().utf8.map { UInt64($0 - 0x30) }
        // How many of the digits stand before the point.
        let point = mantissa[0].utf8.count + exponent
        var value: UInt64 = 0
        for place in 0..<max(0, point) {
            value = value * 10 + (place < digits.count ? digits[place] : 0)
            guard value <= limit else { return nil }
        }
        if (0..<digits.count).contains(point), digits[point] >= 5 { value += 1 }
        return value <= limit ? value : nil
    }
}
