import Events

/// What a walker's legs can still have gone, whichever pedometers count them.
///
/// A second is worth 5 steps. What legs let go by they cannot make up for, but for 10 steps: so of
/// all stands the one that had let most go by says how far they can have come. And of the stands of
/// the last minute none is more than 300 steps ago.
struct Legs: Carried {
    /// Where the legs stood at a sight that counted.
    private struct Stand: Carried {
        /// Their own time: the shorter of two clocks that disagree.
        var milliseconds: UInt64 = 0
        /// What the time up to here was worth, in thousandths of a step.
        var worth: Int128 = 0
        /// The steps up to here.
        var gone: Int128 = 0

        var letGoBy: Int128 { worth - gone * 1_000 }

        mutating func carry(_ carrier: inout Carrier) { carrier(&milliseconds, &worth, &gone) }
    }

    private var seenAt: Instant?
    private var here = Stand()
    /// The last stand before sights that came together, and when the first of these came.
    private var before = Stand()
    private var togetherSince: UInt64 = 0
    private var mostLetGoBy: Int128 = 0
    private var minute: [Stand] = []

    /// What was let go by.
    struct LetGoBy: Carried {
        var most: Int128 = 0
        var here: Int128 = 0

        mutating func carry(_ carrier: inout Carrier) {
            carrier.signed(&most)
            carrier.signed(&here)
        }
    }

    /// How much was let go by: at most before the sights that came together, and up to here.
    var letGoBy: LetGoBy { LetGoBy(most: mostLetGoBy, here: here.letGoBy) }

    /// The most steps up to a sight, on a road on which so much had been let go by.
    func reach(_ now: Instant, from road: LetGoBy? = nil) -> Int128 {
        let (next, isApart) = step(to: now)
        let worth = (next.letGoBy - bound(isApart, road) + 10_000) / 1_000
        func isRecent(_ stand: Stand) -> Bool { next.milliseconds - stand.milliseconds <= 60_000 }
        let isHereOne = (isApart || isCaughtUp) && isRecent(here)
        let first = minute.first(where: isRecent) ?? (isHereOne ? here : nil)
        return min(worth, first.map { 300 - (here.gone - $0.gone) } ?? worth)
    }

    /// Goes some steps up to a sight, on such a road.
    mutating func go(_ steps: Int128, _ now: Instant, from road: LetGoBy? = nil) {
        let (next, isApart) = step(to: now)
        if isApart || isCaughtUp {
            minute.removeAll {
                next.milliseconds - $0.milliseconds > 60_000 || $0.gone == here.gone
            }
            minute.append(here)
        }
        mostLetGoBy = bound(isApart, road)
        if isApart { (before, togetherSince) = (here, next.milliseconds) }
        seenAt = now
        here = next
        here.gone += steps
    }

    mutating func carry(_ carrier: inout Carrier) {
        carrier(&seenAt, &here, &before, &togetherSince)
        carrier.signed(&mostLetGoBy)
        carrier(&minute)
        carrier.require(max(before.milliseconds, togetherSince) <= here.milliseconds)
        carrier.require(minute.allSatisfy { $0.milliseconds <= here.milliseconds })
    }

    private func bound(_ isApart: Bool, _ road: LetGoBy?) -> Int128 {
        let road = road ?? letGoBy
        return isApart ? max(road.most, road.here) : road.most
    }

    /// Whether no sights that came together still share what came before.
    private var isCaughtUp: Bool { here.letGoBy <= mostLetGoBy }

    private func step(to now: Instant) -> (Stand, isApart: Bool) {
        guard let seenAt else { return (here, true) }
        let passed = now.shorter(since: seenAt)
        let time = min(here.milliseconds + passed, FieldRange.unsigned.upperBound)
        let isApart = passed >= 500 || time - togetherSince >= 5_000
        let from = isApart ? here : before
        let worth = from.worth + Self.worth(time - from.milliseconds)
        let next = Stand(
            milliseconds: time, worth: min(worth, Int128(FieldRange.unsigned.upperBound)),
            gone: here.gone)
        return (next, isApart)
    }

    private static func worth(_ milliseconds: UInt64) -> Int128 {
        let days = max(1, (Int128(milliseconds) + 86_399_999) / 86_400_000)
        let limit = Int128(FieldRange.unsigned.upperBound)
        return min(Int128(milliseconds) * 5, days * 200_000_000, limit)
    }
}
