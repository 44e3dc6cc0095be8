/// What determines positions.
public enum PositionApp: UInt8, CodedName {
    /// A receiver at this machine, or a file that a logger writes.
    case receiver = 0
    /// OwnTracks on a phone.
    case ownTracks = 1
    /// GPSLogger on a phone.
    case gpsLogger = 2
    /// Traccar Client on a phone.
    case traccar = 3

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["receiver", "ownTracks", "gpsLogger", "traccar"]
}

/// Why a fix is left out by what its own source says of it.
public enum FixFault: UInt8, CodedName {
    /// It is not.
    case none = 0
    /// It was guessed from radio masts and networks in range.
    case network = 1
    /// Its source says that it is not valid.
    case notValid = 2
    /// Its own time is to come.
    case ahead = 3
    /// It came when a later one had counted.
    case outOfOrder = 4

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["none", "network", "notValid", "ahead", "outOfOrder"]
}

/// Whose fixes follow from here on, until another source is told; or that a fix was left out.
public struct PositionSourceTold: EventPayload {
    /// The app, or a receiver.
    public var app: OpenCode<PositionApp>
    /// What the app calls its phone: a stranger's text.
    public var name: String
    /// The phone's charge.
    public var batteryPercent: UInt64?
    /// Why a fix of this source was left out: then none follows, and the source stays who it was.
    public var leftOut: OpenCode<FixFault>

    /// Makes the payload; without an argument a receiver's.
    public init(
        _ app: PositionApp = .receiver, name: String = "", batteryPercent: UInt64? = nil,
        leftOut: FixFault = .none
    ) {
        (self.app, self.name) = (OpenCode(app), name)
        (self.batteryPercent, self.leftOut) = (batteryPercent, OpenCode(leftOut))
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.openCode("app", &app)
        try coder.text("name", &name, limit: 64)
        try coder.optionalUnsigned("batteryPercent", &batteryPercent, in: 0...100)
        try coder.openCode("leftOut", &leftOut)
    }
}

extension EventKind {
    /// The number of ``PositionSourceTold``.
    @inlinable public static var positionSourceTold: EventKind { EventKind(rawValue: 0xA3) }
}
