/// The number of an event kind: three bits of lane, five bits within the lane.
///
/// Numbers are never reused. A number that this version does not know still has a lane, so that
/// events of a newer version are carried along in their place.
@frozen
public struct EventKind: RawRepresentable, Hashable, Sendable {
    /// The number as it stands in the log, 0x00...0xFF.
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

extension EventKind {
    public static let recorderStarted = EventKind(rawValue: 0x01)
    public static let recorderStopped = EventKind(rawValue: 0x02)
    public static let zoneOffsetChanged = EventKind(rawValue: 0x03)
    public static let clockStepped = EventKind(rawValue: 0x04)
    public static let intakeOverflowed = EventKind(rawValue: 0x05)
    public static let profileChanged = EventKind(rawValue: 0x06)
    public static let importBegan = EventKind(rawValue: 0x07)
    public static let importEnded = EventKind(rawValue: 0x08)
    public static let noted = EventKind(rawValue: 0x09)

    public static let adapterStateChanged = EventKind(rawValue: 0x21)
    public static let deviceSeen = EventKind(rawValue: 0x22)
    public static let devicePaired = EventKind(rawValue: 0x23)
    public static let deviceForgotten = EventKind(rawValue: 0x24)
    public static let primaryChosen = EventKind(rawValue: 0x25)
    public static let linkUp = EventKind(rawValue: 0x26)
    public static let linkLost = EventKind(rawValue: 0x27)
    public static let subscribed = EventKind(rawValue: 0x28)
    public static let deliveryMultiplied = EventKind(rawValue: 0x29)
    public static let connectFailed = EventKind(rawValue: 0x2A)

    public static let characteristicNotified = EventKind(rawValue: 0x41)
    public static let characteristicRead = EventKind(rawValue: 0x42)

    public static let pedometerRead = EventKind(rawValue: 0x61)
    public static let healthTotalObserved = EventKind(rawValue: 0x62)
    public static let reconciliationTriggered = EventKind(rawValue: 0x63)
    public static let legacyValueImported = EventKind(rawValue: 0x64)
    public static let stepsCorrected = EventKind(rawValue: 0x65)

    public static let sessionStarted = EventKind(rawValue: 0x81)
    public static let sessionPaused = EventKind(rawValue: 0x82)
    public static let sessionResumed = EventKind(rawValue: 0x83)
    public static let sessionEnded = EventKind(rawValue: 0x84)
    public static let sessionMarked = EventKind(rawValue: 0x85)
    public static let goalReached = EventKind(rawValue: 0x86)
    public static let turnAroundReached = EventKind(rawValue: 0x87)

    public static let positionFixed = EventKind(rawValue: 0xA1)

    public static let dayClosed = EventKind(rawValue: 0xC1)
}
