import DBus

/// An adapter as bluetoothd keeps it.
///
/// Lives on the bus thread, like all of bluetoothd's state.
final class Adapter {
    static let interface = "org.bluez.Adapter1"

    /// The object path, also while there is no such object.
    let path: String
    /// The hardware.
    var controller: Controller
    /// The filters that clients have set, by their unique names.
    var filters: [String: DiscoveryFilter] = [:]
    /// The clients that scan, by their unique names, with the filters they had when they began.
    var scans: [String: DiscoveryFilter] = [:]
    /// Reports straps to those who scan.
    var reporting: Connection.TimerID?

    init(_ controller: Controller, index: Int) {
        self.controller = controller
        path = "/org/bluez/hci\(index)"
    }

    /// Whether it is there and switched on.
    var isPowered: Bool { controller.isPlugged && controller.isPowered }

    var object: BusObject {
        BusObject(
            path: path, Adapter.interface,
            [
                ("Address", .string(controller.address)),
                ("AddressType", .string("public")),
                ("Name", .string("fakestrap")),
                ("Alias", .string("fakestrap")),
                ("Class", .uint32(0)),
                ("Powered", .boolean(controller.isPowered)),
                ("Discoverable", .boolean(false)),
                ("DiscoverableTimeout", .uint32(180)),
                ("Pairable", .boolean(false)),
                ("PairableTimeout", .uint32(0)),
                ("Discovering", .boolean(!scans.isEmpty)),
                ("UUIDs", .strings([GattUUID(0x1800).text, GattUUID(0x1801).text])),
                ("Modalias", .string("usb:v1D6Bp0246d0542")),
                ("Roles", .strings(controller.roles)),
            ])
    }
}

/// Which straps a client wants to hear of (`SetDiscoveryFilter`).
struct DiscoveryFilter: Hashable {
    /// Services of which the strap must advertise one; nil for any strap.
    var services: Set<GattUUID>?
    /// The weakest signal, in dBm; a strap of unknown strength passes.
    var weakestRSSI: Int16?
    /// How name or address must begin.
    var pattern = ""
    /// Whether low-energy devices are wanted.
    var wantsLowEnergy = true

    /// The filter of a client that has set none.
    init() {}

    /// Reads the argument of `SetDiscoveryFilter`, or gives nil if a value in it is of a wrong
    /// type.
    init?(_ argument: Value) {
        guard let entries = argument.asEntries else { return nil }
        for entry in entries {
            switch entry.key.asString {
            case "UUIDs":
                guard let texts = entry.value.asStrings else { return nil }
                let uuids = texts.compactMap { GattUUID($0) }
                guard uuids.count == texts.count else { return nil }
                services = uuids.isEmpty ? nil : Set(uuids)
            case "RSSI":
                guard let rssi = entry.value.asInt16 else { return nil }
                weakestRSSI = rssi
            case "Pattern":
                guard let text = entry.value.asString else { return nil }
                pattern = text
            case "Transport":
                guard let transport = entry.value.asString,
                    ["auto", "le", "bredr"].contains(transport)
                else { return nil }
                wantsLowEnergy = transport != "bredr"
            case "DuplicateData", "Discoverable":
                guard entry.value.asBoolean != nil else { return nil }
            case "Pathloss":
                break
            default:
                return nil
            }
        }
    }

    /// Whether the client wants to hear of this strap.
    func fits(_ strap: Strap) -> Bool {
        guard wantsLowEnergy else { return false }
        if let services, services.isDisjoint(with: strap.advertised) { return false }
        if let weakestRSSI, let rssi = strap.rssi, rssi < weakestRSSI { return false }
        return pattern.isEmpty || strap.address.hasPrefix(pattern)
            || strap.name?.hasPrefix(pattern) == true
    }
}
