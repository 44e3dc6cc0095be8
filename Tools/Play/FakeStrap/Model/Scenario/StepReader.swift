import JSON

/// Reads the steps of a scenario file.
struct StepReader {
    /// What the scenario calls its straps.
    let ids: [String]
    /// How many adapters there are.
    let adapterCount: Int

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
        try steps(try object.elements(name), strap: strap)
    }

    private func steps(
        _ elements: [(JSONValue, String)], strap: Int?
    ) throws(ScenarioError) -> [Scenario.Step] {
        var steps: [Scenario.Step] = []
        for (value, place) in elements {
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
        let time = try step.milliseconds("at").map { [Scenario.Step.until(milliseconds: $0)] }
        if let time, step.isRead { return time }
        if let steps = try order(&step, strap: strap) { return (time ?? []) + steps }
        if let action = try machine(&step) { return (time ?? []) + [.act(action)] }
        guard let strap else { throw ScenarioError("\(step.place) needs a device.") }
        if let action = try change(&step, strap) { return (time ?? []) + [.act(action)] }
        if let steps = try values(&step, strap) { return (time ?? []) + steps }
        if let steps = try journey(&step, strap) { return (time ?? []) + steps }
        throw ScenarioError("\(step.place) is not a known step.")
    }
}

// MARK: - Order and time

extension StepReader {
    /// Steps that say when others come.
    private func order(
        _ step: inout ScenarioObject, strap: Int?
    ) throws(ScenarioError) -> [Scenario.Step]? {
        if let time = try step.milliseconds("sleep") { return [.pause(milliseconds: time)] }
        if try step.flag("mark") != nil { return [.mark] }
        if try step.text("log") != nil { return [] }
        if step.has("wait") { return [try wait(&step, strap)] }
        if step.has("parallel") {
            var branches: [[Scenario.Step]] = []
            for (branch, place) in try step.elements("parallel") {
                let elements = try ScenarioObject.elements(of: branch, place)
                branches.append(try steps(elements, strap: strap))
            }
            return [.parallel(branches)]
        }
        guard let count = try step.integer("repeat", as: Int.self) else { return nil }
        guard (0...10_000).contains(count) else { throw step.wrong("repeat", "0 to 10000") }
        let every = try step.milliseconds("every")
        var once = try steps(of: &step, "steps", strap: strap)
        if let every {
            let length = once.reduce(0) { $0 + $1.pauseMilliseconds }
            once.append(.pause(milliseconds: every - min(every, length)))
        }
        guard count * once.count <= StepReader.mostSteps else {
            throw step.wrong("repeat", "at most \(StepReader.mostSteps) steps in all")
        }
        return (0..<count).flatMap { _ in once }
    }

    /// The most steps that a repetition or a stream may become.
    static let mostSteps = 1_000_000

    private func wait(
        _ step: inout ScenarioObject, _ strap: Int?
    ) throws(ScenarioError) -> Scenario.Step {
        guard let strap else { throw ScenarioError("\(step.place) needs a device.") }
        let conditions: KeyValuePairs<String, Scenario.Condition> = [
            "subscribed": .subscribed(strap: strap, try step.uuid("char")),
            "unsubscribed": .unsubscribed(strap: strap), "connected": .connected(strap: strap),
            "disconnected": .disconnected(strap: strap),
        ]
        let limit = try step.milliseconds("timeout")
        guard let condition = try step.word("wait", conditions) else {
            throw step.wrong("wait", "what is waited for")
        }
        return .wait(condition, limitMilliseconds: limit)
    }
}

extension Scenario.Step {
    /// How much time of the part's clock the step takes for certain.
    fileprivate var pauseMilliseconds: UInt64 {
        if case .pause(let milliseconds) = self { milliseconds } else { 0 }
    }
}
