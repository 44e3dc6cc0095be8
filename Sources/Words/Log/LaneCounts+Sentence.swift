internal import Events
internal import Text

/// What lies between two events, in a sentence.
///
/// - Parameter counts: How many events of each of `Lane.allCases`.
/// - Returns: `3 events lie between: 1 of the strap and 2 about steps.`
public func sentence(between counts: [UInt64]) -> String {
    let total = counts.reduce(0, +)
    guard total > 0 else { return "No other event lies between." }
    func count(_ lane: Lane) -> UInt64 { counts[Int(lane.rawValue)] }
    var things = [
        (count(.heart), "\(grouped(count(.heart))) of the strap"),
        (count(.steps), "\(grouped(count(.steps))) about steps"),
        (count(.place), counted(count(.place), "position")),
    ]
    let others = total - things.reduce(0) { $0 + $1.0 }
    things.append((others, counted(others, "other")))
    return counted(total, "event") + (total == 1 ? " lies between: " : " lie between: ")
        + enumerated(things.filter { $0.0 > 0 }.map(\.1)) + "."
}
