package import Events
package import JSON
package import Projections
internal import Text

/// What is known of the walker, for people and for scripts.
package struct ProfileText: Answer, JSONObject {
    private let profile: Profile
    private let walker: Walker
    private let preferences: Preferences
    private let year: Int64?

    /// Tells a profile.
    ///
    /// - Parameters:
    ///   - profile: The profile.
    ///   - walker: What is known besides.
    ///   - preferences: What the walker wants.
    ///   - year: The present year, for what follows from the age; nil to leave that out.
    package init(
        _ profile: Profile, _ walker: Walker = Walker(), _ preferences: Preferences = Preferences(),
        in year: Int64? = nil
    ) {
        (self.profile, self.walker, self.preferences, self.year) = (
            profile, walker, preferences, year
        )
    }

    /// Tells the profile that a log has come to.
    package init(_ state: LogState, in year: Int64? = nil) {
        let known = state.own.recorder
        self.init(known.profile, known.walker, known.preferences, in: year)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("heightMillimetres", profile.heightMillimetres)
        line.field("weightGrams", profile.weightGrams)
        line.field("dailyGoalSteps", profile.dailyGoalSteps)
        line.field("maximumHeartRateBPM", profile.maximumHeartRateBPM)
        line.field("restingHeartRateBPM", profile.restingHeartRateBPM)
        line.field("zones", profile.zones.name)
        line.field("zoneLimits", profile.zoneLimits)
        line.field(
            "zoneStarts", Zones(of: profile).starts.dropFirst().map { "\(Hundredths(value: $0))" })
        line.field("expectedMaximumBPM", year.flatMap(walker.expectedMaximumBPM))
        line.field("stepsPerCadenceCount", profile.stepsPerCadenceCount)
        line.field("birthYear", walker.birthYear)
        line.field("sex", walker.sex?.name)
        line.field("lengthUnit", preferences.lengthUnit.name)
        line.field("massUnit", preferences.massUnit.name)
        line.field("alertAboveBPM", preferences.alertAboveBPM)
        line.field("alertBelowBPM", preferences.alertBelowBPM)
        line.field("autoLapMillimetres", preferences.autoLapMillimetres)
        line.field("autoPause", preferences.autoPause)
    }

    /// A line for each value.
    package var text: String {
        (lines(in: Units(preferences)) + [offer]).joined(separator: "\n")
    }

    /// The lines of the values that are others than before, and what those were.
    package func changes(since before: ProfileText?) -> String {
        let units = Units(preferences)
        let changed = zip(before?.lines(in: units) ?? [], lines(in: units)).filter { $0 != $1 }
        let told = changed.map { $0.hasSuffix("not set") ? $1 : "\($0) → \($1.dropFirst(14))" }
            .map { labelled(String($0.prefix(14)), to: 14, indent: 0, String($0.dropFirst(14))) }
        return told.isEmpty ? "Nothing has changed." : String(told.joined().dropLast())
    }

    private func lines(in units: Units) -> [String] {
        func shown(_ value: UInt64?, _ unit: String) -> String {
            value.map { "\(grouped($0)) \(unit)" } ?? "not set"
        }
        let height = profile.heightMillimetres.map(units.stature)
        let weight = profile.weightGrams.map(units.weight)
        let lap = preferences.autoLapMillimetres.map { "every \(units.distance($0))" }
        let steps = counted(UInt64(profile.stepsPerCadenceCount), "step")
        return """
            Height        \(height ?? "not set")
            Weight        \(weight ?? "not set")
            Daily goal    \(shown(profile.dailyGoalSteps, "steps"))
            Maximum       \(shown(profile.maximumHeartRateBPM, "BPM"))
            Resting       \(shown(profile.restingHeartRateBPM, "BPM"))
            Zones         \(zones)
            Foot pod      \(steps) for each cadence count
            Birth year    \(walker.birthYear.map { "\($0)" } ?? "not set")
            Sex           \(walker.sex?.name ?? "not set")
            Units         \(Units(preferences).distanceName), \(Units(preferences).weightName)
            Alert above   \(shown(preferences.alertAboveBPM, "BPM"))
            Alert below   \(shown(preferences.alertBelowBPM, "BPM"))
            Laps          \(lap ?? "by hand")
            Pauses        \(preferences.autoPause ? "by hand, and automatic" : "by hand")
            """.split(separator: "\n").map(String.init)
    }

    /// What the age says of a maximum that is not set.
    private var offer: String {
        guard profile.maximumHeartRateBPM == nil, let year,
            let maximum = walker.expectedMaximumBPM(in: year)
        else { return "" }
        let sentence =
            "At your age the maximum is about \(maximum) BPM (Tanaka 2001), off by 10 or more for "
            + "one in three. If nothing better is known: pulselog profile set max-hr=\(maximum)"
        return "\n" + wrapped(sentence, to: 80).joined(separator: "\n") + "\n"
    }

    /// The zones as they were set, and where they begin.
    var zones: String {
        let bounds = Zones(of: profile).starts.dropFirst()
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
