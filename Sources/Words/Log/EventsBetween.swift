package import Events
internal import Text

/// How many events of each kind lie between two others, in people's words.
package struct EventsBetween {
    /// By number of the kind; heart rates, which are of the kind of a strap's other values, at 0.
    private var counts = [UInt64](repeating: 0, count: 256)

    /// Nothing has been counted.
    package init() {}

    /// Counts one of them.
    package mutating func count(_ event: borrowing EventView) {
        var kind = event.header.kind.rawValue
        if let fields = event.heartFields {
            let isHeartRate = fields.characteristic == .heartRateMeasurement
            kind = isHeartRate ? 0 : EventKind.characteristicNotified.rawValue
        }
        counts[Int(kind)] += 1
    }

    /// Says how many: `3 events lie between: 2 heart rates and 1 mark.`.
    package var sentence: String {
        let things = Self.named.map { (counts[Int($0?.rawValue ?? 0)], $1, $2) }
        return sentenceBetween(things, total: counts.reduce(0, +))
    }

    /// The kinds that have a word, those of which there are most first; nil for heart rates.
    private static let named: [(EventKind?, String, String)] = [
        (nil, "heart rate", ""), (.pedometerRead, "pedometer reading", ""),
        (.stepSampleObserved, "step sample", ""), (.healthTotalObserved, "health total", ""),
        (.positionFixed, "position", ""), (.reconciliationTriggered, "step reconciliation", ""),
        (.linkUp, "connection", " made"), (.linkLost, "connection", " lost"),
        (.sessionStarted, "walk", " started"), (.sessionPaused, "walk", " paused"),
        (.sessionResumed, "walk", " resumed"), (.sessionEnded, "walk", " ended"),
        (.sessionMarked, "mark", ""), (.lapMarked, "lap", ""), (.goalReached, "goal", " reached"),
        (.dayClosed, "day", " closed"), (.dayRecorded, "day", " kept"),
        (.characteristicNotified, "other value", " of a strap"),
    ]
}

/// What lies between two events that are far from each other, in a sentence.
///
/// - Parameter counts: How many events of each of `Lane.allCases`.
/// - Returns: `3 events lie between: 1 of the strap and 2 about steps. They are too many …`
package func sentence(between counts: [UInt64]) -> String {
    func count(_ lane: Lane) -> UInt64 { counts[Int(lane.rawValue)] }
    let things = [
        (count(.heart), "", "of the strap"), (count(.steps), "", "about steps"),
        (count(.place), "position", ""),
    ]
    return sentenceBetween(things, total: counts.reduce(0, +))
        + " They are too many to be counted by kind."
}

/// A sentence with a number of each of several things: a noun, and what follows it.
private func sentenceBetween(
    _ things: [(number: UInt64, noun: String, after: String)], total: UInt64
) -> String {
    guard total > 0 else { return "No other event lies between." }
    let others = total - things.reduce(0) { $0 + $1.number }
    let parts = (things + [(others, "other", "")]).filter { $0.number > 0 }
        .map { number, noun, after in
            noun.isEmpty ? "\(grouped(number)) \(after)" : counted(number, noun) + after
        }
    return counted(total, "event") + (total == 1 ? " lies between: " : " lie between: ")
        + enumerated(parts) + "."
}
