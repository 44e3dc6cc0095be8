import BluetoothCentral
import DBus

/// An adapter as bluetoothd keeps it.
struct Adapter: Sendable {
    static let interface = "org.bluez.Adapter1"

    /// The object path, also while there is no such object.
    let path: String
    /// The hardware.
    var controller: Controller
    /// The filters that clients have set, by their unique names.
    var filters: [String: DiscoveryFilter] = [:]
    /// The clients that scan, by their unique names, with the filters they had when they began.
    var scans: [String: DiscoveryFilter] = [:]

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
                ("UUIDs", .strings([BluetoothUUID(0x1800).text, BluetoothUUID(0x1801).text])),
                ("Modalias", .string("usb:v1D6Bp0246d0542")),
                ("Roles", .strings(controller.roles)),
            ])
    }
}

/// Which straps a client wants to hear of (`SetDiscoveryFilter`).
struct DiscoveryFilter: Hashable {
    /// Services of which the strap must advertise one; nil for any strap.
    var services: Set<BluetoothUUID>?
    /// Whether low-energy devices are wanted.
    var wantsLowEnergy = true

    /// The filter of a client that has set none.
    init() {}

    /// Reads the argument of `SetDiscoveryFilter`, or gives nil if something in it is not what a
    /// recorder asks for, or of a wrong type.
    init?(_ argument: Value) {
        guard let entries = argument.asEntries else { return nil }
        for entry in entries {
            switch entry.key.asString {
            case "UUIDs":
                guard let texts = entry.value.asStrings else { return nil }
                let uuids = texts.compactMap { BluetoothUUID($0) }
                guard uuids.count == texts.count else { return nil }
                services = uuids.isEmpty ? nil : Set(uuids)
            case "Transport":
                guard let transport = entry.value.asString,
                    ["auto", "le", "bredr"].contains(transport)
                else { return nil }
                wantsLowEnergy = transport != "bredr"
            case "DuplicateData":
                guard entry.value.asBoolean != nil else { return nil }
            default:
                return nil
            }
        }
    }

    /// Whether the client wants to hear of this strap.
    func fits(_ strap: Strap) -> Bool {
        guard wantsLowEnergy else { return false }
        return services.map { !$0.isDisjoint(with: strap.advertised) } ?? true
    }
}
