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
    /// `recorderStarted`: see <doc:RecordFormat>.
    @inlinable public static var recorderStarted: EventKind { EventKind(rawValue: 0x01) }
    /// `recorderStopped`: see <doc:RecordFormat>.
    @inlinable public static var recorderStopped: EventKind { EventKind(rawValue: 0x02) }
    /// `zoneOffsetChanged`: see <doc:RecordFormat>.
    @inlinable public static var zoneOffsetChanged: EventKind { EventKind(rawValue: 0x03) }
    /// `clockStepped`: see <doc:RecordFormat>.
    @inlinable public static var clockStepped: EventKind { EventKind(rawValue: 0x04) }
    /// `intakeOverflowed`: see <doc:RecordFormat>.
    @inlinable public static var intakeOverflowed: EventKind { EventKind(rawValue: 0x05) }
    /// `profileChanged`: see <doc:RecordFormat>.
    @inlinable public static var profileChanged: EventKind { EventKind(rawValue: 0x06) }
    /// `importBegan`: see <doc:RecordFormat>.
    @inlinable public static var importBegan: EventKind { EventKind(rawValue: 0x07) }
    /// `importEnded`: see <doc:RecordFormat>.
    @inlinable public static var importEnded: EventKind { EventKind(rawValue: 0x08) }
    /// `noted`: see <doc:RecordFormat>.
    @inlinable public static var noted: EventKind { EventKind(rawValue: 0x09) }
    /// `bootBegan`: see <doc:RecordFormat>.
    @inlinable public static var bootBegan: EventKind { EventKind(rawValue: 0x0A) }
    /// `originBegan`: see <doc:RecordFormat>.
    @inlinable public static var originBegan: EventKind { EventKind(rawValue: 0x0B) }

    /// `adapterStateChanged`: see <doc:RecordFormat>.
    @inlinable public static var adapterStateChanged: EventKind { EventKind(rawValue: 0x21) }
    /// `deviceSeen`: see <doc:RecordFormat>.
    @inlinable public static var deviceSeen: EventKind { EventKind(rawValue: 0x22) }
    /// `devicePaired`: see <doc:RecordFormat>.
    @inlinable public static var devicePaired: EventKind { EventKind(rawValue: 0x23) }
    /// `deviceForgotten`: see <doc:RecordFormat>.
    @inlinable public static var deviceForgotten: EventKind { EventKind(rawValue: 0x24) }
    /// `primaryChosen`: see <doc:RecordFormat>.
    @inlinable public static var primaryChosen: EventKind { EventKind(rawValue: 0x25) }
    /// `linkUp`: see <doc:RecordFormat>.
    @inlinable public static var linkUp: EventKind { EventKind(rawValue: 0x26) }
    /// `linkLost`: see <doc:RecordFormat>.
    @inlinable public static var linkLost: EventKind { EventKind(rawValue: 0x27) }
    /// `subscribed`: see <doc:RecordFormat>.
    @inlinable public static var subscribed: EventKind { EventKind(rawValue: 0x28) }
    /// `deliveryMultiplied`: see <doc:RecordFormat>.
    @inlinable public static var deliveryMultiplied: EventKind { EventKind(rawValue: 0x29) }
    /// `connectFailed`: see <doc:RecordFormat>.
    @inlinable public static var connectFailed: EventKind { EventKind(rawValue: 0x2A) }

    /// `characteristicNotified`: see <doc:RecordFormat>.
    @inlinable public static var characteristicNotified: EventKind { EventKind(rawValue: 0x41) }
    /// `characteristicRead`: see <doc:RecordFormat>.
    @inlinable public static var characteristicRead: EventKind { EventKind(rawValue: 0x42) }
    /// `valueCut`: see <doc:RecordFormat>.
    @inlinable public static var valueCut: EventKind { EventKind(rawValue: 0x43) }

    /// `pedometerRead`: see <doc:RecordFormat>.
    @inlinable public static var pedometerRead: EventKind { EventKind(rawValue: 0x61) }
    /// `healthTotalObserved`: see <doc:RecordFormat>.
    @inlinable public static var healthTotalObserved: EventKind { EventKind(rawValue: 0x62) }
    /// `reconciliationTriggered`: see <doc:RecordFormat>.
    @inlinable public static var reconciliationTriggered: EventKind { EventKind(rawValue: 0x63) }
    /// `legacyValueImported`: see <doc:RecordFormat>.
    @inlinable public static var legacyValueImported: EventKind { EventKind(rawValue: 0x64) }
    /// `stepsCorrected`: see <doc:RecordFormat>.
    @inlinable public static var stepsCorrected: EventKind { EventKind(rawValue: 0x65) }
    /// `pedometerChosen`: see <doc:RecordFormat>.
    @inlinable public static var pedometerChosen: EventKind { EventKind(rawValue: 0x66) }
    /// `pedometerValueCut`: see <doc:RecordFormat>.
    @inlinable public static var pedometerValueCut: EventKind { EventKind(rawValue: 0x67) }
    /// `stepSampleObserved`: see <doc:RecordFormat>.
    @inlinable public static var stepSampleObserved: EventKind { EventKind(rawValue: 0x68) }

    /// `sessionStarted`: see <doc:RecordFormat>.
    @inlinable public static var sessionStarted: EventKind { EventKind(rawValue: 0x81) }
    /// `sessionPaused`: see <doc:RecordFormat>.
    @inlinable public static var sessionPaused: EventKind { EventKind(rawValue: 0x82) }
    /// `sessionResumed`: see <doc:RecordFormat>.
    @inlinable public static var sessionResumed: EventKind { EventKind(rawValue: 0x83) }
    /// `sessionEnded`: see <doc:RecordFormat>.
    @inlinable public static var sessionEnded: EventKind { EventKind(rawValue: 0x84) }
    /// `sessionMarked`: see <doc:RecordFormat>.
    @inlinable public static var sessionMarked: EventKind { EventKind(rawValue: 0x85) }
    /// `goalReached`: see <doc:RecordFormat>.
    @inlinable public static var goalReached: EventKind { EventKind(rawValue: 0x86) }
    /// `turnAroundReached`: see <doc:RecordFormat>.
    @inlinable public static var turnAroundReached: EventKind { EventKind(rawValue: 0x87) }

    /// `positionFixed`: see <doc:RecordFormat>.
    @inlinable public static var positionFixed: EventKind { EventKind(rawValue: 0xA1) }

    /// `dayClosed`: see <doc:RecordFormat>.
    @inlinable public static var dayClosed: EventKind { EventKind(rawValue: 0xC1) }
}
