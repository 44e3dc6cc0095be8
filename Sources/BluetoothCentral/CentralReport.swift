public import Events

/// What the central has to say: facts, in the order they were learnt.
public enum CentralReport: Hashable, Sendable {
    /// The Bluetooth adapter is in another state than before, or in the same for another cause.
    case adapterStateChanged(AdapterChange)

    /// The bus cannot be reached or was lost; the central tries again after so many milliseconds.
    case busUnavailable(CallFailure, nextAttemptMilliseconds: UInt64)

    /// A device was seen while scanning; mostly once a second for each device.
    case deviceSeen(DeviceSighting)

    /// A connection is attempted; attempts count from 1 since the last good link.
    ///
    /// Before anything else is told of a link to a device, this or ``linkUp(_:)`` says what is
    /// known of the device.
    case connecting(DeviceSighting, attempt: Int)

    /// The attempt failed; the next one starts after so many milliseconds.
    case connectFailed(BluetoothAddress, CallFailure, nextAttemptMilliseconds: UInt64)

    /// The device is connected.
    ///
    /// Values may follow before anything else is known.
    case linkUp(DeviceSighting)

    /// The device is no longer connected.
    ///
    /// ``linkLost(_:_:)`` follows and says why. If the device is still wanted, attempts to connect
    /// again begin at once, or within 4 s if the link was of no use.
    case linkDown(BluetoothAddress)

    /// Why the device is no longer connected.
    ///
    /// Told as soon as it is known, at most half a second after the loss, and before a next link.
    case linkLost(BluetoothAddress, LinkLoss)

    /// The services of a connected device were found: it has those of the sighting, whatever it
    /// advertises.
    ///
    /// Told once on each link, and again if they change.
    case servicesFound(DeviceSighting)

    /// A device has been connected for 15 s, and Bluetooth does not find its services.
    case servicesUnresolved(BluetoothAddress)

    /// A connected device does not offer a wanted measurement; if it offers none of them it is
    /// connected anew.
    case measurementMissing(BluetoothAddress, BluetoothUUID)

    /// Notifications are switched on; whether values come is another matter.
    case subscribed(BluetoothAddress, BluetoothUUID)

    /// Notifications could not be switched on; the next attempt starts after so many milliseconds.
    case subscribeFailed(
        BluetoothAddress, BluetoothUUID, CallFailure, nextAttemptMilliseconds: UInt64)

    /// Notifications are on and the link is up, but no value came; they are switched off and on.
    case silent(BluetoothAddress, BluetoothUUID, forMilliseconds: UInt64)

    /// A value that BlueZ signalled, byte for byte and as often: a notification, or the echo of
    /// another program's read.
    case valueNotified(BluetoothAddress, BluetoothUUID, [UInt8])

    /// A value, notified or read, of more than 512 bytes (Bluetooth Core, Vol 3, Part F, 3.2.9);
    /// the first 512 of them.
    case valueCut(BluetoothAddress, BluetoothUUID, fullByteCount: Int, [UInt8])

    /// A detail was read.
    case valueRead(BluetoothAddress, BluetoothUUID, [UInt8])

    /// A detail could not be read; it is tried again on the next link.
    case readFailed(BluetoothAddress, BluetoothUUID, CallFailure)

    /// Something came in that cannot be used.
    ///
    /// Told when the count is a power of two; a dropped message each time, because it may have
    /// held a reading.
    case intakeFinding(IntakeFinding, count: UInt64)
}

/// Why a call failed, in BlueZ's own words.
public struct CallFailure: Hashable, Sendable {
    /// The D-Bus name of the error, as in `org.bluez.Error.Failed`.
    public var name: String
    /// The text next to it, as in `le-connection-abort-by-local`.
    public var message: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - name: The D-Bus name of the error.
    ///   - message: The text next to it.
    public init(name: String, message: String) {
        (self.name, self.message) = (name, message)
    }
}

/// What became of the Bluetooth adapter.
public struct AdapterChange: Hashable, Sendable {
    /// Its state now.
    public var state: AdapterState
    /// What led to it.
    public var cause: AdapterCause
    /// The name of the adapter in use, as in `hci0`; nil for none.
    public var adapter: String?

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - state: Its state now.
    ///   - cause: What led to it.
    ///   - adapter: The name of the adapter in use.
    public init(_ state: AdapterState, _ cause: AdapterCause, adapter: String? = nil) {
        (self.state, self.cause, self.adapter) = (state, cause, adapter)
    }
}

/// Why a link ended.
public struct LinkLoss: Hashable, Sendable {
    /// Why, as far as is known: bluetoothd says so from 5.83 on only.
    public var cause: LinkLossCause
    /// In words, BlueZ's (from 5.83) or ours; data from the bus.
    public var reason: String?
    /// How long ago the link ended when this is reported.
    ///
    /// At most half a second, unless the machine slept; 0 for a cause that is known at once.
    public var agoMilliseconds: UInt64

    /// Makes a loss.
    ///
    /// - Parameters:
    ///   - cause: Why, as far as is known.
    ///   - reason: In words.
    ///   - agoMilliseconds: How long ago the link ended when this is reported.
    public init(
        _ cause: LinkLossCause = .unknown, reason: String? = nil, agoMilliseconds: UInt64 = 0
    ) {
        (self.cause, self.reason, self.agoMilliseconds) = (cause, reason, agoMilliseconds)
    }
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
    /// The strength of its signal in dBm; nil if the adapter does not say.
    public var rssi: Int16?
    /// The services that it advertises, or that it was found to have on a link.
    public var services: Set<BluetoothUUID>
    /// Whether this is remembered from before; false once something was heard in the present scan.
    public var isStale: Bool
    /// Whether this machine is linked to it: then it is in range, and mostly too busy to be heard.
    public var isLinked: Bool

    /// Makes a sighting.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - addressType: How the device chose its address.
    ///   - name: The name the device gives itself.
    ///   - rssi: The strength of its signal in dBm.
    ///   - services: The services that it advertises, or was found to have.
    ///   - isStale: Whether this is remembered from before.
    ///   - isLinked: Whether this machine is linked to it.
    public init(
        address: BluetoothAddress, addressType: AddressType? = nil, name: String? = nil,
        rssi: Int16? = nil, services: Set<BluetoothUUID> = [], isStale: Bool = false,
        isLinked: Bool = false
    ) {
        (self.address, self.addressType, self.name, self.rssi) = (address, addressType, name, rssi)
        (self.services, self.isStale, self.isLinked) = (services, isStale, isLinked)
    }
}

/// What came in and cannot be used.
public enum IntakeFinding: Hashable, Sendable, CaseIterable {
    /// A message that looks like bluetoothd's from another program.
    case spoofedSignal
    /// A property of another type than documented, or out of range.
    case unexpectedType
    /// A message of bluetoothd beyond the limits; it may have held a reading.
    case droppedMessage
    /// A device that was not remembered, because there are too many.
    case tooManyDevices
}
