package import Events

/// The time of a fold: one line of milliseconds that never goes back, per source.
///
/// Within a boot it is the boot clock, or the time before where a stamp runs backwards. A new boot
/// adds how much the wall clock went on, if both ends are trusted and it did go on, else nothing.
/// Wall time is a label and otherwise moves nothing but dates.
package struct FoldClock: StatePart, Hashable, Sendable {
    /// The time now; at the first event that event's boot clock.
    package private(set) var milliseconds: UInt64 = 0
    /// The boot of the last event, or nil before the first.
    package private(set) var bootNumber: UInt32?
    /// Fold time minus boot clock in this boot.
    private var base: Int64 = 0
    /// The greatest boot clock of this boot.
    private var bootMilliseconds: UInt64 = 0
    /// Wall minus boot clock as of the last trusted stamp of this boot.
    private var trustedWallOffset: Int64?

    /// Wall minus boot clock at the greatest boot clock of this boot.
    private var wallMinusBoot: Int64 = 0
    /// The wall clock of the last event.
    private var lastWallMilliseconds: Int64 = 0
    /// How many boots began of which nobody knows how long the machine was off before.
    private var gaps: UInt64 = 0

    /// 2024-01-01T00:00:00Z: a wall clock before it was never set.
    static let plausibleWallMilliseconds: Int64 = 1_704_067_200_000

    /// The latest stamp: the greatest boot clock of this boot, the last wall clock.
    package var lastStamp: Stamp {
        Stamp(
            bootMilliseconds: bootMilliseconds, wallMilliseconds: lastWallMilliseconds,
            bootNumber: bootNumber ?? 0)
    }

    /// The time now, with what is known of how it passed.
    var moment: FoldMoment {
        FoldMoment(
            milliseconds: milliseconds, gaps: gaps,
            wallMilliseconds: trustedWallOffset.map { $0 + Int64(bootMilliseconds) })
    }

    /// Moves on to an event's stamp.
    @inline(__always)
    mutating func advance(to header: borrowing EventHeader) {
        let before = milliseconds
        defer { assert(milliseconds >= before, "The time of a fold never goes back.") }
        let boot = min(header.stamp.bootMilliseconds, greatestSum)
        let wall = FoldClock.wall(header.stamp.wallMilliseconds)
        let wallOffset = wall - Int64(boot)
        lastWallMilliseconds = wall
        if bootNumber == header.stamp.bootNumber {
            if boot >= bootMilliseconds {
                bootMilliseconds = boot
                wallMinusBoot = wallOffset
                let time = base + Int64(boot)
                if time > Int64(milliseconds) {
                    milliseconds = min(UInt64(time), greatestSum)
                }
            }
        } else {
            beginBoot(header.stamp, header.flags)
        }
        if header.flags.rawValue & EventFlags.wallTrusted.rawValue != 0 {
            trustedWallOffset = wallOffset
        }
    }

    private mutating func beginBoot(_ stamp: Stamp, _ flags: EventFlags) {
        let before = milliseconds
        milliseconds = time(at: stamp, flags)
        if bootNumber != nil, milliseconds == before { gaps.add(1) }
        bootNumber = stamp.bootNumber
        bootMilliseconds = min(stamp.bootMilliseconds, greatestSum)
        wallMinusBoot = lastWallMilliseconds - Int64(bootMilliseconds)
        base = Int64(milliseconds) - Int64(bootMilliseconds)
        trustedWallOffset = nil
    }

    /// The fold time of a moment at or after the last event, without moving on.
    package func time(at stamp: Stamp, _ flags: EventFlags) -> UInt64 {
        let boot = min(stamp.bootMilliseconds, greatestSum)
        guard let bootNumber else { return boot }
        guard bootNumber != stamp.bootNumber else {
            let time = base + Int64(boot)
            return time > Int64(milliseconds) ? min(UInt64(time), greatestSum) : milliseconds
        }
        guard let trustedWallOffset, flags.contains(.wallTrusted) else { return milliseconds }
        let gap = FoldClock.wall(stamp) - (Int64(bootMilliseconds) + trustedWallOffset)
        return gap > 0 ? milliseconds.plus(UInt64(gap)) : milliseconds
    }

    /// The fold time of an earlier stamp; nil if that is of another boot.
    func time(inBootAt stamp: Stamp) -> UInt64? {
        guard stamp.bootNumber == bootNumber else { return nil }
        let time = base + Int64(min(stamp.bootMilliseconds, greatestSum))
        return min(UInt64(max(time, 0)), milliseconds)
    }

    /// By how much the wall clock was set since the last event of this boot, or nil if that cannot
    /// be told: in another boot, and of a moment before that event, whose clock it still had.
    func wallStep(to stamp: Stamp) -> Int64? {
        let boot = min(stamp.bootMilliseconds, greatestSum)
        guard bootNumber == stamp.bootNumber, boot >= bootMilliseconds else { return nil }
        let step = FoldClock.wall(stamp) - Int64(boot) - wallMinusBoot
        return min(max(step, -Int64(greatestSum)), Int64(greatestSum))
    }

    /// Whether the wall time of a moment is trusted, or put right by an earlier one that was.
    func isWallTrusted(at stamp: Stamp, _ flags: EventFlags) -> Bool {
        flags.contains(.wallTrusted)
            || trustedWallOffset != nil && bootNumber == stamp.bootNumber
    }

    /// The best wall time of a moment, or nil if nothing says it.
    ///
    /// An untrusted wall clock is put right by the boot clock where an earlier stamp of the same
    /// boot was trusted, else taken as it is unless it shows a time before 2024.
    package func wallMilliseconds(at stamp: Stamp, _ flags: EventFlags) -> Int64? {
        let wall = FoldClock.wall(stamp)
        if flags.contains(.wallTrusted) { return wall }
        if let trustedWallOffset, bootNumber == stamp.bootNumber {
            return Int64(min(stamp.bootMilliseconds, greatestSum)) + trustedWallOffset
        }
        return wall >= FoldClock.plausibleWallMilliseconds ? wall : nil
    }

    /// The wall clock, within what the record format allows.
    @inline(__always)
    private static func wall(_ stamp: Stamp) -> Int64 { wall(stamp.wallMilliseconds) }

    /// A time of a wall clock, within what the record format allows.
    @inline(__always)
    static func wall(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, -Int64(greatestSum)), Int64(greatestSum))
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&milliseconds, &bootNumber, &base, &bootMilliseconds, &wallMinusBoot)
        try coder(&lastWallMilliseconds, &trustedWallOffset, &gaps)
        try coder.require(bootNumber != nil || milliseconds == 0)
    }
}
