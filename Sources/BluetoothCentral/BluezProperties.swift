/// The interfaces of BlueZ that matter here.
public enum BluezInterface: Hashable, Sendable, CaseIterable {
    /// `org.bluez.Adapter1`.
    case adapter
    /// `org.bluez.Device1`.
    case device
    /// `org.bluez.GattCharacteristic1`.
    case characteristic
}

/// A property of an object, as it is at first or as it has changed.
public enum BluezProperty: Hashable, Sendable {
    /// What is known of the strength of a device's signal.
    public enum Signal: Hashable, Sendable {
        /// Heard, so strong in dBm.
        case heard(Int16)
        /// Heard, but the adapter does not say how strong (127).
        case unmeasured
        /// No longer heard: the property was taken back.
        case lost
    }

    /// Of an adapter: whether it is switched on, whether it scans, for whomever, and whether its
    /// roles include that of a central; older daemons do not say.
    case powered(Bool), discovering(Bool), central(Bool)

    /// The address of a device; every device has one.
    case address(BluetoothAddress)
    /// How a device chose its address.
    case addressType(AddressType)
    /// The name of a device, at most 1024 bytes.
    case name(String)
    /// The signal of a device.
    case signal(Signal)
    /// The services that a device advertises or has; of very many only some, but each that matters.
    case services(Set<BluetoothUUID>)
    /// Of a device: whether there is a link, whether its services are known, and whether BlueZ was
    /// told to refuse it.
    case connected(Bool), resolved(Bool), blocked(Bool)

    /// What a characteristic is; every one has this.
    case uuid(BluetoothUUID)
    /// Of a characteristic: whether it can be read, whether it can be notified or indicated, and
    /// whether some program has switched its notifications on.
    case readable(Bool), notifiable(Bool), notifying(Bool)
}

/// An object, by its path, and what is told of it.
public struct LocatedObject: Hashable, Sendable {
    /// The object path: a handle for calls, not an identity.
    public var path: String
    /// What it is.
    public var interface: BluezInterface
    /// What is told of it; of a property that is told twice the last one counts.
    public var properties: [BluezProperty]

    /// Puts them together.
    ///
    /// - Parameters:
    ///   - path: The object path.
    ///   - interface: What it is.
    ///   - properties: What is told of it.
    public init(path: String, _ interface: BluezInterface, _ properties: [BluezProperty]) {
        (self.path, self.interface, self.properties) = (path, interface, properties)
    }
}

extension LocatedObject {
    /// The address of a device.
    var address: BluetoothAddress? {
        for case .address(let address) in properties { return address }
        return nil
    }

    /// What a characteristic is.
    var uuid: BluetoothUUID? {
        for case .uuid(let uuid) in properties { return uuid }
        return nil
    }
}
