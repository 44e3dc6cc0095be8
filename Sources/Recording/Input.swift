public import Events
public import Projections

/// When something arrived, on both clocks, before the log knows the boot's number.
public struct Arrival: Hashable, Sendable {
    /// `CLOCK_BOOTTIME` in milliseconds.
    public var bootMilliseconds: UInt64
    /// UTC in milliseconds since 1970.
    public var wallMilliseconds: Int64
    /// Trusted clock, simulated input.
    public var flags: EventFlags

    /// Makes an arrival.
    public init(bootMilliseconds: UInt64, wallMilliseconds: Int64, flags: EventFlags) {
        self.bootMilliseconds = bootMilliseconds
        self.wallMilliseconds = wallMilliseconds
        self.flags = flags
    }

    /// The moment in a boot of the given number.
    public func moment(bootNumber: UInt32) -> Moment {
        Moment(
            Stamp(
                bootMilliseconds: bootMilliseconds, wallMilliseconds: wallMilliseconds,
                bootNumber: bootNumber), flags)
    }
}

/// What arrived or was asked, and when.
public struct Input: Hashable, Sendable {
    /// What is to be decided; ``Command/record(_:)`` for a reading.
    public var command: Command
    /// When it arrived.
    public var arrival: Arrival

    /// Makes an input.
    public init(_ command: Command, at arrival: Arrival) {
        self.command = command
        self.arrival = arrival
    }
}

/// What became of an input.
public enum Outcome: Hashable, Sendable {
    /// Its events are durable; the range is empty if there was nothing to say.
    case recorded(Range<Position>)
    /// It made no sense; no event was made.
    case refused(Refusal)
}

/// What the machine says of itself, for the events that name it.
public struct Machine: Sendable {
    /// The kernel's identity of this boot, 16 bytes.
    public let bootID: [UInt8]
    /// The local zone at an instant: minutes east of UTC, and its name.
    public let zone: @Sendable (_ wallMilliseconds: Int64) -> (offsetMinutes: Int64, name: String)

    /// Describes a machine.
    public init(
        bootID: [UInt8],
        zone: @escaping @Sendable (Int64) -> (offsetMinutes: Int64, name: String)
    ) {
        self.bootID = bootID
        self.zone = zone
    }
}
