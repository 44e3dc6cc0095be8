internal import BluetoothCentral
internal import DBus

/// What bluetoothd has, asked once and without changing anything: for `pulselog doctor`.
struct BluezInventory: Hashable {
    /// An adapter.
    struct Adapter: Hashable {
        /// The last part of its path: `hci0`.
        var name: String
        var isPowered = false
        var isCentral = false
        var isDiscovering = false
    }

    /// A device that BlueZ remembers.
    struct Device: Hashable {
        var path: String
        var address: BluetoothAddress
        var isConnected = false
        /// Whether it was heard in a scan that is going on or has just ended.
        var isHeard = false
        /// Whether some program has switched notifications of its heart rate on.
        var isNotifying = false
    }

    var adapters: [Adapter] = []
    var devices: [Device] = []

    /// The adapter that a recorder would use.
    var adapter: Adapter? {
        let central = adapters.filter(\.isCentral)
        return central.first(where: \.isPowered) ?? central.first
    }

    /// Reads the answer of `GetManagedObjects`, `a{oa{sa{sv}}}`; what is not as documented is left
    /// out.
    init(_ objects: Value?) {
        let entries = (objects?.asEntries ?? []).compactMap { entry in
            entry.key.asObjectPath.map { ($0, entry.value) }
        }.sorted { $0.0 < $1.0 }
        for (path, interfaces) in entries {
            if let properties = interfaces["org.bluez.Adapter1"] {
                adapters.append(Adapter(path, properties))
            }
            if let properties = interfaces["org.bluez.Device1"],
                let device = Device(path, properties)
            {
                devices.append(device)
            }
        }
        for (path, interfaces) in entries {
            guard let properties = interfaces["org.bluez.GattCharacteristic1"],
                properties["UUID"]?.asString == BluetoothUUID.heartRateMeasurement.text,
                properties["Notifying"]?.asBoolean == true,
                let index = devices.firstIndex(where: { path.hasPrefix($0.path + "/") })
            else { continue }
            devices[index].isNotifying = true
        }
    }

    /// The device of an address; of two, on two adapters, the connected one.
    func device(_ address: BluetoothAddress) -> Device? {
        let all = devices.filter { $0.address == address }
        return all.first(where: \.isConnected) ?? all.first
    }
}

extension BluezInventory.Adapter {
    fileprivate init(_ path: String, _ properties: Value) {
        self.init(name: path.split(separator: "/").last.map(String.init) ?? path)
        isPowered = properties["Powered"]?.asBoolean ?? false
        isDiscovering = properties["Discovering"]?.asBoolean ?? false
        // Before 5.50 there are no roles; such an adapter is taken for a central.
        isCentral = properties["Roles"]?.asStrings.map { $0.contains("central") } ?? true
    }
}

extension BluezInventory.Device {
    fileprivate init?(_ path: String, _ properties: Value) {
        guard let address = properties["Address"]?.asString.flatMap({ BluetoothAddress($0) })
        else { return nil }
        self.init(path: path, address: address)
        isConnected = properties["Connected"]?.asBoolean ?? false
        isHeard = properties["RSSI"] != nil
    }
}
