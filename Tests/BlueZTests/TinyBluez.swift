import DBus
import Synchronization

@testable import BluetoothCentral

/// The least service that a central takes for BlueZ: one adapter, one strap that is always willing.
final class TinyBluez: Sendable {
    static let device = "/org/bluez/hci0/dev_C4_00_00_00_00_01"
    static let measurement = device + "/service000e/char000f"

    let bus: Bus
    private let agent = Mutex<String?>(nil)

    /// The unique name of who registered an agent.
    var agentOwner: String? { agent.withLock { $0 } }

    init(_ address: Bus.Address) async throws {
        bus = try await Bus(address)
        try await bus.perform { (connection) throws(DBusError) in
            connection.onMethodCall = { [unowned connection] call, caller, _ in
                if call.member == "RegisterAgent" {
                    self.agent.withLock { $0 = caller.sender }
                }
                return Self.answer(call, connection)
            }
        }
        try await bus.requestName("org.bluez")
    }

    /// Signals a notification.
    func notify(_ bytes: [UInt8], sender: Bus? = nil) async throws {
        try await (sender ?? bus).perform { (connection) throws(DBusError) in
            try connection.emit(Self.valueSignal(bytes))
        }
    }

    static func valueSignal(_ bytes: [UInt8]) -> Signal {
        changed(measurement, "org.bluez.GattCharacteristic1", ("Value", .byteArray(bytes)))
    }

    private static func answer(_ call: MethodCall, _ connection: Connection) -> MethodReply {
        switch call.member {
        case "GetManagedObjects": return .values([tree])
        case "Connect":
            emit(changed(device, "org.bluez.Device1", ("Connected", .boolean(true))), connection)
            emit(
                changed(device, "org.bluez.Device1", ("ServicesResolved", .boolean(true))),
                connection)
            return .values([])
        case "Disconnect":
            emit(changed(device, "org.bluez.Device1", ("Connected", .boolean(false))), connection)
            return .values([])
        case "StartNotify":
            // The first value precedes the answer.
            emit(valueSignal([0, 60]), connection)
            return .values([])
        case "ReadValue": return .values([.byteArray([1])])
        case "RegisterAgent", "StopNotify", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery":
            return .values([])
        default: return .unknownMethod(call)
        }
    }

    private static func emit(_ signal: Signal, _ connection: Connection) {
        do {
            try connection.emit(signal)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func changed(
        _ path: String, _ interface: String, _ property: (String, Value)
    ) -> Signal {
        Signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [.string(interface), .properties([property]), .strings([])])
    }

    private static var tree: Value {
        let objects: [(String, String, [(String, Value)])] = [
            ("/org/bluez/hci0", "org.bluez.Adapter1", [("Powered", .boolean(true))]),
            (
                device, "org.bluez.Device1",
                [
                    ("Address", .string("C4:00:00:00:00:01")), ("Name", .string("Strap")),
                    ("Connected", .boolean(false)),
                ]
            ),
            (
                measurement, "org.bluez.GattCharacteristic1",
                [
                    ("UUID", .string(BluetoothUUID.heartRateMeasurement.text)),
                    ("Flags", .strings(["notify"])),
                ]
            ),
            (
                device + "/service000e/char0012", "org.bluez.GattCharacteristic1",
                [
                    ("UUID", .string(BluetoothUUID.bodySensorLocation.text)),
                    ("Flags", .strings(["read"])),
                ]
            ),
        ]
        return .dictionary(
            entrySignature: "{oa{sa{sv}}}",
            objects.map { path, interface, properties in
                let interfaces = Value.dictionary(
                    entrySignature: "{sa{sv}}",
                    [Value.Entry(key: .string(interface), value: .properties(properties))])
                return Value.Entry(key: .objectPath(path), value: interfaces)
            })
    }
}
