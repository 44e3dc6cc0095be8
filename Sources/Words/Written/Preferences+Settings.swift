package import Events
internal import Text

extension Preferences {
    /// Changes one value, as `distances=miles` or `alert-above=150`.
    ///
    /// - Returns: Whether it is one of these values.
    /// - Throws: ``CommandFailure`` with what would be right.
    package mutating func set(_ setting: String) throws(CommandFailure) -> Bool {
        guard let (key, value) = keyAndValue(in: setting) else { return false }
        switch key {
        case "distances":
            let units = ["km": LengthUnit.kilometres, "miles": .miles]
            lengthUnit = OpenCode(try Self.choice(value, units, "distances=km or distances=miles"))
        case "weights":
            let units = ["kg": MassUnit.kilograms, "pounds": .pounds]
            massUnit = OpenCode(try Self.choice(value, units, "weights=kg or weights=pounds"))
        case "alert-above": alertAboveBPM = try Self.alert(value, "alert-above=150")
        case "alert-below": alertBelowBPM = try Self.alert(value, "alert-below=100")
        case "auto-lap": autoLapMillimetres = try Self.lap(value)
        case "auto-pause":
            let states = ["on": true, "off": false]
            autoPause = try Self.choice(value, states, "auto-pause=on or auto-pause=off")
        default: return false
        }
        return true
    }

    /// Refuses alerts that leave no heart rate between them.
    ///
    /// - Throws: ``CommandFailure`` with what is wrong.
    package func refuseAlertsWithoutRoom() throws(CommandFailure) {
        guard let above = alertAboveBPM, let below = alertBelowBPM, above <= below else { return }
        throw CommandFailure(
            .usage,
            "You would be told all the time: above \(above) and below \(below) BPM leave nothing "
                + "between them.")
    }

    private static func choice<Value>(
        _ text: String, _ choices: [String: Value], _ right: String
    ) throws(CommandFailure) -> Value {
        guard let value = choices[text] else {
            throw CommandFailure(.usage, "\(printable(text)) cannot be read.", write: right)
        }
        return value
    }

    private static func alert(
        _ text: String, _ example: String
    ) throws(CommandFailure) -> UInt64? {
        try wholeNumber(text, "a heart rate", alertsBPM, " BPM", write: example)
    }

    private static func lap(_ text: String) throws(CommandFailure) -> UInt64? {
        let told = Units(isInMiles: text.contains("mile")).shortDistance
        return try Profile.quantity(
            text, Units.distances, autoLaps, "auto-lap=1km", told)
    }
}
