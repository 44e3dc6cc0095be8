/// What one pair of legs can still have walked: an account that refills at 5 steps a second.
///
/// It holds 10 beyond what the silence since the last reading allows, whichever pedometer that was
/// of; readings that come together share the silence before the first of them. In no minute it
/// gives more than 300. Its time is its own: from one reading that counts to the next, by the
/// shorter of the boot clock and the wall clock if both are trusted.
struct LegAccount: StatePart, Hashable, Sendable {
    /// What legs let go by, in thousandths of a step: they cannot make up for it later.
    struct Idle: StatePart, Hashable, Sendable {
        /// The most that it was before the readings that came together.
        var most: Int64 = 0
        /// What it is at the last reading.
        var last: Int64 = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&most, &last)
        }
    }

    /// A reading that counted, in the account's own time.
    private struct Mark: StatePart, Hashable, Sendable {
        var milliseconds: UInt64 = 0
        /// What could have been walked by then, in thousandths of a step.
        var worth: Int64 = 0
        /// What was walked by then.
        var walked: Int64 = 0

        var idle: Int64 { worth - walked * 1_000 }

        func isWithinMinute(of later: Mark) -> Bool {
            later.milliseconds.minus(milliseconds) <= 60_000
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&milliseconds, &worth, &walked)
            let margin = Int64(Plausibility.stepsMargin)
            try coder.require(
                (0...Int64(greatestSum)).contains(worth)
                    && (0...worth / 1_000 + margin).contains(walked))
        }
    }

    /// Of a pedometer that does not count, or where every number does.
    static let boundless = LegAccount(isBounded: false)

    private var isBounded = true
    private var lastAt: FoldMoment?
    private var last = Mark()
    /// The reading before the first of those that came together, and when that first one came.
    private var from = Mark()
    private var togetherSince: UInt64 = 0
    private var mostIdle: Int64 = 0
    /// Readings of the last minute that a minute can begin with, and since which legs were not idle
    /// for two seconds.
    private var minute: [Mark] = []

    private static let fullRest = Int64(Plausibility.stepsMargin * 1_000)

    init() { self.init(isBounded: true) }

    private init(isBounded: Bool) { self.isBounded = isBounded }

    /// What legs let go by; nil if nobody asks.
    var idle: Idle? { isBounded ? Idle(most: mostIdle, last: last.idle) : nil }

    /// The most steps that a reading can show.
    ///
    /// - Parameters:
    ///   - now: When it comes.
    ///   - earlier: What legs had let go by where it goes on from, if that is not the last reading.
    /// - Returns: The number of steps.
    func most(at now: FoldMoment, after earlier: Idle? = nil) -> UInt64 {
        guard isBounded else { return .max }
        let (next, isApart) = turn(to: now)
        var rest = (next.idle - mostIdle(isApart, earlier) + Self.fullRest) / 1_000
        let first =
            minute.first { $0.isWithinMinute(of: next) } ?? (isMark(isApart) ? last : nil)
        if let first, first.isWithinMinute(of: next) {
            rest = min(rest, Int64(Plausibility.stepsPerMinute) - (last.walked - first.walked))
        }
        return UInt64(max(0, rest))
    }

    /// Takes the steps of a reading that counts.
    mutating func walk(_ steps: UInt64, at now: FoldMoment, after earlier: Idle? = nil) {
        guard isBounded else { return }
        var (next, isApart) = turn(to: now)
        if isMark(isApart) {
            minute.removeAll { [last] mark in
                mark.walked == last.walked || !mark.isWithinMinute(of: next)
                    || mark.idle + Self.fullRest < last.idle
            }
            minute.append(last)
        }
        mostIdle = mostIdle(isApart, earlier)
        if isApart { (from, togetherSince) = (last, next.milliseconds) }
        lastAt = now
        next.walked += Int64(steps)
        last = next
    }

    private func mostIdle(_ isApart: Bool, _ earlier: Idle?) -> Int64 {
        let idle = earlier ?? Idle(most: mostIdle, last: last.idle)
        return isApart ? max(idle.most, idle.last) : idle.most
    }

    /// Whether a minute can begin at the last reading: not amid those that came late, while they
    /// share what came before.
    private func isMark(_ isApart: Bool) -> Bool { isApart || last.idle <= mostIdle }

    /// The last reading as it is at a moment, and whether one that comes then comes by itself or as
    /// the first of several.
    private func turn(to now: FoldMoment) -> (next: Mark, isApart: Bool) {
        guard let lastAt else { return (last, true) }
        let passed = now.passed(since: lastAt)
        var next = last
        next.milliseconds = last.milliseconds.plus(passed)
        let isApart = CountedLine.isApart(
            passed, togetherFor: next.milliseconds.minus(togetherSince))
        let start = isApart ? last : from
        let worth = Self.worth(of: next.milliseconds.minus(start.milliseconds))
        next.worth = min(start.worth + worth, Int64(greatestSum))
        return (next, isApart)
    }

    /// What can be walked in a time, in thousandths of a step.
    private static func worth(of milliseconds: UInt64) -> Int64 {
        let day = Plausibility.dayMilliseconds
        let days = milliseconds.plus(day - 1) / day
        let most = max(1, days).times(Plausibility.stepsPerDay).times(1_000)
        return Int64(min(milliseconds.times(Plausibility.stepsPerSecond), most))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&lastAt, &last, &from, &togetherSince, &mostIdle, &minute)
        try coder.require(mostIdle.magnitude <= greatestSum)
    }
}
