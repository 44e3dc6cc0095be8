import DBus

/// A signal of bluetoothd that is not as it should be; none was seen, all are possible.
package enum Malformation: String, CaseIterable, Sendable {
    /// A value that is text.
    case valueText = "value-text"
    /// A value that is an array of 32-bit numbers.
    case valueNumbers = "value-numbers"
    /// A value inside of as many variants as a message may hold.
    case valueNested = "value-nested"
    /// A value longer than any that fits into a packet (Bluetooth Core 5.4, Vol 3, Part F, 3.2.9).
    case valueOversized = "value-oversized"
    /// `PropertiesChanged` without its properties.
    case missingArguments = "missing-arguments"
    /// `PropertiesChanged` of numbers.
    case wrongArguments = "wrong-arguments"
    /// Properties of an interface that nobody knows.
    case strangeInterface = "strange-interface"
    /// Ten thousand properties that nobody knows.
    case manyProperties = "many-properties"
    /// `Connected`, `ServicesResolved`, `RSSI`, `Name`, `UUIDs`, each of another type.
    case deviceTypes = "device-types"
    /// A strap's properties all gone.
    case deviceInvalidated = "device-invalidated"
    /// `Powered` and `Discovering`, each of another type.
    case adapterTypes = "adapter-types"
    /// `InterfacesAdded` whose table of interfaces is text.
    case addedText = "added-text"
    /// `InterfacesAdded` of a device that has no properties at all.
    case addedEmpty = "added-empty"
    /// `InterfacesAdded` of a characteristic below a device that is not there.
    case addedOrphan = "added-orphan"
    /// `InterfacesRemoved` of what was never there.
    case removedStranger = "removed-stranger"

    /// The largest value that can be ordered, in bytes.
    package static let mostBytes = 16 << 20
}

extension Malformation {
    /// The signal, as if it came from a strap's characteristic.
    ///
    /// - Parameters:
    ///   - number: The device, as a number.
    ///   - index: Which of its characteristics.
    ///   - daemon: Who keeps it.
    ///   - size: How long an oversized value is, in bytes.
    /// - Returns: The signal.
    func signal(of number: Int, _ index: Int, in daemon: Daemon, size: Int) -> Signal {
        let device = daemon.devices[number]
        let adapter = daemon.adapters[device.adapter].path
        let characteristic = device.characteristics[index].path
        switch self {
        case .valueText: return value(.string("0048"), characteristic)
        case .valueNumbers:
            return value(.array(elementSignature: "u", [.uint32(0), .uint32(72)]), characteristic)
        case .valueNested:
            return value(
                (0..<24).reduce(.byteArray([0, 72])) { inner, _ in .variant(inner) },
                characteristic)
        case .valueOversized:
            return value(.byteArray([UInt8](repeating: 0, count: size)), characteristic)
        case .missingArguments:
            return signal(characteristic, [.string(Characteristic.interface)])
        case .wrongArguments:
            return signal(characteristic, [.uint32(1), .uint32(2), .double(.nan)])
        case .strangeInterface:
            return .propertiesChanged(
                characteristic, "org.bluez.Strange1", [("Value", .byteArray([0, 72]))])
        case .manyProperties:
            return .propertiesChanged(
                characteristic, Characteristic.interface,
                (0..<10_000).map { ("Strange\($0)", .boolean(true)) })
        case .deviceTypes:
            return .propertiesChanged(
                device.path, Device.interface,
                [
                    ("Connected", .string("no")), ("ServicesResolved", .uint32(0)),
                    ("RSSI", .string("strong")), ("Name", .byteArray([0xFF])),
                    ("UUIDs", .string("180d")),
                ])
        case .deviceInvalidated:
            return .propertiesChanged(
                device.path, Device.interface, [],
                absent: daemon.object(of: number).interfaces[0].names)
        case .adapterTypes:
            return .propertiesChanged(
                adapter, Adapter.interface,
                [("Powered", .string("off")), ("Discovering", .int16(0))])
        case .addedText, .addedEmpty, .addedOrphan, .removedStranger:
            return objects(of: device, on: adapter)
        }
    }

    /// The signals that speak of objects.
    private func objects(of device: Device, on adapter: String) -> Signal {
        let stranger = adapter + "/dev_00_00_00_00_00_00"
        let (member, path, value): (String, String, Value) =
            switch self {
            case .addedText: ("InterfacesAdded", device.path, .string("Device1"))
            case .addedOrphan:
                (
                    "InterfacesAdded", stranger + "/service0001/char0002",
                    BusObject.value(of: device.characteristics.first?.object.interfaces ?? [])
                )
            case .removedStranger:
                ("InterfacesRemoved", stranger, .strings([Device.interface]))
            default:
                (
                    "InterfacesAdded", stranger,
                    BusObject.value(of: [
                        BusObject.Interface(name: Device.interface, properties: [])
                    ])
                )
            }
        return .manager(member, path, value)
    }

    private func value(_ value: Value, _ path: String) -> Signal {
        .propertiesChanged(path, Characteristic.interface, [("Value", value)])
    }

    private func signal(_ path: String, _ arguments: [Value]) -> Signal {
        Signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: arguments)
    }
}
