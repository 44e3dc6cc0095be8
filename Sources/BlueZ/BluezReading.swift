package import BluetoothCentral
package import DBus
internal import Events

/// Makes the central's types of BlueZ's messages.
///
/// A property of another type than documented is left out and counted, so that one odd property
/// does not hide the rest.
package struct BluezReading {
    /// How many properties were left out.
    private(set) var unexpectedCount = 0

    private static let nameLimitBytes = 1_024
    /// The most services that are kept of a device besides those that matter.
    private static let serviceLimit = 32
    /// "Not available" (Bluetooth Core, Vol 4, Part E, 7.7.65.2).
    private static let unmeasuredSignal: Int16 = 127

    /// Reads with nothing left out yet.
    package init() {}

    /// What a signal of bluetoothd says.
    package static func inputs(of signal: Signal) -> [CentralInput] {
        let arguments = signal.arguments
        var reading = BluezReading()
        var inputs: [CentralInput] = []
        switch (signal.interface, signal.member) {
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged") where arguments.count == 3:
            guard let name = arguments[0].asString else { return [.found(.unexpectedType)] }
            guard let interface = BluezInterface(name: name) else { return [] }
            let value =
                interface == .characteristic
                ? reading.read("Value", arguments[1], \.asByteArray) : nil
            if let value { inputs.append(.valueSignalled(path: signal.path, value)) }
            // A notification is the value alone.
            guard value == nil || arguments[1].asEntries?.count != 1 else { break }
            let invalidated = arguments[2].asStrings ?? []
            let object = reading.object(interface, arguments[1], invalidated: invalidated)
            inputs.append(.objectChanged(LocatedObject(path: signal.path, object: object)))
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded") where arguments.count == 2:
            guard let path = arguments[0].asObjectPath else { return [.found(.unexpectedType)] }
            let objects = reading.added(path: path, interfaces: arguments[1])
            inputs = objects.map { .objectAdded($0) }
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") where arguments.count == 2:
            guard let path = arguments[0].asObjectPath, let names = arguments[1].asStrings
            else { return [.found(.unexpectedType)] }
            let interfaces = names.compactMap(BluezInterface.init(name:))
            inputs = interfaces.map { .objectRemoved(path: path, $0) }
        case ("org.bluez.Device1", "Disconnected"):
            let words = arguments.map { $0.asString ?? "" } + ["", ""]
            return [.disconnected(path: signal.path, name: words[0], message: words[1])]
        default: return [.found(.unexpectedType)]
        }
        return inputs + reading.findings
    }

    /// What the answer to a call says, or that there is none.
    package static func inputs(
        of result: Result<[Value], DBusError>, answering call: CentralCall, _ id: CallID
    ) -> [CentralInput] {
        var reading = BluezReading()
        let answer: CallAnswer =
            switch (result, call) {
            case (.failure(let error), _) where error.code == .timedOut: .timedOut
            case (.failure(let error), _): .failed(CallFailure(error))
            case (.success(let values), .listObjects): .objects(reading.tree(values.first))
            case (.success(let values), .readValue):
                values.first?.asByteArray.map { .bytes($0) } ?? .done
            case (.success, _): .done
            }
        return [.answered(id, answer)] + reading.findings
    }

    private var findings: [CentralInput] {
        Array(repeating: .found(.unexpectedType), count: unexpectedCount)
    }

    /// All objects of interest in the answer of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    package mutating func tree(_ value: Value?) -> [LocatedObject] {
        guard let entries = value?.asEntries else {
            unexpectedCount += 1
            return []
        }
        var objects: [LocatedObject] = []
        for entry in entries {
            guard let path = entry.key.asObjectPath else {
                unexpectedCount += 1
                continue
            }
            objects += added(path: path, interfaces: entry.value)
        }
        return objects
    }

    /// What an object brings along when it is added, `a{sa{sv}}`.
    mutating func added(path: String, interfaces: Value?) -> [LocatedObject] {
        guard let entries = interfaces?.asEntries else {
            unexpectedCount += 1
            return []
        }
        return entries.compactMap { entry in
            guard let interface = entry.key.asString.flatMap(BluezInterface.init(name:)) else {
                return nil
            }
            return LocatedObject(path: path, object: object(interface, entry.value))
        }
    }

    /// The properties of one interface, `a{sv}`.
    ///
    /// - Parameters:
    ///   - interface: The interface.
    ///   - properties: The properties and their values.
    ///   - invalidated: Names of properties that no longer have a value.
    /// - Returns: What was understood.
    mutating func object(
        _ interface: BluezInterface, _ properties: Value, invalidated: [String] = []
    ) -> BluezProperties {
        if properties.asEntries == nil { unexpectedCount += 1 }
        switch interface {
        case .adapter: return .adapter(adapter(properties))
        case .device:
            var device = device(properties)
            if invalidated.contains("RSSI") { device.signal = .lost }
            return .device(device)
        case .characteristic: return .characteristic(characteristic(properties))
        }
    }

    // MARK: -

    private mutating func adapter(_ properties: Value) -> AdapterProperties {
        AdapterProperties(
            isPowered: read("Powered", properties, \.asBoolean),
            isDiscovering: read("Discovering", properties, \.asBoolean),
            isCentral: read("Roles", properties, \.asStrings)?.contains("central"))
    }

    private mutating func device(_ properties: Value) -> DeviceProperties {
        var device = DeviceProperties()
        if let text = read("Address", properties, \.asString) {
            device.address = BluetoothAddress(text)
            if device.address == nil { unexpectedCount += 1 }
        }
        device.addressType = read("AddressType", properties, \.asString)
            .map { $0 == "public" ? .public : .random }
        device.name = read("Name", properties, \.asString)?.fitting(Self.nameLimitBytes)
        device.signal = read("RSSI", properties, \.asInt16)
            .map { $0 == Self.unmeasuredSignal ? .unmeasured : .heard($0) }
        device.services = read("UUIDs", properties, \.asStrings).map { texts in
            let all = texts.compactMap { BluetoothUUID($0) }
            let needed = BluetoothUUID.roleServices.union([.nordicFirmwareUpdate])
            return needed.intersection(all).union(all.prefix(Self.serviceLimit))
        }
        device.isConnected = read("Connected", properties, \.asBoolean)
        device.isResolved = read("ServicesResolved", properties, \.asBoolean)
        device.isBlocked = read("Blocked", properties, \.asBoolean)
        return device
    }

    private mutating func characteristic(_ properties: Value) -> CharacteristicProperties {
        let flags = read("Flags", properties, \.asStrings)
        return CharacteristicProperties(
            uuid: read("UUID", properties, \.asString).flatMap { BluetoothUUID($0) },
            isReadable: flags?.contains("read"),
            isNotifiable: flags.map { $0.contains("notify") || $0.contains("indicate") },
            isNotifying: read("Notifying", properties, \.asBoolean))
    }

    private mutating func read<Content>(
        _ name: String, _ properties: Value, _ open: (Value) -> Content?
    ) -> Content? {
        guard let value = properties[name] else { return nil }
        let content = open(value)
        if content == nil { unexpectedCount += 1 }
        return content
    }
}

extension BluezInterface {
    /// The interface of this D-Bus name, or nil if it does not matter here.
    init?(name: String) {
        switch name {
        case "org.bluez.Adapter1": self = .adapter
        case "org.bluez.Device1": self = .device
        case "org.bluez.GattCharacteristic1": self = .characteristic
        default: return nil
        }
    }
}
