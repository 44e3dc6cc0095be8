public import Events
internal import Interchange
public import JSON
internal import Text

/// What is known of the walker, for people and for scripts.
public struct ProfileText: Answer, JSONObject {
    private let profile: Profile

    /// Tells a profile.
    public init(_ profile: Profile) {
        self.profile = profile
    }

    /// Writes the fields into an object that is open.
    public func writeFields(to line: inout JSONWriter) {
        line.field("heightMillimetres", profile.heightMillimetres)
        line.field("weightGrams", profile.weightGrams)
        line.field("dailyGoalSteps", profile.dailyGoalSteps)
        line.field("maximumHeartRateBPM", profile.maximumHeartRateBPM)
        line.field("restingHeartRateBPM", profile.restingHeartRateBPM)
        line.field("zones", profile.zones.name)
        line.field("zoneLimits", profile.zoneLimits)
        line.field("stepsPerCadenceCount", profile.stepsPerCadenceCount)
    }

    /// A line for each value.
    public var text: String {
        func shown(_ value: UInt64?, _ unit: String) -> String {
            value.map { "\(grouped($0)) \(unit)" } ?? "not set"
        }
        let zones =
            profile.zones == .standard
            ? "standard (100, 140, 180 BPM)"
            : "\(profile.zones.name) "
                + profile.zoneLimits.map(String.init).joined(separator: ", ")
        let steps = counted(UInt64(profile.stepsPerCadenceCount), "step")
        return """
            Height        \(shown(profile.heightMillimetres, "mm"))
            Weight        \(shown(profile.weightGrams, "g"))
            Daily goal    \(shown(profile.dailyGoalSteps, "steps"))
            Maximum       \(shown(profile.maximumHeartRateBPM, "BPM"))
            Resting       \(shown(profile.restingHeartRateBPM, "BPM"))
            Zones         \(zones)
            Foot pod      \(steps) for each cadence count

            """
    }
}
