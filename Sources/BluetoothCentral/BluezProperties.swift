/// The interfaces of BlueZ that matter here.
public enum BluezInterface: Hashable, Sendable, CaseIterable {
    /// `org.bluez.Adapter1`.
    case adapter
    /// `org.bluez.Device1`.
    case device
    /// `org.bluez.GattCharacteristic1`.
    case characteristic
}

/// Properties of one interface of one object; nil where a property is not mentioned.
///
/// The same shape says how an object is at first and what has changed later.
public enum BluezProperties: Hashable, Sendable {
    /// Properties of an adapter.
    case adapter(AdapterProperties)
    /// Properties of a device.
    case device(DeviceProperties)
    /// Properties of a characteristic.
    case characteristic(CharacteristicProperties)
}

/// Properties of `org.bluez.Adapter1`.
public struct AdapterProperties: Hashable, Sendable {
    /// Whether it is switched on.
    public var isPowered: Bool?
    /// Whether it scans, for whomever.
    public var isDiscovering: Bool?
    /// Whether its roles include that of a central; older daemons do not say.
    public var isCentral: Bool?

    /// Makes properties.
    ///
    /// - Parameters:
    ///   - isPowered: Whether it is switched on.
    ///   - isDiscovering: Whether it scans.
    ///   - isCentral: Whether it can be a central.
    public init(isPowered: Bool? = nil, isDiscovering: Bool? = nil, isCentral: Bool? = nil) {
        (self.isPowered, self.isDiscovering, self.isCentral) = (isPowered, isDiscovering, isCentral)
    }
}

/// Properties of `org.bluez.Device1`.
public struct DeviceProperties: Hashable, Sendable {
    /// What is known of the strength of the signal.
    public enum Signal: Hashable, Sendable {
        /// Heard, so strong in dBm.
        case heard(Int16)
        /// Heard, but the adapter does not say how strong (127).
        case unmeasured
        /// No longer heard: the property was taken back.
        case lost
    }

    /// The address; every device has one.
    public var address: BluetoothAddress?
    /// How the device chose its address.
    public var addressType: AddressType?
    /// The name, at most 1024 bytes.
    public var name: String?
    /// The signal.
    public var signal: Signal?
    /// The services that it advertises or has; of very many only some, but each that matters.
    public var services: Set<BluetoothUUID>?
    /// Whether there is a link.
    public var isConnected: Bool?
    /// Whether its services are known.
    public var isResolved: Bool?
    /// Whether BlueZ was told to refuse it.
    public var isBlocked: Bool?

    /// Makes properties of which none is mentioned.
    public init() {}
}

/// Properties of `org.bluez.GattCharacteristic1`.
public struct CharacteristicProperties: Hashable, Sendable {
    /// What it is; every characteristic has this.
    public var uuid: BluetoothUUID?
    /// Whether it can be read.
    public var isReadable: Bool?
    /// Whether it can be notified or indicated.
    public var isNotifiable: Bool?
    /// Whether some program has switched its notifications on.
    public var isNotifying: Bool?

    /// Makes properties.
    ///
    /// - Parameters:
    ///   - uuid: What it is.
    ///   - isReadable: Whether it can be read.
    ///   - isNotifiable: Whether it can be notified or indicated.
    ///   - isNotifying: Whether its notifications are on.
    public init(
        uuid: BluetoothUUID? = nil, isReadable: Bool? = nil, isNotifiable: Bool? = nil,
        isNotifying: Bool? = nil
    ) {
        (self.uuid, self.isReadable, self.isNotifiable) = (uuid, isReadable, isNotifiable)
        self.isNotifying = isNotifying
    }
}

/// An object and its path.
public struct LocatedObject: Hashable, Sendable {
    /// The object path: a handle for calls, not an identity.
    public var path: String
    /// What it is.
    public var object: BluezProperties

    /// Puts the two together.
    ///
    /// - Parameters:
    ///   - path: The object path.
    ///   - object: What it is.
    public init(path: String, object: BluezProperties) {
        self.path = path
        self.object = object
    }
}
