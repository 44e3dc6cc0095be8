/// When and where a plain event is.
@frozen
public struct PlainEntry: BitwiseCopyable, Sendable {
    /// Its boot clock.
    public let bootMilliseconds: UInt64
    /// Its position; known once it is in a run.
    public internal(set) var position: Position = 0
    /// Its wall clock.
    public let wallMilliseconds: Int64

    @inlinable
    @inline(__always)
    init(_ bootMilliseconds: UInt64 = 0, _ wallMilliseconds: Int64 = 0) {
        self.bootMilliseconds = bootMilliseconds
        self.wallMilliseconds = wallMilliseconds
    }

    @inlinable
    func stamp(inBoot bootNumber: UInt32) -> Stamp {
        Stamp(
            bootMilliseconds: bootMilliseconds, wallMilliseconds: wallMilliseconds,
            bootNumber: bootNumber)
    }
}

/// A heart-rate value in the dense form of the record format, by its fields, without its intervals.
@frozen
public struct DenseHeart: BitwiseCopyable, Sendable {
    @usableFromInline var control: UInt8 = 0
    /// How many RR intervals it has, 0 to 5.
    public var intervalCount: UInt8 = 0
    /// Beats per minute, 0 to 65,535.
    public var heartRateBPM: UInt16 = 0
    @usableFromInline var energy: UInt16 = 0
    /// Where its intervals begin among those that were read ahead.
    @usableFromInline var firstInterval: UInt16 = 0

    @inlinable
    init() {}

    /// Whether the strap can tell contact, and has none.
    @inlinable
    @inline(__always)
    public var isWithoutContact: Bool { control &>> 3 & 3 == 2 }

    /// Whether the strap can tell contact, and has it.
    @inlinable
    @inline(__always)
    public var isInContact: Bool { control &>> 3 & 3 == 3 }

    /// Whether the heart rate takes two bytes.
    @inlinable
    @inline(__always)
    public var isWide: Bool { control & 0x20 != 0 }

    @inlinable
    @inline(__always)
    var hasEnergy: Bool { control & 0x40 != 0 }

    /// The bytes of the value.
    @inlinable
    @inline(__always)
    var length: Int {
        2 &+ (isWide ? 1 : 0) &+ (hasEnergy ? 2 : 0) &+ 2 &* Int(intervalCount)
    }
}

/// A reading of a counter, or of a watch that counts.
@frozen
public struct DenseCount: BitwiseCopyable, Sendable {
    /// The cumulative count of steps, 0 to 2^53 - 1.
    public var count: UInt64 = 0
    /// The cumulative distance next to it, if ``hasDistance``.
    public var distanceMillimetres: UInt64 = 0
    /// Whether there is a distance.
    public var hasDistance = false
    /// Whether the counter is a watch's of 32 bits.
    public var isWatch = false

    @inlinable
    init() {}
}
