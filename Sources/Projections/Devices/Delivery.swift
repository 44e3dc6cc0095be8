import Decoding
import Events

/// How often each heart-rate value of a device is signalled.
///
/// The Bluetooth daemon signals a notification once for each program that subscribes, and every
/// program hears all of these signals. The log keeps them as they came; this finds out which are
/// copies.
///
/// A *group* is a value and its copies: values with the same bytes that come within
/// `copyMilliseconds` of the first, or if they hold RR intervals within ``lateMilliseconds``. Two
/// true values can look like that too, after a radio gap or at a steady pulse. So copies are on
/// trial first: only when ``provingGroups`` groups in a row had the same count, and began
/// ``spacingMilliseconds`` to ``reachMilliseconds`` apart, delivery is multiplied. Where a copy
/// came late, the intervals of these groups must also fill their time, if each counts once. From
/// then on a group is full at that count, and it is over with the first group that does not get
/// full.
///
/// A lost link leaves open what the group under way would have become, and nothing else: the next
/// group continues with the trial, or confirms what was found, or ends it.
package struct Delivery: StatePart, Hashable, Sendable {
    /// How many groups in a row with the same count prove that delivery is multiplied.
    package static let provingGroups: UInt64 = 5
    /// How far apart these groups begin at least; a strap sends about one value a second.
    package static let spacingMilliseconds: UInt64 = 200
    /// How far apart these groups begin at most: what a strap could not send at once comes
    /// together, so equal values after a longer gap may well be two.
    package static let reachMilliseconds: UInt64 = 1_500

    /// How late a copy of a value with RR intervals comes at most: on a slow machine 100 ms.
    package static let lateMilliseconds: UInt64 = 250
    /// What the intervals of groups with late copies fill of their time, in tenths: values of five
    /// seconds have a slow heart's beat more or less.
    static let conservedTenths: ClosedRange<UInt64> = 6...15

    /// How often each value comes: 1 unless proven otherwise.
    package private(set) var factor: UInt64 = 1
    /// When the groups in a row began that are on trial or proved the factor.
    private(set) var runAt: UInt64 = 0
    /// When the first value of the group under way came.
    private(set) var groupAt: UInt64 = 0
    /// When the last value came that is a copy, or on trial as one.
    private(set) var copiedAt: UInt64 = 0
    private var watch = Watch.nothing
    /// The intervals of the values after the first one of the groups in a row, in 1/1024 s, while
    /// copies are late.
    private var runTicks: UInt64 = 0
    /// The count that the groups in a row have in common.
    private var runCount: UInt64 = 0
    private var runLength: UInt64 = 0
    /// The values of the group under way; 0 if there is none.
    private var groupCount: UInt64 = 0
    private var imprint = ValueImprint()

    /// Whether copies are on trial, or delivery is multiplied, and of which kind they are.
    enum Watch: UInt8, CaseIterable, StatePart {
        case nothing
        case prompt
        case late
    }

    /// Whether copies are on trial, or delivery is multiplied.
    var isWatched: Bool { watch != .nothing }

    /// What a value is, and what it proves of those before it.
    enum Verdict {
        /// A value of its own.
        case single
        /// The same as the value before, just after it: perhaps a copy.
        case candidate
        /// A copy: delivery is known to be multiplied.
        case copy
        /// A value of its own; what looked like copies before it were values too.
        case refuted
        /// A value of its own; what looked like copies before it were copies.
        case proven
        /// A value of its own; delivery is no longer multiplied.
        case ended
    }

    /// Takes a value; nearly always that is two comparisons and a few stores.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - measurement: What it says; nil if it cannot be decoded.
    ///   - now: The fold time.
    ///   - rules: How long copies may come.
    /// - Returns: What it is.
    @inline(__always)
    mutating func take(
        _ value: Span<UInt8>, _ measurement: HeartRateMeasurement?, at now: UInt64, _ rules: Rules
    ) -> Verdict {
        let imprint = ValueImprint(value)
        // How long after a value an equal one may be a copy of it, prompt or late.
        let window =
            rules.copyMilliseconds > 0 ? max(rules.copyMilliseconds, Self.lateMilliseconds) : 0
        guard isWatched || now.minus(groupAt) <= window else {
            begin(imprint, at: now)
            return .single
        }
        return judge(imprint, measurement?.rrTicks(in: value) ?? 0, at: now, rules)
    }

    /// The link was lost: the group under way remains unjudged.
    mutating func cut() {
        groupCount = 0
    }

    // MARK: -

    @inline(__always)
    private mutating func begin(_ imprint: ValueImprint, at now: UInt64) {
        self.imprint = imprint
        groupAt = now
        groupCount = 1
    }

    @inline(never)
    private mutating func judge(
        _ imprint: ValueImprint, _ ticks: UInt64, at now: UInt64, _ rules: Rules
    ) -> Verdict {
        let age = now.minus(groupAt)
        let isLate = age > rules.copyMilliseconds
        let isSoon =
            rules.copyMilliseconds > 0 && (!isLate || age <= Self.lateMilliseconds && ticks > 0)
        let hasRoom = factor == 1 || groupCount < factor
        if isSoon, hasRoom, groupCount > 0, imprint == self.imprint {
            groupCount.add(1)
            assert(factor == 1 || groupCount <= factor, "A full group takes no more copies.")
            copiedAt = now
            if isLate || watch == .nothing { watch = isLate ? .late : .prompt }
            return factor == 1 ? .candidate : .copy
        }
        let verdict = isWatched && groupCount > 0 ? close(ticks, at: now) : .single
        begin(imprint, at: now)
        return verdict
    }

    /// Judges the group under way, which the next value has completed.
    private mutating func close(_ ticks: UInt64, at now: UInt64) -> Verdict {
        guard factor == 1 else {
            guard groupCount != factor else { return .single }
            factor = 1
            endRun()
            return .ended
        }
        let gap = now.minus(groupAt)
        // Judged as little as a group that a lost link has cut.
        if groupCount > 1, gap > Delivery.reachMilliseconds { return .single }
        let isSpaced = gap >= Delivery.spacingMilliseconds
        guard groupCount > 1, isSpaced, runLength == 0 || groupCount == runCount else {
            endRun()
            return .refuted
        }
        // Of groups before the first late copy nobody added up the intervals.
        if runLength == 0 || watch == .late && runTicks == 0 {
            runAt = groupAt
            runCount = groupCount
            runLength = 0
        }
        if watch == .late { runTicks.add(ticks) }
        runLength += 1
        guard runLength == Delivery.provingGroups else { return .single }
        guard watch == .prompt || isConserved(at: now) else {
            endRun()
            return .refuted
        }
        factor = runCount
        assert(factor > 1, "A group has a value and its copies.")
        return .proven
    }

    /// Whether the intervals since the groups in a row began fill the time, if each counts once.
    private func isConserved(at now: UInt64) -> Bool {
        let time = now.minus(runAt).times(1_024)
        let filled = UInt128(runTicks) * 10_000
        return UInt128(Self.conservedTenths.lowerBound) * UInt128(time) <= filled
            && filled <= UInt128(Self.conservedTenths.upperBound) * UInt128(time)
    }

    private mutating func endRun() {
        runLength = 0
        watch = .nothing
        runTicks = 0
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&factor, &runAt, &groupAt, &copiedAt, &watch)
        if watch == .late { try coder(&runTicks) }
        try coder(&runCount, &runLength, &groupCount, &imprint)
        try coder.require(factor > 0)
        try coder.require(runLength < Delivery.provingGroups || factor > 1)
    }
}

extension HeartRateMeasurement {
    /// The sum of the RR intervals, in 1/1024 s.
    fileprivate func rrTicks(in value: Span<UInt8>) -> UInt64 {
        var sum: UInt64 = 0
        for index in 0..<rrIntervalCount {
            sum += UInt64(rrInterval1024ths(at: index, in: value))
        }
        return sum
    }
}

/// What is kept of a value to tell a copy of it: its length, its first and its last 8 bytes.
///
/// Up to 16 bytes that is all of it; most straps send 2 to 12. Of a longer value the middle is not
/// compared, and two such values within milliseconds that differ only there are not to be expected.
struct ValueImprint: StatePart, Hashable, Sendable {
    private var count: UInt64 = 0
    private var head: UInt64 = 0
    private var tail: UInt64 = 0

    init() {}

    @inline(__always)
    init(_ value: Span<UInt8>) {
        count = UInt64(value.count)
        (head, tail) = value.ends
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&count)
        try coder.bits(&head)
        try coder.bits(&tail)
    }
}

extension StateCoder {
    /// 64 bits that are no number, as two halves, the lower one first.
    fileprivate mutating func bits(_ value: inout UInt64) throws(DamagedState) {
        var (low, high) = (UInt32(truncatingIfNeeded: value), UInt32(value >> 32))
        try self(&low, &high)
        value = UInt64(high) << 32 | UInt64(low)
    }
}
