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
