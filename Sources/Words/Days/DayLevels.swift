internal import Text

/// Where the levels of a calendar's days begin, and what a legend says of them.
///
/// The first level is of whatever is less than the second begins with. A terminal has four signs,
/// so its fourth level has no end.
struct DayLevels {
    /// What each level but the first begins with, in order.
    let from: [UInt64]
    /// What a legend says of each.
    let labels: [String]

    /// Levels of steps: they begin at 31, 63, 100 and 150 % of the goal, all but the goal itself
    /// rounded to 500, or of a goal below 3,000 to 1.
    ///
    /// - Parameter goal: The daily goal; without one it is taken to be 8,000, and not named.
    /// - Returns: The levels.
    static func steps(goal: UInt64?) -> DayLevels {
        let whole = min(goal ?? 8_000, 1 << 31)
        let unit: UInt64 = whole < 3_000 ? 1 : 500
        func percent(_ share: UInt64) -> UInt64 {
            max(1, (whole * share + 50 * unit) / (100 * unit) * unit)
        }
        let from = [percent(31), percent(63), whole, max(whole, percent(150))]
        var labels = ["below \(grouped(from[0]))"] + from.map { "from \(grouped($0))" }
        if goal != nil { labels[3] += ", the goal" }
        return DayLevels(from: from, labels: labels)
    }

    /// Levels of a distance in millimetres.
    static func distance(_ units: Units) -> DayLevels {
        let from: [UInt64] = units.isInMiles ? [2, 4, 8, 12] : [3, 6, 12, 20]
        return DayLevels(
            from: from.map { $0 * units.distanceMillimetres },
            labels: ["below \(from[0]) \(units.distanceName)"]
                + from.map { "from \($0) \(units.distanceName)" })
    }

    /// Levels of the active time in milliseconds.
    static let active = DayLevels(
        from: [20, 40, 60, 120].map { $0 * 60_000 },
        labels: ["below 20 min", "from 20 min", "from 40 min", "from 1 h", "from 2 h"])

    /// The level of something that was counted, 1 to 5.
    func level(of value: UInt64) -> Int { 1 + from.count { value >= $0 } }
}
