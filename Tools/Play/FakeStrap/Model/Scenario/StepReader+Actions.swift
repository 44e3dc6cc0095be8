import BluetoothCentral

/// Steps that do one thing.
extension StepReader {
    /// What happens to the adapter, and to bluetoothd.
    func machine(_ step: inout ScenarioObject) throws(ScenarioError) -> Scenario.Action? {
        if let power = try step.flag("power") { return .power(power, adapter: try adapter(&step)) }
        if let isPlugged = try step.word("adapter", ["plug": true, "unplug": false]) {
            return .plug(isPlugged, adapter: try adapter(&step))
        }
        let lives: KeyValuePairs<String, Scenario.Action> = [
            "start": .daemon(isRunning: true), "stop": .stopDaemon,
            "kill": .daemon(isRunning: false),
        ]
        if let life = try step.word("daemon", lives) { return life }
        if let member = try step.text("garble") { return .reply(.nonsense, to: member) }
        if let member = try step.text("ignore") { return .reply(.silence, to: member) }
        guard let member = try step.text("refuse") else { return nil }
        let name = try step.text("error") ?? "org.bluez.Error.Failed"
        return .reply(.refusal(name: name, message: try step.text("message") ?? ""), to: member)
    }

    /// The number of the adapter that a step means: the first one, if it names none.
    private func adapter(_ step: inout ScenarioObject) throws(ScenarioError) -> Int {
        let number = try step.integer("hci", as: Int.self) ?? 0
        guard (0..<adapterCount).contains(number) else {
            throw step.wrong("hci", "the number of an adapter, 0 to \(adapterCount - 1)")
        }
        return number
    }

    /// What changes in a strap.
    func change(
        _ step: inout ScenarioObject, _ strap: Int
    ) throws(ScenarioError) -> Scenario.Action? {
        if let isAdvertising = try step.flag("advertise") {
            return .advertise(strap: strap, isAdvertising)
        }
        if step.has("rssi") { return .setRSSI(strap: strap, try step.integer("rssi")) }
        if step.has("name") { return .setName(strap: strap, try step.deviceName("name")) }
        if let isMute = try step.flag("mute") { return .mute(strap: strap, isMute) }
        if var errors = try step.object("errors") {
            return .setErrors(strap: strap, try AttributeErrors(reading: &errors))
        }
        if let count = try step.integer("fail_connects", as: Int.self) {
            guard (0...1_000).contains(count) else {
                throw step.wrong("fail_connects", "0 to 1000")
            }
            return .breakLinks(strap: strap, count: count)
        }
        if var faults = try step.object("faults") {
            return .setFaults(strap: strap, try Strap.Faults(reading: &faults))
        }
        if step.has("spoof") { return .spoof(strap: strap, try step.spoof()) }
        guard let name = try step.text("malformed") else { return nil }
        guard let malformation = Malformation(rawValue: name) else {
            let names = Malformation.allCases.map(\.rawValue).joined(separator: ", ")
            throw step.wrong("malformed", "one of \(names)")
        }
        let size = try step.integer("size") ?? 65_536
        guard (0...Malformation.mostBytes).contains(size) else {
            throw step.wrong("size", "0 to \(Malformation.mostBytes) bytes")
        }
        let characteristic = try step.uuid("char") ?? .heartRateMeasurement
        return .malform(strap: strap, characteristic, malformation, sizeBytes: size)
    }

    /// The strap goes, and may come back.
    func journey(
        _ step: inout ScenarioObject, _ strap: Int
    ) throws(ScenarioError) -> [Scenario.Step]? {
        let reasons: KeyValuePairs<String, LossReason> = [
            "out-of-range": .timeout, "power-cycle": .timeout, "terminate": .remote,
        ]
        guard let reason = try step.word("drop", reasons) else { return nil }
        let drop = Scenario.Step.act(.drop(strap: strap, reason))
        guard let time = try step.milliseconds("for") else { return [drop] }
        return [drop, .pause(milliseconds: time), .act(.advertise(strap: strap, true))]
    }
}

// MARK: - Values

extension StepReader {
    /// Steps that make a strap send values.
    func values(
        _ step: inout ScenarioObject, _ strap: Int
    ) throws(ScenarioError) -> [Scenario.Step]? {
        if step.has("hr") {
            let value = try step.heartRate()
            return [.act(.notify(strap: strap, .heartRateMeasurement, value))]
        }
        if var rsc = try step.object("rsc") {
            let value = try rsc.running()
            return [.act(.notify(strap: strap, .runningSpeedCadenceMeasurement, value))]
        }
        if step.has("stream") { return try ValueStream(reading: &step).steps(of: strap) }
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
        guard let characteristic = try step.uuid("notify") else { return nil }
        guard let values = try step.listOfBytes("hex") else {
            throw step.wrong("hex", "the bytes of the value")
        }
        // bluetoothd passes on what it subscribed to, and both kinds alike.
        _ = (try step.flag("force"), try step.flag("indicate"))
        let every = try step.milliseconds("every") ?? 0
        return values.flatMap { value in
            [
                Scenario.Step.act(.notify(strap: strap, characteristic, value)),
                .pause(milliseconds: every),
            ]
        }
    }
}

extension ScenarioObject {
    /// Reads a name that a device may have; none for no text and for an empty one.
    mutating func deviceName(_ name: String) throws(ScenarioError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        // Bluetooth Core 5.4, Vol 4, Part E, 7.3.11; a NUL ends it, and cannot travel over D-Bus.
        guard text.utf8.count <= 248, !text.utf8.contains(0) else {
            throw wrong(name, "at most 248 bytes, without NUL")
        }
        return text
    }

    fileprivate mutating func spoof() throws(ScenarioError) -> Scenario.Spoof {
        let isDirect = try flag("direct") ?? false
        if try text("spoof") == "drop" { return Scenario.Spoof(claim: .drop, isDirect: isDirect) }
        guard let uuid = try uuid("spoof") else { throw wrong("spoof", "a UUID, or drop") }
        let claim = Scenario.Spoof.Claim.value(uuid, try bytes("hex") ?? [])
        return Scenario.Spoof(claim: claim, isDirect: isDirect)
    }

    fileprivate mutating func heartRate() throws(ScenarioError) -> [UInt8] {
        guard let bpm: UInt16 = try integer("hr") else { throw wrong("hr", "0 to 65535") }
        _ = try flag("force")
        return MeasurementValue.heartRate(
            bpm: bpm, rrMilliseconds: try numbers("rr"), hasContact: try flag("contact"),
            energyKilojoules: try integer("energy"), isWide: try flag("wide"))
    }

    fileprivate mutating func running() throws(ScenarioError) -> [UInt8] {
        guard let speed = try number("speed") else { throw wrong("speed", "metres per second") }
        guard let cadence = try number("cadence") else {
            throw wrong("cadence", "steps per minute")
        }
        let value = MeasurementValue.running(
            speed: speed, cadence: cadence, stride: try number("stride"),
            distance: try number("distance"), isRunning: try flag("running") ?? true)
        try finish()
        return value
    }
}
