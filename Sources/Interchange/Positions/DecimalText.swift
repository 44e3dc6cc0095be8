package import JSON

/// A decimal number as it is written, of which whole units are taken exactly.
///
/// `DecimalText("-48.13715000")?.whole(timesTenTo: 7)` is -481,371,500: no binary fraction lies in
/// between, so the same text gives the same number on every machine.
package struct DecimalText: Hashable, Sendable {
    /// Whether it is written with a minus, which `-0` is too.
    package let isNegative: Bool
    /// The digits from the first that is not zero on, each 0 to 9.
    private let digits: [UInt8]
    /// How many of ``digits`` stand before the point; negative for zeros after it.
    private let point: Int

    /// Beyond this many places no number is told apart from zero, or from one that is too great.
    private static let farthestPlace = 100_000

    /// Reads a number: a sign, digits with a point or without, an exponent; nil for anything else,
    /// such as `NaN`, `1e` or an empty text.
    ///
    /// - Parameter text: The text, with nothing before or after it.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: \.isDigit)
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty, let exponent = Self.exponent(rest) else {
            return nil
        }
        let all = (Array(whole) + Array(fraction)).map { $0 - 0x30 }
        let zeros = all.prefix { $0 == 0 }.count
        digits = Array(all.dropFirst(zeros))
        point = whole.count - zeros + exponent
    }

    /// The number's exponent, 0 if nothing is written, at most ``farthestPlace`` either way.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        guard let letter = text.first else { return 0 }
        guard letter | 0x20 == UInt8(ascii: "e") else { return nil }
        var rest = text.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard !rest.isEmpty, rest.allSatisfy(\.isDigit) else { return nil }
        let size = rest.reduce(0) { min($0 * 10 + Int($1 - 0x30), farthestPlace) }
        return isNegative ? -size : size
    }

    /// The number times a power of ten, rounded to a whole number, halves away from zero.
    ///
    /// - Parameter places: The power; 7 for degrees times 10^7.
    /// - Returns: The whole number; nil if it does not fit.
    package func whole(timesTenTo places: Int) -> Int64? {
        guard !digits.isEmpty else { return 0 }
        let count = point + places
        guard count <= 19 else { return nil }
        var value: UInt64 = 0
        for place in 0..<max(0, count) {
            // 19 digits always fit.
            value = value * 10 + UInt64(place < digits.count ? digits[place] : 0)
        }
        if digits.indices.contains(count), digits[count] >= 5 { value += 1 }
        guard value <= Int64.max else { return nil }
        return isNegative ? -Int64(value) : Int64(value)
    }
}

extension JSONNumber {
    /// The number times a power of ten, rounded to a whole number, halves away from zero.
    ///
    /// - Parameter places: The power; 7 for degrees times 10^7.
    /// - Returns: The whole number; nil if it does not fit.
    package func whole(timesTenTo places: Int) -> Int64? {
        DecimalText(text)?.whole(timesTenTo: places)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
