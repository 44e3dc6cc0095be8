public import Events
internal import Interchange
public import JSON
internal import Projections
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
        let height = profile.heightMillimetres.map { "\(decimal(hundredths: $0 * 10)) cm" }
        let weight = profile.weightGrams.map { "\(decimal(hundredths: ($0 + 5) / 10)) kg" }
        let steps = counted(UInt64(profile.stepsPerCadenceCount), "step")
        return """
            Height        \(height ?? "not set")
            Weight        \(weight ?? "not set")
            Daily goal    \(shown(profile.dailyGoalSteps, "steps"))
            Maximum       \(shown(profile.maximumHeartRateBPM, "BPM"))
            Resting       \(shown(profile.restingHeartRateBPM, "BPM"))
            Zones         \(zones)
            Foot pod      \(steps) for each cadence count

            """
    }
    /// The zones as they were set, and where they begin.
    private var zones: String {
        let zones = Zones(of: profile)
        let bounds = [
            zones.moderateFromHundredths, zones.vigorousFromHundredths,
            zones.maximumFromHundredths,
        ]
        let beats = bounds.map { decimal(hundredths: $0) }.joined(separator: ", ") + " BPM"
        let shares = profile.zoneLimits.map { "\($0) %" }.joined(separator: ", ")
        switch profile.zones {
        case .standard: return "standard (\(beats))"
        case .limits: return beats
        case .percentOfMaximum: return "\(shares) of the maximum (\(beats))"
        case .heartRateReserve: return "\(shares) of the reserve (\(beats))"
        }
    }
}
