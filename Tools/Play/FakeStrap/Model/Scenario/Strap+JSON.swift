import BluetoothCentral
import Events
import JSON

extension Strap {
    /// Reads all of a device but its play.
    init(reading object: inout ScenarioObject) throws(ScenarioError) {
        let name = try object.deviceName("name")
        let id = try object.text("id") ?? name ?? object.place
        guard let device = try object.text("address").flatMap({ DeviceID($0) }) else {
            throw object.wrong("address", "an address such as C4:00:00:00:00:01")
        }
        let address = device.description
        var services: [GattService] = []
        for (value, place) in try object.elements("services") {
            services.append(try GattService(value, place))
        }
        if !object.has("services"), let heart = GattService.named("hr") { services = [heart] }
        self.init(id: id, name: name, address: address, services: services)
        let types: KeyValuePairs = ["random": "random", "public": "public"]
        addressType = try object.word("address_type", types) ?? addressType
        if object.has("rssi") { rssi = try object.integer("rssi") }
        isAdvertising = try object.flag("advertise") ?? isAdvertising
        let known: KeyValuePairs<String, Acquaintance> = [
            "remembered": .remembered, "linked": .linked,
        ]
        acquaintance = try object.word("known", known) ?? acquaintance
        mtu = try object.integer("mtu") ?? mtu
        isEncrypted = try object.flag("encrypt") ?? isEncrypted
        object.pass(over: "fading", "interval_ms", "advertise_again", "gap_service")
        if var advertising = try object.object("advertising") { try readAdvertising(&advertising) }
        if let level: UInt8 = try object.integer("battery") { setValue([level], of: .batteryLevel) }
        if let location: UInt8 = try object.integer("location") {
            setValue([location], of: .bodySensorLocation)
        }
        if let name = try object.text("manufacturer") {
            setValue(Array(name.utf8), of: .manufacturerName)
        }
        if var values = try object.object("values") { try readValues(&values) }
        if var errors = try object.object("att_errors") {
            self.errors = try AttributeErrors(reading: &errors)
        }
        if var faults = try object.object("faults") { self.faults = try Faults(reading: &faults) }
    }
}

extension Strap {
    /// Reads what the strap says of itself; of that, the services matter here.
    private mutating func readAdvertising(
        _ object: inout ScenarioObject
    ) throws(ScenarioError) {
        if object.has("uuids") { advertised = try object.uuids("uuids") }
        object.pass(
            over: "uuids_in", "name_in", "flags", "appearance", "manufacturer_data", "hex",
            "response_hex")
        try object.finish()
    }

    /// Reads values by characteristic: text, or bytes as in `hex:0c`.
    private mutating func readValues(_ object: inout ScenarioObject) throws(ScenarioError) {
        for name in object.names {
            guard let uuid = BluetoothUUID(name), let text = try object.text(name) else {
                throw object.wrong(name, "the value of a characteristic such as 2A24")
            }
            let prefix = "hex:"
            guard text.hasPrefix(prefix) else {
                setValue(Array(text.utf8), of: uuid)
                continue
            }
            guard let bytes = [UInt8](hexadecimal: String(text.dropFirst(prefix.count))) else {
                throw object.wrong(name, "pairs of hexadecimal digits after hex:")
            }
            setValue(bytes, of: uuid)
        }
    }
}

extension Strap.Faults {
    /// Reads faults; what is not named is as it should be.
    init(reading object: inout ScenarioObject) throws(ScenarioError) {
        isDeaf = try object.flag("deaf") ?? isDeaf
        isLosingAttempts = try object.flag("loses_attempts") ?? isLosingAttempts
        linkMilliseconds = try object.milliseconds("link_length")
        brokenLinks = try object.integer("broken_links") ?? brokenLinks
        servicesDelayMilliseconds =
            try object.milliseconds("services_delay") ?? servicesDelayMilliseconds
        objectsDelayMilliseconds = try object.milliseconds("objects_delay")
        earlyValues = try object.listOfBytes("early_values") ?? earlyValues
        copies = try object.integer("copies") ?? copies
        guard (0...100).contains(copies), brokenLinks >= 0 else {
            throw ScenarioError("\(object.place) has a number that is out of range.")
        }
        try object.finish()
    }
}

extension GattService {
    /// Reads a known service's name, or a service of the scenario's own.
    fileprivate init(_ value: JSONValue, _ place: String) throws(ScenarioError) {
        if case .string(let name) = value {
            guard let service = GattService.named(name) else {
                let names = GattService.known.map(\.name).joined(separator: ", ")
                throw ScenarioError("\(place) is not one of \(names).")
            }
            self = service
            return
        }
        var object = try ScenarioObject(value, place)
        guard let uuid = try object.uuid("uuid") else { throw object.wrong("uuid", "a UUID") }
        var characteristics: [GattCharacteristic] = []
        for (value, place) in try object.elements("characteristics") {
            var object = try ScenarioObject(value, place)
            guard let uuid = try object.uuid("uuid") else { throw object.wrong("uuid", "a UUID") }
            let flags = GattCharacteristic.flags(try object.text("properties") ?? "READ")
            let value = try object.bytes("hex") ?? []
            characteristics.append(GattCharacteristic(uuid: uuid, flags: flags, value: value))
            try object.finish()
        }
        try object.finish()
        self.init(uuid: uuid, characteristics: characteristics)
    }
}
