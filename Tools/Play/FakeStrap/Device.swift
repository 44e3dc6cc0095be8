import DBus

/// A strap as bluetoothd knows it.
///
/// Lives on the bus thread, like all of bluetoothd's state.
final class Device {
    static let interface = "org.bluez.Device1"

    /// The strap in the air.
    let peripheral: Peripheral
    /// The adapter that hears it.
    let adapter: Adapter
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

    /// A `Connect` that waits.
    var connecting: Connecting?
    var isConnected = false
    /// Whether values reach those who subscribed.
    var isLive = false
    var isResolved = false
    /// Whether the objects of its services are there; they outlive a link.
    var hasServiceObjects = false
    /// Whether the battery's own interface is there.
    var hasBattery = false
    let services: [Service]

    /// A pairing that is under way.
    var pairing: Pairing?
    /// Requests that the strap will answer once it is paired.
    var requestsForPairing: [() -> Void] = []

    /// Timers that end with the link.
    var linkTimers: [Connection.TimerID] = []
    /// Calls that the strap has yet to answer.
    var calls: [(caller: ReplyAddress, timer: Connection.TimerID)] = []
    /// Those whose `Disconnect` has no answer yet.
    var disconnects: [ReplyAddress] = []
    /// Removes the object.
    var forgetting: Connection.TimerID?

    struct Connecting {
        let caller: ReplyAddress
        let limit: Connection.TimerID
        /// Makes the link; nil while the strap is not there.
        var attempt: Connection.TimerID?
    }

    struct Pairing {
        /// Ends it in vain.
        let limit: Connection.TimerID
        /// The number of the question that an agent has before it.
        var question: Int?
    }

    init(_ peripheral: Peripheral, on adapter: Adapter) {
        self.peripheral = peripheral
        self.adapter = adapter
        let strap = peripheral.strap
        let path = adapter.path + "/dev_" + String(strap.address.map { $0 == ":" ? "_" : $0 })
        self.path = path
        // The first handles belong to the services 0x1800 and 0x1801, which bluetoothd keeps.
        var handle: UInt16 = 10
        services = strap.services.map { Service($0, device: path, mtu: strap.mtu, handle: &handle) }
    }

    /// Takes up what the adapter knows of the strap when the play begins.
    func remember() {
        guard strap.acquaintance != .stranger else { return }
        isKnown = true
        isStored = true
        isTrusted = true
        guard strap.acquaintance == .linked else { return }
        peripheral.isLinked = true
        isConnected = true
        isLive = true
        isResolved = true
        hasServiceObjects = true
        hasBattery = characteristic(.batteryLevel) != nil
    }

    /// What the strap is and holds right now.
    var strap: Strap {
        get { peripheral.strap }
        set { peripheral.strap = newValue }
    }

    /// All characteristics, in the order of their handles.
    var characteristics: [Characteristic] {
        services.flatMap(\.characteristics)
    }

    func characteristic(_ uuid: GattUUID) -> Characteristic? {
        characteristics.first { $0.uuid == uuid }
    }

    /// What a read of a characteristic gives.
    func value(of uuid: GattUUID) -> [UInt8] {
        strap.services.flatMap(\.characteristics).first { $0.uuid == uuid }?.value ?? []
    }

    var object: BusObject {
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
            ("Adapter", .objectPath(adapter.path)),
            ("ServicesResolved", .boolean(isResolved)),
        ]
        let main = BusObject.Interface(name: Device.interface, properties: properties)
        return BusObject(path: path, interfaces: [main] + (hasBattery ? [battery] : []))
    }

    /// The battery's own interface.
    var battery: BusObject.Interface {
        BusObject.Interface(
            name: "org.bluez.Battery1",
            properties: [("Percentage", .byte(value(of: .batteryLevel).first ?? 0))])
    }

    /// The objects of the services, parents first.
    var serviceObjects: [BusObject] {
        guard hasServiceObjects else { return [] }
        return services.flatMap { [$0.object] + $0.characteristics.flatMap(\.objects) }
    }
}
