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
            let properties = reading.properties(
                of: interface, arguments[1], invalidated: invalidated)
            inputs.append(.objectChanged(LocatedObject(path: signal.path, interface, properties)))
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
            return LocatedObject(path: path, interface, properties(of: interface, entry.value))
        }
    }

    /// The properties of one interface, `a{sv}`.
    ///
    /// - Parameters:
    ///   - interface: The interface.
    ///   - properties: The properties and their values.
    ///   - invalidated: Names of properties that no longer have a value.
    /// - Returns: What was understood.
    mutating func properties(
        of interface: BluezInterface, _ properties: Value, invalidated: [String] = []
    ) -> [BluezProperty] {
        if properties.asEntries == nil { unexpectedCount += 1 }
        let read =
            switch interface {
            case .adapter: adapter(properties)
            case .device:
                device(properties) + (invalidated.contains("RSSI") ? [.signal(.lost)] : [])
            case .characteristic: characteristic(properties)
            }
        return read.compactMap(\.self)
    }

    // MARK: -

    private mutating func adapter(_ properties: Value) -> [BluezProperty?] {
        [
            read("Powered", properties, \.asBoolean).map { .powered($0) },
            read("Discovering", properties, \.asBoolean).map { .discovering($0) },
            read("Roles", properties, \.asStrings).map { .central($0.contains("central")) },
        ]
    }

    private mutating func device(_ properties: Value) -> [BluezProperty?] {
        [
            read("Address", properties) { $0.asString.flatMap { BluetoothAddress($0) } }
                .map { .address($0) },
            read("AddressType", properties, \.asString)
                .map { .addressType($0 == "public" ? .public : .random) },
            read("Name", properties, \.asString).map { .name($0.fitting(Self.nameLimitBytes)) },
            read("RSSI", properties, \.asInt16)
                .map { .signal($0 == Self.unmeasuredSignal ? .unmeasured : .heard($0)) },
            read("UUIDs", properties, \.asStrings).map { texts in
                let all = texts.compactMap { BluetoothUUID($0) }
                let needed = BluetoothUUID.roleServices.union([.nordicFirmwareUpdate])
                return .services(needed.intersection(all).union(all.prefix(Self.serviceLimit)))
            },
            read("Connected", properties, \.asBoolean).map { .connected($0) },
            read("ServicesResolved", properties, \.asBoolean).map { .resolved($0) },
            read("Blocked", properties, \.asBoolean).map { .blocked($0) },
        ]
    }

    private mutating func characteristic(_ properties: Value) -> [BluezProperty?] {
        let flags = read("Flags", properties, \.asStrings)
        return [
            read("UUID", properties, \.asString).flatMap { BluetoothUUID($0) }.map { .uuid($0) },
            flags.map { .readable($0.contains("read")) },
            flags.map { .notifiable($0.contains("notify") || $0.contains("indicate")) },
            read("Notifying", properties, \.asBoolean).map { .notifying($0) },
        ]
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
