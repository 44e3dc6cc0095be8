// Numbers as people read them.

/// A whole number with its thousands apart: `8,421`.
public func grouped(_ number: UInt64) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
        if index > 0, index % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return String(text.reversed())
}

/// A whole number with its sign and its thousands apart: `-5,000`, `+40`.
public func signed(_ number: Int64) -> String {
    (number < 0 ? "-" : "+") + grouped(number.magnitude)
}

/// A number of things: `1 reading`, `1,204 readings`.
public func counted(_ number: UInt64, _ thing: String, _ ending: String = "s") -> String {
    "\(grouped(number)) \(thing)\(number == 1 ? "" : ending)"
}

/// Several things in a sentence: `a, b and c`; empty without any.
public func enumerated(_ things: [String]) -> String {
    guard let last = things.last, things.count > 1 else { return things.last ?? "" }
    return things.dropLast().joined(separator: ", ") + " and \(last)"
}

/// Millimetres as whole metres, rounded half up: `1,204`.
public func wholeMetres(_ millimetres: UInt64) -> String {
    grouped(millimetres / 1_000 + (millimetres % 1_000 >= 500 ? 1 : 0))
}

/// Calories as whole kilocalories, rounded half up: `1,204 kcal`.
public func kilocalories(_ calories: UInt64) -> String {
    grouped(calories / 1_000 + (calories % 1_000 >= 500 ? 1 : 0)) + " kcal"
}

/// Hundredths without zeros at the end: `5.5`, `0.25`, `1,006`.
public func decimal(hundredths: UInt64) -> String {
    let (whole, part) = (grouped(hundredths / 100), hundredths % 100)
    let decimals = part % 10 == 0 ? "\(part / 10)" : "\(part / 10)\(part % 10)"
    return part == 0 ? whole : "\(whole).\(decimals)"
}

/// Hundredths as a whole number, rounded half up.
public func whole(hundredths: UInt64) -> UInt64 { (hundredths + 50) / 100 }

/// Milliseconds as hours and minutes, `4:06`, rounded half up.
public func hours(_ milliseconds: UInt64) -> String {
    let minutes = milliseconds / 60_000 + (milliseconds % 60_000 >= 30_000 ? 1 : 0)
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
}

/// A whole number of thousandths, or of other decimal parts, as a decimal number.
///
/// - Parameters:
///   - value: The parts.
///   - places: How many places they have.
/// - Returns: The number with so many decimals.
public func decimal(_ value: some BinaryInteger, places: Int) -> String {
    let digits = String(value.magnitude)
    let zeros = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count))
    let text = zeros + digits
    return (value < 0 ? "-" : "") + text.dropLast(places) + "." + text.suffix(places)
}
