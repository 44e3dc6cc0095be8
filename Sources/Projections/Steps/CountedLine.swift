/// A moment on the line of fold time, and after how many gaps of unknown length it lies.
struct FoldMoment: StatePart, Hashable, Sendable {
    /// Fold time.
    var milliseconds: UInt64 = 0
    /// How many boots began before it of which nobody knows how long the machine was off.
    var gaps: UInt64 = 0
    /// The wall clock, UTC in milliseconds since 1970, if it is trusted.
    var wallMilliseconds: Int64?

    /// The longest that can have passed since an earlier moment: a day at least where nobody knows.
    @inline(__always)
    func longest(since earlier: FoldMoment) -> UInt64 {
        let passed = milliseconds.minus(earlier.milliseconds)
        return gaps == earlier.gaps ? passed : max(passed, Plausibility.dayMilliseconds)
    }

    /// The same, but by the wall clock where that is trusted at both and shows less.
    @inline(__always)
    func passed(since earlier: FoldMoment) -> UInt64 {
        let longest = longest(since: earlier)
        guard let wallMilliseconds, let before = earlier.wallMilliseconds else { return longest }
        return min(longest, UInt64(max(0, wallMilliseconds - before)))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&milliseconds, &gaps, &wallMilliseconds)
    }
}

/// A number that a device counts up, each reading held against the time since the one before.
///
/// A reading goes on if the difference can be made in its time. One that shows less is a wrap of 32
/// bits, or a new beginning, if what that makes can be; else it is set aside, and the next readings
/// count among themselves. The line that was left is remembered while the new one is on trial: a
/// reading that continues from there counts what is more than what was counted meanwhile, so that a
/// spike costs no step.
///
/// Readings less than half a second apart come late and together: up to five seconds of them share
/// the time since the reading before the first. What counts is held against a ``LegAccount``
/// besides.
struct CountedLine: StatePart, Hashable, Sendable {
    /// A reading.
    struct Reading: StatePart, Hashable, Sendable {
        var count: UInt64 = 0
        var moment = FoldMoment()

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&count, &moment)
        }
    }

    /// A line of which nobody knows yet whether it is a spike, and the one that was left for it.
    private struct LineTrial: StatePart, Hashable, Sendable {
        /// The last reading of the line before.
        var left = Reading()
        /// What legs had let go by at that reading, if they were asked.
        var idle: LegAccount.Idle?
        /// What counted since it was left.
        var countedSince: UInt64 = 0
        /// Whether the new line began with a reading that was set aside, not with a new beginning.
        var isDoubtful = false
        /// Whether a reading went on from its first.
        var isConfirmed = false
        /// When it began.
        var from: UInt64 = 0

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&left, &idle, &countedSince, &isDoubtful, &isConfirmed, &from)
        }
    }

    /// What became of a reading.
    enum Outcome: Hashable, Sendable {
        /// It is the first.
        case begun
        /// It went on by so much, which counts.
        case counted(UInt64)
        /// So much counts, for 32 bits were over.
        case wrapped(UInt64)
        /// So much more counts than was counted since it left the line that it is back on.
        case onLine(UInt64)
        /// The counter restarted, and what it shows counts.
        case begunAnew(UInt64)
        /// So much more cannot have been made; the reading is where the next ones count from.
        case setAside(UInt64)
        /// It shows less, and so much cannot have been made since; likewise.
        case fellBack(UInt64)
    }

    /// Readings less than this apart came together.
    private static let togetherMilliseconds: UInt64 = 500
    /// For so long readings that come together share what came before.
    private static let burstMilliseconds: UInt64 = 5_000
    /// A line that began with a reading set aside is believed once it has gone on for so long.
    private static let trialMilliseconds: UInt64 = 600_000

    /// The last reading.
    private(set) var last: Reading?
    /// When the reading before the first of those that came together was.
    private var burstFrom = FoldMoment()
    /// When the first of them came.
    private var burstAt: UInt64 = 0
    /// What counted of them.
    private var burstCount: UInt64 = 0
    /// Until the present line is believed.
    private var trial: LineTrial?

    /// Takes a reading.
    ///
    /// - Parameters:
    ///   - count: What it shows.
    ///   - now: When.
    ///   - limit: How fast it can be counted.
    ///   - legs: What the legs can have walked; what counts is taken from it.
    /// - Returns: What became of it.
    mutating func take(
        _ count: UInt64, at now: FoldMoment, _ limit: CountLimit, _ legs: inout some LegBound
    ) -> Outcome {
        let turn = legs.turn(to: now)
        guard let last else {
            last = Reading(count: count, moment: now)
            (burstFrom, burstAt) = (now, now.milliseconds)
            legs.walk(0, turn, after: nil)
            return .begun
        }
        let passed = now.longest(since: last.moment)
        if Self.isApart(passed, togetherFor: now.milliseconds.minus(burstAt)) {
            (burstFrom, burstAt, burstCount) = (last.moment, now.milliseconds, 0)
        }
        // Nearly always it shows no more than it may in no time, which takes no division to see.
        let isFew = count >= last.count && (count - last.count).plus(burstCount) <= limit.margin
        let made =
            (isFew ? limit.margin : limit.most(in: now.longest(since: burstFrom))).minus(burstCount)
        let most = limit.isBounded ? min(made, legs.most(turn, after: nil)) : .max
        var outcome = Outcome.counted(count.minus(last.count))
        if count >= last.count, count - last.count <= most {
            if trial != nil, count > last.count { confirm(at: now) }
            legs.walk(count - last.count, turn, after: nil)
        } else {
            outcome = judge(count, at: now, after: last, most, limit, &legs, turn)
        }
        self.last = Reading(count: count, moment: now)
        switch outcome {
        case .begun, .setAside, .fellBack: break
        case .counted(let steps), .wrapped(let steps), .onLine(let steps), .begunAnew(let steps):
            burstCount.add(steps)
            trial?.countedSince.add(steps)
        }
        return outcome
    }

    /// Whether a reading does not come together with the one before, or no longer.
    @inline(__always)
    static func isApart(_ passed: UInt64, togetherFor milliseconds: UInt64) -> Bool {
        passed >= togetherMilliseconds || milliseconds >= burstMilliseconds
    }

    /// Judges a reading that does not just go on.
    private mutating func judge<Account: LegBound>(
        _ count: UInt64, at now: FoldMoment, after last: Reading,
        _ most: UInt64, _ limit: CountLimit, _ legs: inout Account, _ turn: Account.Turn
    ) -> Outcome {
        let canBeNew = count < last.count && count <= most
        if let trial, trial.isDoubtful || !canBeNew, count >= trial.left.count,
            count - trial.left.count <= limit.most(in: now.longest(since: trial.left.moment)),
            case let steps = (count - trial.left.count).minus(trial.countedSince),
            steps <= legs.most(turn, after: trial.idle)
        {
            self.trial = nil
            legs.walk(steps, turn, after: trial.idle)
            return .onLine(steps)
        }
        if count < last.count, let wrapped = limit.wrapped(from: last.count, to: count),
            wrapped <= most
        {
            legs.walk(wrapped, turn, after: nil)
            return .wrapped(wrapped)
        }
        if limit.isBounded { leave(last, legs.idle, at: now, isDoubtful: !canBeNew) }
        if canBeNew {
            legs.walk(count, turn, after: nil)
            return .begunAnew(count)
        }
        return count < last.count ? .fellBack(count) : .setAside(count - last.count)
    }

    /// A reading went on from the one before.
    private mutating func confirm(at now: FoldMoment) {
        guard let trial else { return }
        let isOver =
            !trial.isDoubtful || now.milliseconds.minus(trial.from) >= Self.trialMilliseconds
        if isOver { self.trial = nil } else { self.trial?.isConfirmed = true }
    }

    /// Leaves the line for another; one on which no reading went on is not worth remembering.
    private mutating func leave(
        _ last: Reading, _ idle: LegAccount.Idle?, at now: FoldMoment, isDoubtful: Bool
    ) {
        var next = trial.flatMap { $0.isConfirmed ? nil : $0 } ?? LineTrial(left: last, idle: idle)
        (next.isDoubtful, next.from) = (isDoubtful, now.milliseconds)
        trial = next
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&last, &burstFrom, &burstAt, &burstCount, &trial)
    }
}

/// How fast something can be counted.
package struct CountLimit: Hashable, Sendable {
    /// The most of a second.
    let perSecond: UInt64
    /// What a reading may show beyond that.
    let margin: UInt64
    /// The most of a day; nil for what seconds add up to.
    var perDay: UInt64?
    /// Whether the counter may have 32 bits.
    var wraps = false

    /// Steps.
    package static let steps = CountLimit(
        perSecond: Plausibility.stepsPerSecond, margin: Plausibility.stepsMargin,
        perDay: Plausibility.stepsPerDay, wraps: true)
    /// A pedometer's distance in millimetres.
    package static let distance = CountLimit(
        perSecond: Plausibility.millimetresPerSecond, margin: Plausibility.marginMillimetres)

    /// Whatever a counter shows; one of 32 bits wraps, as up to version 8.
    static func any(wraps: Bool) -> CountLimit {
        CountLimit(perSecond: .max, margin: .max, wraps: wraps)
    }

    var isBounded: Bool { perSecond < .max }

    /// A wrap makes fewer steps than this: what a counter of 32 bits cannot know is not a wrap.
    private static let wrapLimit: UInt64 = 100_000

    /// The most that can be made in a time.
    @inline(__always)
    package func most(in milliseconds: UInt64) -> UInt64 {
        let rest = milliseconds % 1_000 * min(perSecond, greatestSum) / 1_000
        let most = (milliseconds / 1_000).times(perSecond).plus(rest).plus(margin)
        guard let perDay else { return most }
        let days =
            milliseconds.plus(Plausibility.dayMilliseconds - 1) / Plausibility.dayMilliseconds
        return min(most, perDay.times(max(1, days)))
    }

    /// What was counted if 32 bits were over; nil if they cannot have been.
    func wrapped(from before: UInt64, to count: UInt64) -> UInt64? {
        guard wraps, before <= UInt64(UInt32.max) else { return nil }
        let wrapped = UInt64(UInt32(truncatingIfNeeded: count) &- UInt32(before))
        return wrapped < Self.wrapLimit ? wrapped : nil
    }
}
