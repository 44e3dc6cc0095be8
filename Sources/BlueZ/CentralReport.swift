/// What the central has to say: facts, in the order they were learnt.
public enum CentralReport: Hashable, Sendable {
    /// The Bluetooth adapter is in another state than before.
    case adapterStateChanged(AdapterState)

    /// The bus cannot be reached or was lost; the central tries again after so many milliseconds.
    case busUnavailable(CallFailure, nextAttemptMilliseconds: UInt64)

    /// A device was seen while scanning, or is about to be linked.
    ///
    /// At most once a second for each device.
    case deviceSeen(DeviceSighting)

    /// A connection is attempted; attempts count from 1 since the last good link.
    case connecting(BluetoothAddress, attempt: Int)

    /// The attempt failed; the next one starts after so many milliseconds.
    case connectFailed(BluetoothAddress, CallFailure, nextAttemptMilliseconds: UInt64)

    /// The device is connected.
    ///
    /// Values may follow before anything else is known.
    case linkUp(BluetoothAddress)

    /// The device is no longer connected; the reason is BlueZ's (from 5.83) or ours, if known.
    case linkLost(BluetoothAddress, reason: String?)

    /// A connected device does not offer a wanted measurement; it is connected anew.
    case measurementMissing(BluetoothAddress, BluetoothUUID)

    /// Notifications are switched on; whether values come is another matter.
    case subscribed(BluetoothAddress, BluetoothUUID)

    /// Notifications could not be switched on; the next attempt starts after so many milliseconds.
    case subscribeFailed(
        BluetoothAddress, BluetoothUUID, CallFailure, nextAttemptMilliseconds: UInt64)

    /// Notifications are on and the link is up, but no value came; they are switched off and on.
    case silent(BluetoothAddress, BluetoothUUID, forMilliseconds: UInt64)

    /// A notification, byte for byte, as often as BlueZ signalled it.
    case valueNotified(BluetoothAddress, BluetoothUUID, [UInt8])

    /// A detail was read.
    case valueRead(BluetoothAddress, BluetoothUUID, [UInt8])

    /// A detail could not be read; it is tried again on the next link.
    case readFailed(BluetoothAddress, BluetoothUUID, CallFailure)

    /// Something came in that cannot be used.
    ///
    /// Told when the count is a power of two.
    case intakeFinding(IntakeFinding, count: UInt64)
}

/// Why a call failed, in BlueZ's own words.
public struct CallFailure: Hashable, Sendable {
    /// The D-Bus name of the error, as in `org.bluez.Error.Failed`.
    public var name: String
    /// The text beside it, as in `le-connection-abort-by-local`.
    public var message: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - name: The D-Bus name of the error.
    ///   - message: The text beside it.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }
}

/// The states of the Bluetooth adapter, as far as a walker cares.
public enum AdapterState: Hashable, Sendable {
    /// Nobody was asked yet.
    case unknown
    /// bluetoothd or the bus is gone, or the adapter has just vanished.
    case resetting
    /// There is no adapter that can be a central.
    case unsupported
    /// The bus denies us access to bluetoothd.
    case unauthorized
    /// The adapter is switched off.
    case poweredOff
    /// The adapter is ready.
    case poweredOn
}

/// What is known of a device in range.
public struct DeviceSighting: Hashable, Sendable {
    /// The address of the device.
    public var address: BluetoothAddress
    /// How the device chose its address; nil if BlueZ does not say.
    public var addressType: AddressType?
    /// The name the device gives itself: data from a stranger, at most 1024 bytes.
    ///
    /// Nil if it gives none.
    public var name: String?
    /// Whether the name was longer and is cut.
    public var isNameTruncated: Bool
    /// The strength of its signal in dBm; nil if the adapter does not tell.
    public var rssi: Int16?
    /// The services by which it can fill a role.
    public var services: Set<BluetoothUUID>
    /// Whether this is remembered from before; false once something was heard in the present scan.
    public var isStale: Bool

    /// Makes a sighting.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - addressType: How the device chose its address.
    ///   - name: The name the device gives itself.
    ///   - isNameTruncated: Whether the name was longer.
    ///   - rssi: The strength of its signal in dBm.
    ///   - services: The services by which it can fill a role.
    ///   - isStale: Whether this is remembered from before.
    public init(
        address: BluetoothAddress, addressType: AddressType? = nil, name: String? = nil,
        isNameTruncated: Bool = false, rssi: Int16? = nil, services: Set<BluetoothUUID> = [],
        isStale: Bool = false
    ) {
        self.address = address
        self.addressType = addressType
        self.name = name
        self.isNameTruncated = isNameTruncated
        self.rssi = rssi
        self.services = services
        self.isStale = isStale
    }
}

/// What came in and cannot be used.
public enum IntakeFinding: Hashable, Sendable, CaseIterable {
    /// A signal in BlueZ's name from another program.
    case spoofedSignal
    /// A property of another type than documented, or out of range.
    case unexpectedType
    /// A message beyond the limits.
    case droppedMessage
    /// A characteristic value of more than 512 bytes (Bluetooth Core, Vol 3, Part F, 3.2.9).
    case oversizedValue
    /// A device that was not remembered, because there are too many.
    case tooManyDevices
}
