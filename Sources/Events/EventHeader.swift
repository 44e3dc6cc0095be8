/// A position in the log: 0 for the first event, without gaps.
///
/// Position is the order.
public typealias Position = UInt64

/// When an input arrived, on both clocks, taken once and together.
@frozen
public struct Stamp: Hashable, Sendable {
    /// `CLOCK_BOOTTIME` in milliseconds, below 2^53.
    ///
    /// It goes on during suspend and never steps.
    public var bootMilliseconds: UInt64
    /// UTC in milliseconds since 1970-01-01, magnitude below 2^53.
    ///
    /// A label, never a duration.
    public var wallMilliseconds: Int64
    /// Which boot of the machine the boot clock belongs to, counted per source from 0.
    public var bootNumber: UInt32

    /// Makes a stamp from its three parts.
    @inlinable
    public init(bootMilliseconds: UInt64, wallMilliseconds: Int64, bootNumber: UInt32) {
        (self.bootMilliseconds, self.wallMilliseconds) = (bootMilliseconds, wallMilliseconds)
        self.bootNumber = bootNumber
    }
}

/// Facts about an event that are not in its payload.
@frozen
public struct EventFlags: OptionSet, Hashable, Sendable {
    /// The bits as they are in the log; bits without a name are kept as they are.
    public let rawValue: UInt8

    /// Makes flags from their bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The wall clock was synchronized and not before 2024.
    public static var wallTrusted: EventFlags { EventFlags(rawValue: 1) }
    /// The input was simulated.
    public static var simulated: EventFlags { EventFlags(rawValue: 2) }
}

/// The envelope of a recorded event: everything but its payload.
@frozen
public struct EventHeader: Hashable, Sendable {
    /// The place in the log.
    public var position: Position
    /// 0 for the live recorder, n for the n-th import.
    public var source: UInt32
    /// When it arrived.
    public var stamp: Stamp
    /// Trusted clock, simulated input.
    public var flags: EventFlags
    /// What kind of event it is.
    public var kind: EventKind
    /// The version of the payload's layout, 1 or more.
    public var version: UInt16

    /// A blank one, to be filled in.
    @inlinable
    init() {
        self.init(
            position: 0, source: 0,
            stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0), flags: [],
            kind: EventKind(rawValue: 0), version: 0)
    }

    /// Makes a header from its parts.
    @inlinable
    public init(
        position: Position, source: UInt32, stamp: Stamp, flags: EventFlags, kind: EventKind,
        version: UInt16
    ) {
        (self.position, self.source, self.stamp, self.flags) = (position, source, stamp, flags)
        (self.kind, self.version) = (kind, version)
    }
}
