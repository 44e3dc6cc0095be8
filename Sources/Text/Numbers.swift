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

/// Millimetres as kilometres with two decimals, rounded half up.
public func kilometres(_ millimetres: UInt64) -> String {
    let hundredths = millimetres / 10_000 + (millimetres % 10_000 >= 5_000 ? 1 : 0)
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals) km"
}

/// Calories as whole kilocalories, rounded half up: `1,204 kcal`.
public func kilocalories(_ calories: UInt64) -> String {
    grouped(calories / 1_000 + (calories % 1_000 >= 500 ? 1 : 0)) + " kcal"
}
