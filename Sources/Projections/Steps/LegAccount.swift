/// What legs can have walked: counts are compared with it, as well as with their own time.
protocol LegBound {
    /// A moment as they see it.
    associatedtype Turn
    /// What they let go by; nil if nobody asks.
    var idle: LegAccount.Idle? { get }
    /// A moment at or after the last reading that counted.
    func turn(to now: FoldMoment) -> Turn
    /// The most steps that a reading can show.
    ///
    /// - Parameters:
    ///   - turn: When it comes.
    ///   - earlier: What legs had let go by where it goes on from, if that is not the last reading.
    /// - Returns: The number of steps.
    func most(_ turn: Turn, after earlier: LegAccount.Idle?) -> UInt64
    /// Takes the steps of a reading that counts.
    mutating func walk(_ steps: UInt64, _ turn: Turn, after earlier: LegAccount.Idle?)
}

/// Nobody's legs: a distance, a pedometer that does not count, or where every number does.
struct NoLegs: LegBound {
    var idle: LegAccount.Idle? { nil }
    func turn(to now: FoldMoment) {}
    func most(_ turn: Void, after earlier: LegAccount.Idle?) -> UInt64 { .max }
    func walk(_ steps: UInt64, _ turn: Void, after earlier: LegAccount.Idle?) {}
}

/// What one pair of legs can still have walked: an account that refills at 5 steps a second.
///
/// It holds 10 beyond what the silence since the last reading allows, whichever pedometer that was
/// of; readings that come together share the silence before the first of them. In no minute it
/// gives more than 300. Its time is its own: from one reading that counts to the next, by the
/// shorter of the boot clock and the wall clock if both are trusted.
struct LegAccount: LegBound, StatePart, Hashable, Sendable {
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

    /// A moment as the account sees it.
    struct Turn {
        fileprivate let moment: FoldMoment
        /// The last reading as it is then.
        fileprivate let next: Mark
        /// Whether a reading that comes then comes by itself, or as the first of several.
        fileprivate let isApart: Bool
    }

    /// A reading that counted, in the account's own time.
    fileprivate struct Mark: StatePart, Hashable, Sendable {
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

    private var lastAt: FoldMoment?
    private var last = Mark()
    /// The reading before the first of those that came together, and when that first one came.
    private var from = Mark()
    private var togetherSince: UInt64 = 0
    private var mostIdle: Int64 = 0
    /// Readings of the last minute that a minute can begin with, each of other steps.
    private var minute: [Mark] = []

    private static let fullRest = Int64(Plausibility.stepsMargin * 1_000)

    var idle: Idle? { Idle(most: mostIdle, last: last.idle) }

    @inline(__always)
    func most(_ turn: Turn, after earlier: Idle?) -> UInt64 {
        let next = turn.next
        var rest = (next.idle - mostIdle(turn.isApart, earlier) + Self.fullRest) / 1_000
        // Nearly always it would be allowed after all that is kept.
        let inMinute = Int64(Plausibility.stepsPerMinute) + (minute.first ?? last).walked
        guard last.walked + rest > inMinute else { return UInt64(max(0, rest)) }
        let first =
            minute.first { $0.isWithinMinute(of: next) } ?? (isMark(turn.isApart) ? last : nil)
        if let first, first.isWithinMinute(of: next) {
            rest = min(rest, Int64(Plausibility.stepsPerMinute) - (last.walked - first.walked))
        }
        return UInt64(max(0, rest))
    }

    mutating func walk(_ steps: UInt64, _ turn: Turn, after earlier: Idle?) {
        if isMark(turn.isApart) {
            let past = minute.firstIndex { $0.isWithinMinute(of: turn.next) } ?? minute.count
            if past > 0 { minute.removeFirst(past) }
            while minute.last?.walked == last.walked { minute.removeLast() }
            minute.append(last)
        }
        mostIdle = mostIdle(turn.isApart, earlier)
        if turn.isApart { (from, togetherSince) = (last, turn.next.milliseconds) }
        lastAt = turn.moment
        last = turn.next
        last.walked += Int64(steps)
        assert(last.idle >= -Self.fullRest, "Legs have walked what they can.")
        assert(minute.count < Plausibility.stepsPerMinute + 2, "Each mark has walked other steps.")
    }

    @inline(__always)
    private func mostIdle(_ isApart: Bool, _ earlier: Idle?) -> Int64 {
        let idle = earlier ?? Idle(most: mostIdle, last: last.idle)
        return isApart ? max(idle.most, idle.last) : idle.most
    }

    /// Whether a minute can begin at the last reading: not amid those that came late, while they
    /// share what came before.
    private func isMark(_ isApart: Bool) -> Bool { isApart || last.idle <= mostIdle }

    @inline(__always)
    func turn(to now: FoldMoment) -> Turn {
        guard let lastAt else { return Turn(moment: now, next: last, isApart: true) }
        let passed = now.passed(since: lastAt)
        var next = last
        next.milliseconds = last.milliseconds.plus(passed)
        let isApart = CountedLine.isApart(
            passed, togetherFor: next.milliseconds.minus(togetherSince))
        let start = isApart ? last : from
        let worth = Self.worth(of: next.milliseconds.minus(start.milliseconds))
        next.worth = min(start.worth + worth, Int64(greatestSum))
        return Turn(moment: now, next: next, isApart: isApart)
    }

    /// What can be walked in a time, in thousandths of a step.
    @inline(__always)
    private static func worth(of milliseconds: UInt64) -> Int64 {
        let day = Plausibility.dayMilliseconds
        let days = milliseconds <= day ? 1 : milliseconds.plus(day - 1) / day
        let most = days.times(Plausibility.stepsPerDay).times(1_000)
        return Int64(min(milliseconds.times(Plausibility.stepsPerSecond), most))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&lastAt, &last, &from, &togetherSince, &mostIdle, &minute)
        try coder.require(mostIdle.magnitude <= greatestSum)
    }
}
