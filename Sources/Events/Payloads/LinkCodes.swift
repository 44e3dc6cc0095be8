/// The six states of the Bluetooth adapter.
public enum AdapterState: UInt8, CodedName {
    /// Not asked yet.
    case unknown = 0
    /// The daemon is gone, or the adapter just vanished.
    case resetting = 1
    /// There is no adapter with the central role.
    case unsupported = 2
    /// The bus denies access.
    case unauthorized = 3
    /// There is one, switched off.
    case poweredOff = 4
    /// Ready.
    case poweredOn = 5

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "unknown", "resetting", "unsupported", "unauthorized", "poweredOff", "poweredOn",
    ]
}

/// What a primary device is for.
public enum Role: UInt8, CodedName {
    /// Heart rate.
    case heart = 0
    /// Steps.
    case pedometer = 1

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["heart", "pedometer"]
}

/// The roles that a device can fill.
@frozen
public struct Roles: OptionSet, Hashable, Sendable {
    /// The bits as they are in the log.
    public let rawValue: UInt8

    /// Makes roles from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A heart-rate strap: Heart Rate Service 0x180D.
    public static let heart = Roles(rawValue: 1)
    /// A foot pod: Running Speed and Cadence Service 0x1814.
    public static let footPod = Roles(rawValue: 2)
    /// A watch with InfiniTime's step count.
    public static let watch = Roles(rawValue: 4)
    /// A step counter of the machine itself.
    public static let stepCounter = Roles(rawValue: 8)
}

/// Why the adapter's state changed.
public enum AdapterCause: UInt8, CodedName {
    /// Not known.
    case unknown = 0
    /// The system bus closed.
    case busClosed = 1
    /// The Bluetooth daemon left the bus.
    case daemonGone = 2
    /// The adapter vanished.
    case adapterGone = 3
    /// It was switched on or off, or found so.
    case switched = 4
    /// The bus denied or granted access.
    case access = 5

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "unknown", "busClosed", "daemonGone", "adapterGone", "switched", "access",
    ]
}

/// Why a link ended.
public enum LinkLossCause: UInt8, CodedName {
    /// Not known: out of range, empty battery, interference.
    case unknown = 0
    /// The device ended it.
    case remote = 1
    /// This program ended it.
    case requested = 2
    /// The adapter went.
    case adapterLost = 3
    /// The daemon or the bus went.
    case daemonLost = 4
    /// Nothing was heard of the device for the link's supervision timeout.
    case timeout = 5
    /// The pairing was refused or is out of date.
    case authentication = 6
    /// The machine went to sleep.
    case suspended = 7

    /// The names in the JSON form, in the order of the cases.
    public static let names = [
        "unknown", "remote", "requested", "adapterLost", "daemonLost", "timeout", "authentication",
        "suspended",
    ]
}
