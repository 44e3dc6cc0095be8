import BluetoothCentral
import DBus

/// A service of a device as bluetoothd keeps it.
struct Service: Sendable {
    let path: String
    let uuid: BluetoothUUID

    func object(device: String) -> BusObject {
        BusObject(
            path: path, "org.bluez.GattService1",
            [
                ("UUID", .string(uuid.text)),
                ("Device", .objectPath(device)),
                ("Primary", .boolean(true)),
                ("Includes", .array(elementSignature: "o", [])),
            ])
    }
}

/// A characteristic of a device as bluetoothd keeps it.
struct Characteristic: Sendable {
    static let interface = "org.bluez.GattCharacteristic1"

    let path: String
    let service: String
    let uuid: BluetoothUUID
    let flags: [String]
    /// The largest packet, in bytes.
    let mtu: UInt16
    /// The path of the configuration's descriptor, if the characteristic can notify.
    let configuration: String?
    /// The value that was signalled last.
    var value: [UInt8]?
    /// The unique names of those who subscribed, in that order; they outlive a link.
    var subscribers: [String] = []
    /// Those whose `StartNotify` has no answer yet.
    var starting: [String] = []

    /// Takes handles for declaration, value and, if it can notify, its configuration.
    init(
        _ characteristic: GattCharacteristic, service: String, mtu: UInt16, handle: inout UInt16
    ) {
        let path = service + "/char" + handle.digits
        (self.path, self.service) = (path, service)
        uuid = characteristic.uuid
        flags = characteristic.flags
        self.mtu = mtu
        let canNotify = flags.contains("notify") || flags.contains("indicate")
        handle += 2
        configuration = canNotify ? path + "/desc" + handle.digits : nil
        if canNotify { handle += 1 }
    }

    var canNotify: Bool { configuration != nil }

    var object: BusObject {
        var properties: [(String, Value)] = [
            ("UUID", .string(uuid.text)),
            ("Service", .objectPath(service)),
        ]
        if let value { properties.append(("Value", .byteArray(value))) }
        if canNotify {
            properties += [
                ("Notifying", .boolean(!subscribers.isEmpty)),
                ("NotifyAcquired", .boolean(false)),
            ]
        }
        properties += [("Flags", .strings(flags)), ("MTU", .uint16(mtu))]
        return BusObject(path: path, Characteristic.interface, properties)
    }

    /// The characteristic and its descriptor.
    var objects: [BusObject] {
        guard let configuration else { return [object] }
        let descriptor = BusObject(
            path: configuration, "org.bluez.GattDescriptor1",
            [
                ("UUID", .string(BluetoothUUID(0x2902).text)),
                ("Characteristic", .objectPath(path)),
            ])
        return [object, descriptor]
    }
}

/// Which characteristic of which device, as numbers.
typealias CharacteristicPlace = (device: Int, index: Int)

extension UInt16 {
    /// Four hexadecimal digits, as in BlueZ's object paths.
    var digits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
