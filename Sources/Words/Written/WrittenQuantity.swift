/// What somebody has written as a number with a unit, or as several: `5km`, `8,000`, `5ft11in`.
struct WrittenQuantity {
    /// How much it is, in the smallest unit, rounded half up; the greatest number for what is more.
    let amount: UInt64

    /// Reads one; nil if it isn't one.
    ///
    /// A comma is a decimal one, unless what is counted comes only whole. Of several numbers each
    /// is less than one of what was counted before.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - units: What may follow a number, and how many parts of the smallest unit one of it is.
    ///   - divisor: How many parts the smallest unit has.
    init?(_ text: String, _ units: [String: UInt64], in divisor: UInt64 = 1) {
        let isWhole = units[""] == 1
        var rest = text.filter { !$0.isWhitespace }.lowercased()
            .replacing(",", with: isWhole ? "" : ".")[...]
        var (sum, limit) = (UInt128(0), UInt128.max)
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { !$0.isNumber && $0 != "." }
            rest = rest.dropFirst(unit.count)
            let parts = number.split(separator: ".", omittingEmptySubsequences: false)
            let decimals = parts.count == 2 ? parts[1] : ""
            guard let factor = units[String(unit)], number.contains(where: \.isNumber),
                parts.count <= (isWhole ? 1 : 2), decimals.count <= 3,
                let thousandths = UInt64((decimals + "000").prefix(3))
            else { return nil }
            let whole = UInt64("0" + parts[0]) ?? .max
            let part = (UInt128(whole) * 1_000 + UInt128(thousandths)) * UInt128(factor)
            guard part < limit else { return nil }
            sum += part
            limit = UInt128(factor) * 1_000
        } while !rest.isEmpty
        amount = UInt64(clamping: (sum / UInt128(divisor) + 500) / 1_000)
    }
}
