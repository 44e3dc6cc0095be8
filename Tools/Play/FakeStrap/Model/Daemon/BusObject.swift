import DBus

/// An object as others see it on the bus: interfaces and properties, computed from the state.
struct BusObject: Sendable {
    /// An interface and the properties it has at this moment.
    struct Interface: Sendable {
        let name: String
        let properties: [(String, Value)]

        /// The names of the properties.
        var names: [String] { properties.map { $0.0 } }
    }

    /// The object path.
    let path: String
    /// The interfaces, the one that says what the object is first.
    let interfaces: [Interface]

}

extension BusObject {
    init(path: String, _ interface: String, _ properties: [(String, Value)]) {
        self.init(path: path, interfaces: [Interface(name: interface, properties: properties)])
    }

    /// The interfaces that every object of bluetoothd has beside its own.
    static let common = [
        "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Properties",
    ]

    /// All interfaces with their properties, `a{sa{sv}}`.
    var value: Value {
        let common = BusObject.common.map { Interface(name: $0, properties: []) }
        return BusObject.value(of: common + interfaces)
    }

    /// Interfaces with their properties, `a{sa{sv}}`.
    static func value(of interfaces: [Interface]) -> Value {
        .dictionary(
            entrySignature: "{sa{sv}}",
            interfaces.map {
                Value.Entry(key: .string($0.name), value: .properties($0.properties))
            })
    }
}

extension [(String, Value)] {
    /// The value of a property, or nil if there is none of that name.
    func value(of name: String) -> Value? {
        first { $0.0 == name }?.1
    }
}

extension Signal {
    /// The signal that says which properties of an object have changed.
    static func propertiesChanged(
        _ path: String, _ interface: String, _ present: [(String, Value)], absent: [String] = []
    ) -> Signal {
        Signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            arguments: [.string(interface), .properties(present), .strings(absent)])
    }

    /// The signal that brings a value of a characteristic.
    static func value(_ value: [UInt8], _ path: String) -> Signal {
        .propertiesChanged(path, Characteristic.interface, [("Value", .byteArray(value))])
    }

    /// A signal about an object that is there, or no longer.
    static func manager(_ member: String, _ path: String, _ value: Value) -> Signal {
        Signal(
            path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: member,
            arguments: [.objectPath(path), value])
    }
}
