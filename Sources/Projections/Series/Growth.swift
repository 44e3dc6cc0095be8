internal import Events

/// A figure of a session that only grows, at the moments at which it was known to.
///
/// Between two of them it is taken to have grown evenly, but not more slowly than somebody moves
/// who moves at all: whoever comes from a bench has sat, and then walked.
struct Growth: Sendable {
    /// How much it was at a moment.
    struct Reading: Hashable, Sendable {
        /// Since the session began, with its pauses.
        var elapsedMilliseconds: UInt64
        /// Since the session began, without its pauses.
        var activeMilliseconds: UInt64
        /// Steps, or millimetres.
        var amount: UInt64
    }

    /// The readings, in order; none falls.
    private(set) var readings: [Reading] = []
    /// The longest that a walker takes for `amount`.
    private let slowest: (milliseconds: UInt64, amount: UInt64)

    private init(slowest milliseconds: UInt64, for amount: UInt64) {
        slowest = (milliseconds, amount)
    }

    /// Of steps: two seconds for each at most.
    static var steps: Growth { Growth(slowest: 2_000, for: 1) }
    /// Of a distance in millimetres: an hour for a kilometre at most.
    static var distance: Growth { Growth(slowest: 3_600_000, for: 1_000_000) }

    /// Of a climb in millimetres: it is there when it is known.
    static var ascent: Growth { Growth(slowest: 0, for: 1) }

    /// The amount that was known last.
    var amount: UInt64 { readings.last?.amount ?? 0 }

    /// Takes note that the session, or a pause or a lap of it, begins or ends now.
    mutating func turn(elapsed: UInt64, active: UInt64) {
        readings.append(
            Reading(elapsedMilliseconds: elapsed, activeMilliseconds: active, amount: amount))
    }

    /// Takes note of how much it is now.
    ///
    /// - Parameters:
    ///   - amount: The amount; less than before counts as no change.
    ///   - elapsed: Milliseconds since the session began.
    ///   - active: The same without pauses.
    mutating func note(_ amount: UInt64, elapsed: UInt64, active: UInt64) {
        guard let last = readings.last, amount > last.amount else { return }
        let needed = (amount - last.amount).scaled(by: slowest.milliseconds, over: slowest.amount)
        // No pause lies between two readings: its begin and its end are readings.
        if needed < active.minus(last.activeMilliseconds) {
            turn(elapsed: elapsed.minus(needed), active: active - needed)
        }
        readings.append(
            Reading(elapsedMilliseconds: elapsed, activeMilliseconds: active, amount: amount))
    }

    /// How it stood at a moment, after all that was known then.
    ///
    /// - Parameter elapsed: Milliseconds since the session began, with its pauses.
    /// - Returns: The reading; nil before the first that is known and after the last.
    func reading(atElapsed elapsed: UInt64) -> Reading? {
        reading(at: elapsed, of: \.elapsedMilliseconds, isLast: true)
    }

    /// When an amount was reached.
    ///
    /// - Parameters:
    ///   - amount: The amount.
    ///   - isLast: Whether the last moment with it is meant, not the first.
    /// - Returns: The reading; nil if it never was.
    func reading(atAmount amount: UInt64, isLast: Bool = false) -> Reading? {
        reading(at: amount, of: \.amount, isLast: isLast)
    }

    private func reading(
        at wanted: UInt64, of key: (Reading) -> UInt64, isLast: Bool
    ) -> Reading? {
        let low = readings.partitioningIndex { key($0) >= wanted }
        guard low < readings.count else { return nil }
        let after = readings[low]
        if key(after) == wanted {
            return isLast ? readings[low...].prefix { key($0) == wanted }.last : after
        }
        guard low > 0 else { return nil }
        let before = readings[low - 1]
        let whole = key(after) - key(before)
        let part = wanted - key(before)
        func between(_ key: (Reading) -> UInt64) -> UInt64 {
            let (from, to) = (key(before), key(after))
            return from + (to.minus(from)).scaled(by: part, over: whole)
        }
        return Reading(
            elapsedMilliseconds: between(\.elapsedMilliseconds),
            activeMilliseconds: between(\.activeMilliseconds), amount: between(\.amount))
    }
}
