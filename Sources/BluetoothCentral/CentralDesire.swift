/// What the caller wants of the central.
///
/// The central compares it with what is, and acts.
///
/// It is set as a whole and as often as one likes; setting the same again changes nothing.
public struct CentralDesire: Hashable, Sendable {
    /// Which devices are to be shown while scanning; nil: no scan is wanted.
    ///
    /// To find a wanted device the central scans by itself.
    public var scanning: Scan?

    /// The devices to be connected to, and kept connected.
    public var devices: [WantedDevice]

    /// Makes a desire; without arguments: nothing, which means leaving all devices.
    ///
    /// - Parameters:
    ///   - scanning: Which devices are to be shown; nil for no scan.
    ///   - devices: The devices to be connected to; of two with one address the last counts.
    public init(scanning: Scan? = nil, devices: [WantedDevice] = []) {
        (self.scanning, self.devices) = (scanning, devices)
    }
}

extension CentralDesire {
    /// Which devices a scan shows.
    public enum Scan: Hashable, Sendable {
        /// Those that advertise one of these services.
        case services(Set<BluetoothUUID>)
        /// One, whatever it advertises.
        case device(BluetoothAddress)
        /// All that are heard.
        case all

        /// Whether a device is shown.
        public func shows(_ device: DeviceSighting) -> Bool {
            switch self {
            case .services(let services): !services.isDisjoint(with: device.services)
            case .device(let address): device.address == address
            case .all: true
            }
        }
    }
}

/// A device to be kept connected, and what is wanted of it.
public struct WantedDevice: Hashable, Sendable {
    /// The address of the device.
    public var address: BluetoothAddress

    /// What is to be notified.
    ///
    /// The device is of no use without: if all are missing the link is made again.
    ///
    /// Leaving 2A37 out ends our subscription; putting it back begins another. The link stays. What
    /// comes all the same, because another program is subscribed, is reported.
    public var measurements: Set<BluetoothUUID>

    /// What is to be read once on each link, and notified too if the device offers that.
    ///
    /// Nothing happens if the device has it not.
    public var details: Set<BluetoothUUID>

    /// For how long a heart rate may be awaited, in milliseconds: by the device's own cadence.
    public var silenceMilliseconds: UInt64 = 5_000

    /// Whether the values of a characteristic are wanted.
    func wants(_ uuid: BluetoothUUID) -> Bool {
        measurements.contains(uuid) || details.contains(uuid)
    }

    /// The details of a heart-rate strap: where it sits, who made it, its battery.
    public static let strapDetails: Set<BluetoothUUID> = [
        .bodySensorLocation, .manufacturerName, .batteryLevel,
    ]

    /// Names a device that is wanted.
    ///
    /// - Parameters:
    ///   - address: The address of the device.
    ///   - measurements: What is to be notified.
    ///   - details: What is to be read once on each link.
    public init(
        address: BluetoothAddress, measurements: Set<BluetoothUUID> = [.heartRateMeasurement],
        details: Set<BluetoothUUID> = strapDetails
    ) {
        (self.address, self.measurements) = (address, measurements)
        self.details = details.subtracting(measurements)
    }
}
