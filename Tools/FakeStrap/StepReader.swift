import Interchange

/// Reads the steps of a scenario file.
struct StepReader {
    /// What the scenario calls its straps.
    let ids: [String]

    /// Reads a list of steps.
    ///
    /// - Parameters:
    ///   - object: Holds the list.
    ///   - name: The list's key.
    ///   - strap: The strap that is meant if a step names none; nil if there is none at all.
    /// - Returns: The steps.
    /// - Throws: ``ScenarioError`` naming the place that is wrong.
    func steps(
        of object: inout ScenarioObject, _ name: String, strap: Int?
    ) throws(ScenarioError) -> [Scenario.Step] {
        var steps: [Scenario.Step] = []
        for (value, place) in try object.elements(name) {
            var step = try ScenarioObject(value, place)
            steps += try read(&step, strap: strap)
            try step.finish()
        }
        return steps
    }

    private func read(
        _ step: inout ScenarioObject, strap given: Int?
    ) throws(ScenarioError) -> [Scenario.Step] {
        var strap = given
        if let id = try step.text("device") {
            guard let index = ids.firstIndex(of: id) else {
                throw step.wrong("device", "the id of a device")
            }
            strap = index
        }
        if let steps = try general(&step, strap: strap) { return steps }
        guard let strap else { throw ScenarioError("\(step.place) needs a device.") }
        guard let steps = try ofStrap(&step, strap) else {
            throw ScenarioError("\(step.place) is no step that is known.")
        }
        return steps
    }

    /// Steps that need no strap.
    private func general(
        _ step: inout ScenarioObject, strap: Int?
    ) throws(ScenarioError) -> [Scenario.Step]? {
        if let time = try step.milliseconds("sleep") { return [.pause(milliseconds: time)] }
        if try step.text("log") != nil { return [] }
        if let power = try step.flag("power") { return [.act(.power(power))] }
        switch try step.text("adapter") {
        case "plug": return [.act(.plug(true))]
        case "unplug": return [.act(.plug(false))]
        case nil: break
        default: throw step.wrong("adapter", "plug or unplug")
        }
        switch try step.text("daemon") {
        case "start": return [.act(.daemon(isRunning: true))]
        case "kill": return [.act(.daemon(isRunning: false))]
        case nil: break
        default: throw step.wrong("daemon", "start or kill")
        }
        if let member = try step.text("refuse") {
            let name = try step.text("error") ?? "org.bluez.Error.Failed"
            let message = try step.text("message") ?? ""
            let refusal = Scenario.Refusal(member: member, name: name, message: message)
            return [.act(.refuse(refusal))]
        }
        guard let count = try step.integer("repeat", as: Int.self) else { return nil }
        guard (0...10_000).contains(count) else { throw step.wrong("repeat", "0 to 10000") }
        let every = try step.milliseconds("every")
        let once = try steps(of: &step, "steps", strap: strap)
        let pause = every.map { [Scenario.Step.pause(milliseconds: $0)] } ?? []
        return (0..<count).flatMap { _ in once + pause }
    }

    /// Steps of one strap.
    private func ofStrap(
        _ step: inout ScenarioObject, _ strap: Int
    ) throws(ScenarioError) -> [Scenario.Step]? {
        if step.has("wait") { return [try wait(&step, strap)] }
        if let characteristic = try step.uuid("set") {
            guard let value = try step.bytes("hex") else {
                throw step.wrong("hex", "the bytes of the value")
            }
            let isNotified = try step.flag("notify") ?? false
            let action =
                isNotified
                ? Scenario.Action.notify(strap: strap, characteristic, value)
                : .setValue(strap: strap, characteristic, value)
            return [.act(action)]
        }
        if let characteristic = try step.uuid("notify") {
            guard let values = try step.listOfBytes("hex") else {
                throw step.wrong("hex", "the bytes of the value")
            }
            let every = try step.milliseconds("every") ?? 0
            return values.flatMap { value in
                [
                    Scenario.Step.act(.notify(strap: strap, characteristic, value)),
                    .pause(milliseconds: every),
                ]
            }
        }
        if step.has("stream") { return try ValueStream(reading: &step).steps(of: strap) }
        if let isAdvertising = try step.flag("advertise") {
            return [.act(.advertise(strap: strap, isAdvertising))]
        }
        if step.has("rssi") {
            return [.act(.setRSSI(strap: strap, try step.integer("rssi")))]
        }
        if var faults = try step.object("faults") {
            return [.act(.setFaults(strap: strap, try Strap.Faults(reading: &faults)))]
        }
        // How it vanishes makes no difference on the bus; it is read for the sake of the file.
        guard try step.text("drop") != nil else { return nil }
        let drop = Scenario.Step.act(.drop(strap: strap))
        guard let time = try step.milliseconds("for") else { return [drop] }
        return [drop, .pause(milliseconds: time), .act(.advertise(strap: strap, true))]
    }

    private func wait(
        _ step: inout ScenarioObject, _ strap: Int
    ) throws(ScenarioError) -> Scenario.Step {
        let what = try step.text("wait")
        let characteristic = try step.uuid("char")
        let limit = try step.milliseconds("timeout")
        let condition: Scenario.Condition
        switch what {
        case "subscribed": condition = .subscribed(strap: strap, characteristic)
        case "unsubscribed": condition = .unsubscribed(strap: strap)
        case "connected": condition = .connected(strap: strap)
        case "disconnected": condition = .disconnected(strap: strap)
        default:
            throw step.wrong("wait", "subscribed, unsubscribed, connected or disconnected")
        }
        return .wait(condition, limitMilliseconds: limit)
    }
}
