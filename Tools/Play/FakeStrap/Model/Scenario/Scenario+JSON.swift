import Events
import JSON

extension Scenario {
    /// Reads a scenario file; what stands in it: <doc:ScenarioFormat>.
    ///
    /// - Parameter json: The bytes of the file.
    /// - Throws: `JSONError` if it is no JSON; ``ScenarioError`` naming the place that is wrong.
    package init(json: [UInt8]) throws {
        var file = try ScenarioObject(try JSONParser.parse(json), "the scenario")
        _ = try file.text("about")
        file.pass(over: "seed", "loss", "end")
        let adapters = try Controller.all(reading: &file)
        let tellsReasons = try file.flag("reasons") ?? false
        var limits = Limits()
        if var object = try file.object("limits") { limits = try Limits(reading: &object) }
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
        let reader = StepReader(ids: straps.map(\.id), adapterCount: adapters.count)
        var parts: [[Step]] = []
        for index in objects.indices {
            parts.append(try reader.steps(of: &objects[index], "play", strap: index))
            try objects[index].finish()
        }
        parts.append(try reader.steps(of: &file, "play", strap: straps.isEmpty ? nil : 0))
        try file.finish()
        self.init(
            straps: straps, parts: parts.filter { !$0.isEmpty }, adapters: adapters,
            limits: limits, tellsReasons: tellsReasons)
    }
}

extension Controller {
    /// Reads the adapters of a scenario: one, a list of them, or the usual one.
    fileprivate static func all(
        reading file: inout ScenarioObject
    ) throws(ScenarioError) -> [Controller] {
        guard file.has("adapters") else {
            guard var object = try file.object("adapter") else { return [Controller()] }
            return [try Controller(reading: &object, index: 0)]
        }
        var controllers: [Controller] = []
        for (value, place) in try file.elements("adapters") {
            var object = try ScenarioObject(value, place)
            controllers.append(try Controller(reading: &object, index: controllers.count))
        }
        guard controllers.count <= 16, Set(controllers.map(\.address)).count == controllers.count
        else { throw file.wrong("adapters", "at most 16, each with its own address") }
        return controllers
    }

    private init(reading object: inout ScenarioObject, index: Int) throws(ScenarioError) {
        self.init(index: index)
        if let text = try object.text("address") {
            guard let device = DeviceID(text) else {
                throw object.wrong("address", "an address such as 00:AA:01:00:00:42")
            }
            address = device.description
        }
        isPowered = try object.flag("powered") ?? isPowered
        isPlugged = try object.flag("plugged") ?? isPlugged
        if object.has("roles") { roles = try object.texts("roles") }
        object.pass(over: "version", "duplicates")
        try object.finish()
    }
}

extension Scenario.Limits {
    fileprivate init(reading object: inout ScenarioObject) throws(ScenarioError) {
        connect = try object.milliseconds("connect")
        forget = try object.milliseconds("forget")
        answer = try object.milliseconds("answer")
        pairing = try object.milliseconds("pairing")
        try object.finish()
    }
}
