import BluetoothCentral
import DBus

/// A strap as bluetoothd knows it, on one adapter.
struct Device: Sendable {
    static let interface = "org.bluez.Device1"

    /// The strap in the air, and the adapter that hears it, as numbers.
    let strap: Int
    let adapter: Int
    /// The object path, also while there is no such object.
    let path: String
    var isTrusted = false
    /// Whether there is an object.
    var isKnown = false
    /// Whether it and the strap have keys for each other.
    var isPaired = false
    /// Whether it ever had a link, so that bluetoothd remembers it over a restart.
    var isStored = false
    /// The strength of the last report of the running scan.
    var rssi: Int16?

    /// Whose `Connect` waits.
    var connecting: Daemon.Caller?
    /// Whether the attempt is lost, and waited for in vain.
    var isAttemptLost = false
    var isConnected = false
    /// Whether values reach those who subscribed.
    var isLive = false
    var isResolved = false
    /// Whether the objects of its services are there; they outlive a link.
    var hasServiceObjects = false
    /// Whether the battery's own interface is there.
    var hasBattery = false
    let services: [Service]
    /// All characteristics, in the order of their handles.
    var characteristics: [Characteristic] = []

    /// Whether a pairing is under way.
    var isPairing = false
    /// The number of the question that an agent has before it.
    var question: Int?
    /// Requests that the strap will answer once it is paired.
    var requestsForPairing: [StrapRequest] = []
    /// Those whose `Disconnect` has no answer yet.
    var disconnects: [Daemon.Caller] = []

    init(_ number: Int, _ strap: Strap, on adapter: Int, path adapterPath: String) {
        self.strap = number
        self.adapter = adapter
        let path = adapterPath + "/dev_" + String(strap.address.map { $0 == ":" ? "_" : $0 })
        self.path = path
        // The first handles belong to the services 0x1800 and 0x1801, which bluetoothd keeps.
        var handle: UInt16 = 10
        var services: [Service] = []
        for service in strap.services {
            let object = Service(path: path + "/service" + handle.digits, uuid: service.uuid)
            handle += 1
            services.append(object)
            characteristics += service.characteristics.map {
                Characteristic($0, service: object.path, mtu: strap.mtu, handle: &handle)
            }
        }
        self.services = services
    }

    /// The number of a characteristic, or nil if it has none.
    func index(of uuid: BluetoothUUID) -> Int? {
        characteristics.firstIndex { $0.uuid == uuid }
    }

    func object(_ strap: Strap, adapter: String) -> BusObject {
        let uuids = isStored ? strap.services.map(\.uuid) : strap.advertised
        var properties: [(String, Value)] = [
            ("Address", .string(strap.address)),
            ("AddressType", .string(strap.addressType)),
        ]
        if let name = strap.name { properties.append(("Name", .string(name))) }
        let dashes = String(strap.address.map { $0 == ":" ? "-" : $0 })
        properties += [
            ("Alias", .string(strap.name ?? dashes)),
            ("Paired", .boolean(isPaired)),
            ("Bonded", .boolean(isPaired)),
            ("Trusted", .boolean(isTrusted)),
            ("Blocked", .boolean(false)),
            ("LegacyPairing", .boolean(false)),
        ]
        if let rssi { properties.append(("RSSI", .int16(rssi))) }
        properties += [
            ("Connected", .boolean(isConnected)),
            ("UUIDs", .strings(uuids.map(\.text))),
            ("Adapter", .objectPath(adapter)),
            ("ServicesResolved", .boolean(isResolved)),
        ]
        let main = BusObject.Interface(name: Device.interface, properties: properties)
        return BusObject(
            path: path, interfaces: [main] + (hasBattery ? [Device.battery(of: strap)] : []))
    }

    /// The battery's own interface.
    static func battery(of strap: Strap) -> BusObject.Interface {
        BusObject.Interface(
            name: "org.bluez.Battery1",
            properties: [("Percentage", .byte(strap.value(of: .batteryLevel).first ?? 0))])
    }

    /// The objects of the services, parents first.
    var serviceObjects: [BusObject] {
        guard hasServiceObjects else { return [] }
        return services.flatMap { service in
            [service.object(device: path)]
                + characteristics.filter { $0.service == service.path }.flatMap(\.objects)
        }
    }
}
