/// What bluetoothd has at one moment, read as ``CentralState`` reads it.
public struct BluezInventory: Sendable {
    /// An adapter.
    public struct Adapter: Hashable, Sendable {
        /// The last part of its path: `hci0`.
        public let name: String
        /// Whether it is switched on.
        public let isPowered: Bool
        /// Whether it scans, for whomever.
        public let isDiscovering: Bool
    }

    /// A device that BlueZ remembers.
    public struct Device: Hashable, Sendable {
        /// Whether there is a link.
        public let isConnected: Bool
        /// Whether it was heard in a scan that is going on or has just ended.
        public let isHeard: Bool
        /// Whether BlueZ was told to refuse it.
        public let isBlocked: Bool
        /// Whether some program has switched notifications of its heart rate on.
        public let isNotifying: Bool
    }

    private var mirror = BluezMirror()

    /// Takes what bluetoothd lists.
    ///
    /// - Parameters:
    ///   - objects: All of its objects.
    ///   - wanted: Devices that are kept however many there are.
    public init(_ objects: [LocatedObject], wanted: Set<BluetoothAddress> = []) {
        mirror.fill(objects, wanted: wanted)
    }

    /// Whether there is an adapter, of whatever kind.
    public var hasAdapter: Bool { !mirror.adapters.isEmpty }

    /// The adapter that a recorder would choose now, or nil if none can be a central; one that runs
    /// already may use another.
    public var adapter: Adapter? {
        guard let path = mirror.bestAdapter(), let adapter = mirror.adapters[path] else {
            return nil
        }
        return Adapter(
            name: path.split(separator: "/").last.map(String.init) ?? path,
            isPowered: adapter.isPowered, isDiscovering: adapter.isDiscovering)
    }

    /// The device of an address, as a recorder would find it; nil if it is not remembered.
    public func device(_ address: BluetoothAddress) -> Device? {
        guard let (path, device) = mirror.device(address, on: mirror.bestAdapter()) else {
            return nil
        }
        let heartRate = mirror.characteristic(.heartRateMeasurement, of: path)
        return Device(
            isConnected: device.isConnected, isHeard: device.signal != .lost,
            isBlocked: device.isBlocked,
            isNotifying: heartRate?.characteristic.isNotifying ?? false)
    }
}

/// Why it is unknown what bluetoothd has.
public enum InventoryError: Error, Hashable, Sendable {
    /// The bus cannot be reached.
    case noBus(CallFailure)
    /// The bus took the connection, and nothing came of it in time.
    case busStuck
    /// The bus does not answer.
    case busSilent
    /// Nobody is `org.bluez`.
    case noDaemon
    /// bluetoothd, or the bus in its place, gave no list.
    case refused(CallFailure)
}
