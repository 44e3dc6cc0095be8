/// Lets fixes pass as fast as receivers determine them, and of a flood one a second.
struct FixRate {
    /// What a fix costs, in milliseconds: fast receivers determine 25 a second.
    static let costMilliseconds: UInt64 = 40
    /// The most that is saved up: what a network that stood still for a minute delivers at once.
    static let savedMilliseconds: UInt64 = 60_000
    /// A flood is over when so much is saved again, and one fix passes in so much of it.
    static let secondMilliseconds: UInt64 = 1_000
    /// What was left out is told so often.
    static let tellingMilliseconds: UInt64 = 60_000

    private var saved = secondMilliseconds
    private var last: UInt64?
    private var isFlood = false
    private var passedAt: UInt64 = 0
    private var leftOut: UInt64 = 0
    private var toldAt: UInt64?

    /// Takes a fix.
    ///
    /// - Returns: Whether it passes.
    mutating func passes(at now: UInt64) -> Bool {
        let passed = min(Self.savedMilliseconds, Self.elapsed(since: last ?? now, at: now))
        saved = min(Self.savedMilliseconds, saved + passed)
        last = max(last ?? now, now)
        if saved < Self.costMilliseconds { isFlood = true }
        if saved >= Self.secondMilliseconds { isFlood = false }
        saved -= min(saved, Self.costMilliseconds)
        guard !isFlood || Self.elapsed(since: passedAt, at: now) >= Self.secondMilliseconds else {
            leftOut += 1
            return false
        }
        passedAt = now
        return true
    }

    /// Counts what is to be told as left out; at the end whatever is.
    ///
    /// - Returns: How many did not pass and were not told, where that is due; nil if it is not.
    mutating func takeLeftOut(at now: UInt64, isEnd: Bool = false) -> UInt64? {
        let isLong = toldAt.map { Self.elapsed(since: $0, at: now) >= Self.tellingMilliseconds }
        guard leftOut > 0, isEnd || isLong ?? true else { return nil }
        toldAt = now
        defer { leftOut = 0 }
        return leftOut
    }

    private static func elapsed(since time: UInt64, at now: UInt64) -> UInt64 {
        now - min(time, now)
    }
}
