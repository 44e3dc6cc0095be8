/// The number of an event kind: three bits of lane, five bits within the lane.
///
/// Numbers are never reused. A number that this version does not know still has a lane, so that
/// events of a newer version are carried along in their place. The number of each known kind stands
/// besides its payload, as a constant of this type.
@frozen
public struct EventKind: RawRepresentable, Hashable, Sendable {
    /// The number as it is in the log, 0x00...0xFF.
    public let rawValue: UInt8

    /// Makes a kind from its number; every number is a value, known or not.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The lane, or nil for the numbers 0xE0...0xFF, which are never kinds.
    @inlinable
    public var lane: Lane? { Lane(rawValue: rawValue >> 5) }

    /// Whether this number may stand in a log: it has a lane, and it is not number 0 of it.
    @inlinable
    public var isStorable: Bool { rawValue < 0xE0 && rawValue & 0x1F != 0 }
}
