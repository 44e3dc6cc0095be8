import Events
import Interchange

extension Scenario {
    /// Reads a scenario file; what stands in it: <doc:ScenarioFormat>.
    ///
    /// - Parameter json: The bytes of the file.
    /// - Throws: `JSONError` if it is no JSON; ``ScenarioError`` naming the place that is wrong.
    init(json: [UInt8]) throws {
        var file = try ScenarioObject(try JSONParser.parse(json), "the scenario")
        _ = try file.text("about")
        let devices = try file.elements("devices")
        var objects: [ScenarioObject] = []
        var straps: [Strap] = []
        for (value, place) in devices {
            var object = try ScenarioObject(value, place)
            straps.append(try Strap(reading: &object))
            objects.append(object)
        }
        guard Set(straps.map(\.id)).count == straps.count,
            Set(straps.map(\.address)).count == straps.count
        else { throw ScenarioError("Two devices of the scenario have the same id or address.") }
        let reader = StepReader(ids: straps.map(\.id))
        var parts: [[Step]] = []
        for index in objects.indices {
            parts.append(try reader.steps(of: &objects[index], "play", strap: index))
            try objects[index].finish()
        }
        parts.append(try reader.steps(of: &file, "play", strap: straps.isEmpty ? nil : 0))
        try file.finish()
        self.init(straps: straps, parts: parts.filter { !$0.isEmpty })
    }
}

extension Strap {
    /// Reads all of a device but its play.
    fileprivate init(reading object: inout ScenarioObject) throws(ScenarioError) {
        let id = try object.text("id") ?? object.place
        guard let device = try object.text("address").flatMap({ DeviceID($0) }) else {
            throw object.wrong("address", "an address such as C4:00:00:00:00:01")
        }
        let address = device.description
        var services: [GattService] = []
        for (value, place) in try object.elements("services") {
            services.append(try GattService(value, place))
        }
        if !object.has("services"), let heart = GattService.named("hr") { services = [heart] }
        self.init(id: id, name: try object.text("name"), address: address, services: services)
        addressType = try object.text("address_type") ?? addressType
        guard ["random", "public"].contains(addressType) else {
            throw object.wrong("address_type", "random or public")
        }
        if object.has("rssi") { rssi = try object.integer("rssi") }
        isAdvertising = try object.flag("advertise") ?? isAdvertising
        if let level: UInt8 = try object.integer("battery") { setValue([level], of: .batteryLevel) }
        if let location: UInt8 = try object.integer("location") {
            setValue([location], of: .bodySensorLocation)
        }
        if let name = try object.text("manufacturer") {
            setValue(Array(name.utf8), of: .manufacturerName)
        }
        if var faults = try object.object("faults") { self.faults = try Faults(reading: &faults) }
    }
}

extension Strap.Faults {
    /// Reads faults; what is not named is as it should be.
    init(reading object: inout ScenarioObject) throws(ScenarioError) {
        isDeaf = try object.flag("deaf") ?? isDeaf
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
                throw ScenarioError("\(place) is none of \(names).")
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
            let properties = try object.text("properties") ?? "READ"
            let flags = properties.lowercased().split(separator: "|").map(String.init)
            let value = try object.bytes("hex") ?? []
            characteristics.append(GattCharacteristic(uuid: uuid, flags: flags, value: value))
            try object.finish()
        }
        try object.finish()
        self.init(uuid: uuid, characteristics: characteristics)
    }
}
