/// What BlueZ has reported of its objects: adapters, devices, and the characteristics that matter.
///
/// Bounded, because everybody in range can make BlueZ add devices.
struct BluezMirror: Sendable {
    struct Adapter: Sendable {
        var isPowered = false
        var isDiscovering = false
        var isCentral = true
    }

    struct Device: Sendable {
        let address: BluetoothAddress
        /// The path of its adapter.
        let adapter: String
        var addressType: AddressType?
        var name: String?
        var signal = BluezProperty.Signal.lost
        var services: Set<BluetoothUUID> = []
        var isConnected = false
        var isResolved = false
        var isBlocked = false
    }

    struct Characteristic: Sendable {
        let uuid: BluetoothUUID
        /// The path of its device.
        let device: String
        var isReadable = false
        var isNotifiable = false
        var isNotifying = false
    }

    static let deviceLimit = 512
    static let characteristicLimit = 4_096

    private(set) var adapters: [String: Adapter] = [:]
    private(set) var devices: [String: Device] = [:]
    private(set) var characteristics: [String: Characteristic] = [:]

    /// Whether an object had to be left out since the mirror was last filled.
    private(set) var hasLeftOut = false
}

// MARK: - Looking up

extension BluezMirror {
    /// The adapter to use, of those that can be a central: the one in use while it is powered; else
    /// the first powered one, or the first, in the order of their paths.
    func bestAdapter(after current: String? = nil) -> String? {
        let central = adapters.filter(\.value.isCentral)
        let powered = central.filter(\.value.isPowered).keys
        if let current, powered.contains(current) { return current }
        return powered.min() ?? central.keys.min()
    }

    /// The object of a device: one with a link if there is one, else the one of the given adapter.
    func device(
        _ address: BluetoothAddress, on adapter: String?
    ) -> (path: String, device: Device)? {
        guard let adapter else { return nil }
        var best: (rank: (Int, String), device: Device)?
        for (path, device) in devices where device.address == address {
            let isLinked = device.isConnected && adapters[device.adapter]?.isPowered ?? false
            guard isLinked || device.adapter == adapter else { continue }
            let rank = (isLinked ? 0 : 1, path)
            if let best, best.rank < rank { continue }
            best = (rank, device)
        }
        return best.map { ($0.rank.1, $0.device) }
    }

    /// The first characteristic of this kind on a device.
    func characteristic(
        _ uuid: BluetoothUUID, of device: String
    ) -> (path: String, characteristic: Characteristic)? {
        characteristics.lazy.filter { $0.value.uuid == uuid && $0.value.device == device }
            .min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether some program has switched notifications of a device on, of those that matter.
    func isNotifying(_ device: String) -> Bool {
        characteristics.values.contains { $0.device == device && $0.isNotifying }
    }

    /// The device and the kind of a characteristic.
    func owner(
        ofCharacteristic path: String
    ) -> (devicePath: String, device: Device, uuid: BluetoothUUID)? {
        guard let characteristic = characteristics[path] else { return nil }
        let devicePath = characteristic.device
        return devices[devicePath].map { (devicePath, $0, characteristic.uuid) }
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

// MARK: - Following BlueZ

extension BluezMirror {
    /// Forgets everything and takes what BlueZ lists.
    ///
    /// Devices that are wanted go first.
    mutating func fill(_ objects: [LocatedObject], wanted: Set<BluetoothAddress>) {
        self = BluezMirror()
        func isWanted(_ object: LocatedObject) -> Bool {
            object.address.map(wanted.contains) ?? false
        }
        for object in objects where isWanted(object) { add(object, wanted: wanted) }
        for object in objects where !isWanted(object) { add(object, wanted: wanted) }
    }

    /// Takes an object that was added; false if there is no room for it.
    @discardableResult
    mutating func add(_ located: LocatedObject, wanted: Set<BluetoothAddress>) -> Bool {
        let path = located.path
        switch located.interface {
        case .adapter:
            adapters[path] = Adapter()
        case .device:
            guard let address = located.address else { return true }
            guard makeRoom(for: address, path: path, wanted: wanted) else {
                hasLeftOut = true
                return false
            }
            devices[path] = Device(address: address, adapter: Self.parent(path))
        case .characteristic:
            guard let uuid = located.uuid, BluetoothUUID.knownCharacteristics.contains(uuid)
            else { return true }
            let hasRoom = characteristics.count < Self.characteristicLimit
            guard hasRoom || characteristics[path] != nil else { return false }
            // It lies in a service, which lies in its device.
            let device = Self.parent(Self.parent(path))
            characteristics[path] = Characteristic(uuid: uuid, device: device)
        }
        change(located)
        return true
    }

    /// Takes changed properties; of objects that are not remembered nothing is.
    mutating func change(_ located: LocatedObject) {
        let path = located.path
        for property in located.properties {
            switch property {
            case .powered(let isPowered): adapters[path]?.isPowered = isPowered
            case .discovering(let isDiscovering): adapters[path]?.isDiscovering = isDiscovering
            case .central(let isCentral): adapters[path]?.isCentral = isCentral
            case .address, .uuid: break  // They are what it is, and do not change.
            case .addressType(let type): devices[path]?.addressType = type
            case .name(let name): devices[path]?.name = name
            case .signal(let signal): devices[path]?.signal = signal
            case .services(let services): devices[path]?.services = services
            case .connected(let isConnected): devices[path]?.isConnected = isConnected
            case .resolved(let isResolved): devices[path]?.isResolved = isResolved
            case .blocked(let isBlocked): devices[path]?.isBlocked = isBlocked
            case .readable(let isReadable): characteristics[path]?.isReadable = isReadable
            case .notifiable(let isNotifiable): characteristics[path]?.isNotifiable = isNotifiable
            case .notifying(let isNotifying): characteristics[path]?.isNotifying = isNotifying
            }
        }
    }

    mutating func remove(_ path: String, _ interface: BluezInterface) {
        switch interface {
        case .adapter:
            adapters[path] = nil
            for (device, found) in devices where found.adapter == path { remove(device, .device) }
        case .device:
            devices[path] = nil
            for (inner, found) in characteristics where found.device == path {
                characteristics[inner] = nil
            }
        case .characteristic:
            characteristics[path] = nil
        }
    }

    /// When full, a wanted device takes the place of another one.
    private mutating func makeRoom(
        for address: BluetoothAddress, path: String, wanted: Set<BluetoothAddress>
    ) -> Bool {
        guard devices[path] == nil, devices.count >= Self.deviceLimit else { return true }
        guard wanted.contains(address) else { return false }
        let others = devices.filter { !wanted.contains($0.value.address) }
        guard let victim = others.keys.min() else { return false }
        remove(victim, .device)
        hasLeftOut = true
        return true
    }
}

extension BluezMirror.Device {
    /// What is shown of it.
    ///
    /// InfiniTime does not advertise its motion service, only Nordic's update service and its name.
    var sighting: DeviceSighting {
        var services = services
        let isInfiniTime = name == "InfiniTime" && services.contains(.nordicFirmwareUpdate)
        if isInfiniTime && !isResolved { services.insert(.infiniTimeMotion) }
        let rssi: Int16? = if case .heard(let strength) = signal { strength } else { nil }
        return DeviceSighting(
            address: address, addressType: addressType, name: name, rssi: rssi,
            services: services, isStale: signal == .lost, isLinked: isConnected)
    }
}
