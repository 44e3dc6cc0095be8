internal import Events
package import JSON
package import Projections
internal import Text

/// What is known of the walker and what they want, as a page lays it out.
///
/// A page changes it by the settings of `profile set`, whose names each field has.
package struct ProfileView: JSONObject {
    private let profile: Profile
    private let walker: Walker
    private let preferences: Preferences
    private let units: Units
    private let stridePermille: UInt64
    private let walks: [SessionReport]
    private let calendar: Calendar
    private let mornings: Trends
    private let now: LocalTime

    /// Shows the profile of a walker.
    ///
    /// - Parameters:
    ///   - state: What is known.
    ///   - outlines: Those of its walks.
    ///   - moment: Now.
    package init(_ state: LogState, _ outlines: WalkOutlines, at moment: Moment) {
        let known = state.own.recorder
        (profile, walker, preferences) = (known.profile, known.walker, known.preferences)
        units = state.units
        stridePermille = state.rules.stridePermille
        walks = state.sessionReports(at: moment).filter { $0.isSummed && $0.state == .ended }
            .sorted { $0.startedAtMilliseconds < $1.startedAtMilliseconds }
        now = state.localTime(at: moment)
        calendar = state.calendar(today: now.date)
        mornings = Trends(.resting, state.sessionReports(at: moment), outlines, calendar)
    }

    private var year: Int64 { now.date.components.year }

    /// Writes the view as an object.
    package func writeFields(to json: inout JSONWriter) {
        json.field(
            "lead",
            "Everything here is optional and stays on this machine. Each field is saved when you "
                + "leave it and counts from then on; earlier walks keep what was true then.")
        json.field("saved", "Saved at \(now.clock)")
        json.field(
            "unsaved", (1...20 as ClosedRange<UInt64>).map { "\(counted($0, "value")) not saved" })
        json.object("goal") { writeGoal(to: &$0) }
        let cards: [(key: String, title: String, seen: String, fields: [ProfileField])] = [
            ("you", "You", "", you), ("units", "Units", seen, inUnits),
            ("heart", "Heart rate", "", heart), ("walk", "During a walk", "", duringWalk),
        ]
        json.list("cards", cards) { json, card in
            json.field("key", card.key)
            json.field("title", card.title)
            json.field("seen", card.seen)
            json.field("fields", card.fields)
        }
        json.object("zones") { writeZones(to: &$0) }
    }

    private func writeGoal(to json: inout JSONWriter) {
        let (goal, step) = (profile.dailyGoalSteps, 500 as UInt64)
        ProfileField(
            key: "daily-goal", label: "Daily goal",
            note: goal == nil ? "No daily goal is set." : reached,
            value: goal.map { "\(grouped($0)) steps" }, units: ["steps"]
        ).writeFields(to: &json)
        json.field("less", goal.flatMap { $0 > step ? ($0 - 1) / step * step : nil })
        json.field("more", goal.map { min(($0 / step + 1) * step, 1_000_000) } ?? 8_000)
        json.field("lessWords", "\(step) less")
        json.field("moreWords", goal == nil ? "8,000 steps" : "\(step) more")
    }

    /// The days of this year so far.
    private var thisYear: ClosedRange<CivilDate> {
        min(CivilDate(year: year, month: 1, day: 1) ?? now.date, now.date)...now.date
    }

    /// The resting heart rate of this year's mornings.
    private var rested: String? {
        let sums = mornings.sums(thisYear)
        return mornings.mean(of: sums).map { mean in
            " Yours was \(whole(hundredths: mean)) over \(counted(sums.days, "morning")) this year."
        }
    }

    private var reached: String {
        let span = calendar.span(thisYear)
        guard let reached = span.reached, span.days > 0 else { return "" }
        return "Reached on \(reached) of \(counted(span.days, "day")) this year."
    }

    // MARK: - Cards

    private var you: [ProfileField] {
        let stride = profile.heightMillimetres.map {
            ", \(units.stride(min($0, 1 << 32) * stridePermille / 1_000)),"
        }
        return [
            ProfileField(
                key: "height", label: "Height",
                note: "Gives the stride\(stride ?? "") where no pedometer reports a distance.",
                value: profile.heightMillimetres.map(units.stature),
                units: units.isInMiles ? ["ft", "in"] : ["cm"]),
            ProfileField(
                key: "weight", label: "Weight",
                note: "Used for the energy. Without it, \(units.weight(70_000)) is assumed, and "
                    + "the walk says so.",
                value: profile.weightGrams.map(units.weight),
                units: [units.isInPounds ? "lb" : "kg"]),
            ProfileField(
                key: "born", label: "Birth year",
                note: "Used to suggest a maximum rate, and for energy from the heart rate.",
                value: walker.birthYear.map { "\($0)" }, units: [""]),
            ProfileField(
                key: "sex", label: "Sex",
                note: "One formula asks for it: energy from the heart rate (Keytel 2005) is "
                    + "different for women and men. If not set, that figure is left out, and "
                    + "nothing else changes.",
                choices: [("none", "Not set"), ("female", "Female"), ("male", "Male")],
                chosen: walker.sex?.name ?? "none"),
        ]
    }

    private var inUnits: [ProfileField] {
        [
            ProfileField(
                key: "distances", label: "Distance and height",
                choices: [("km", "km, cm"), ("miles", "miles, ft")], chosen: units.distanceName),
            ProfileField(
                key: "weights", label: "Weight", choices: [("kg", "kg"), ("pounds", "pounds")],
                chosen: units.isInPounds ? "pounds" : "kg"),
        ]
    }

    /// The last walk that has a distance, in these units.
    private var seen: String {
        let stored = "Only the display changes: what is stored stays in millimetres and grams."
        guard let walk = walks.last(where: { $0.knownDistanceMillimetres != nil }) else {
            return stored
        }
        let climb = walk.route.ascentMillimetres
        let figures = [
            walk.knownDistanceMillimetres.map(units.distance),
            units.pace(walk.knownDistanceMillimetres, walk.activeMilliseconds),
            climb > 0 ? "climb \(units.climb(climb))" : nil,
        ]
        let told = figures.compactMap(\.self).joined(separator: ", ")
        return "Your last walk with a distance reads \(told). \(stored)"
    }

    private var heart: [ProfileField] {
        let best = walks.compactMap { walk in
            walk.heartRate.supportedMaximum.map { (bpm: $0.bpm, date: walk.date) }
        }.max { $0.bpm < $1.bpm }
        let highest = best.map {
            "The highest in your walks, supported: \($0.bpm) on \($0.date.dayAndMonth) "
                + "\($0.date.components.year)."
        }
        let isUnknown = profile.maximumHeartRateBPM == nil
        let expected = isUnknown ? walker.expectedMaximumBPM(in: year) : nil
        return [
            ProfileField(
                key: "resting-hr", label: "Resting",
                note: "For zones of the reserve." + (rested ?? ""),
                link: ("#/history/trends/resting/year", "See your mornings"),
                value: profile.restingHeartRateBPM.map { "\($0) BPM" }, units: ["BPM"]),
            ProfileField(
                key: "max-hr", label: "Maximum",
                note: highest ?? "Empty until it is measured, typed or taken from a suggestion.",
                value: profile.maximumHeartRateBPM.map { "\($0) BPM" }, units: ["BPM"],
                offer: expected.map { bpm in
                    (
                        "\(bpm)",
                        "A suggestion: \(bpm), by Tanaka’s formula, 208 − 0.7 × age. It is "
                            + "an average, and can be off by 10 BPM or more for you.",
                        "Use \(bpm)"
                    )
                }),
        ]
    }

    private var duringWalk: [ProfileField] {
        func alert(_ word: String, _ value: UInt64?, _ proposal: String) -> ProfileField {
            ProfileField(
                key: "alert-\(word)", label: "Alert \(word)",
                note: word == "below"
                    ? "" : "After ten seconds beyond it, and at most once a minute.",
                value: value.map { "\($0) BPM" }, units: ["BPM"], isOn: value != nil,
                proposal: proposal)
        }
        return [
            alert("above", preferences.alertAboveBPM, "150"),
            alert("below", preferences.alertBelowBPM, "100"),
            ProfileField(
                key: "auto-pause", label: "Automatic pauses",
                note: "When you stand still. Each of these pauses is marked.",
                isOn: preferences.autoPause),
            ProfileField(
                key: "auto-lap", label: "Automatic laps",
                value: preferences.autoLapMillimetres.map(units.shortDistance),
                units: [units.distanceName], isOn: preferences.autoLapMillimetres != nil,
                proposal: "1"),
            ProfileField(
                key: "steps-per-cadence", label: "A foot pod counts",
                note: "Some report strides; then each counts as two steps.",
                choices: [("1", "steps"), ("2", "strides")],
                chosen: "\(profile.stepsPerCadenceCount)"),
        ]
    }

    // MARK: - Zones

    /// What is written before and after three numbers, and what is proposed.
    private var schemes: [(ZoneScheme, name: String, before: String, after: String, [UInt64])] {
        let own = Zones(of: profile).starts.dropFirst().map { whole(hundredths: $0) }
        return [
            (.standard, "Standard", "standard", "", [100, 140, 180]),
            (.percentOfMaximum, "% of max.", "", "%", [60, 75, 90]),
            (.heartRateReserve, "Reserve", "reserve:", "", [50, 70, 85]),
            (.limits, "My own", "", "", own),
        ]
    }

    private func writeZones(to json: inout JSONWriter) {
        json.field("note", ProfileText(profile).zones)
        json.field(
            "missing",
            profile.knowsBounds(of: .heartRateReserve)
                ? "" : "Percent of maximum needs a maximum rate, reserve a resting one as well.")
        json.field("unordered", "Each limit must be above the one before.")
        json.list("kinds", schemes) { json, kind in
            let (scheme, isChosen) = (kind.0, profile.zones == kind.0)
            let isShare = scheme == .percentOfMaximum || scheme == .heartRateReserve
            let isSet = isChosen && profile.zoneLimits.count == 3
            let limits = isSet ? profile.zoneLimits : kind.4
            json.field("key", scheme.name)
            json.field("name", kind.name)
            json.field("isChosen", isChosen)
            json.field("isPossible", profile.knowsBounds(of: scheme))
            json.field("before", kind.before)
            json.field("after", kind.after)
            json.field("unit", isShare ? "%" : "BPM")
            json.field("limits", limits)
            json.field("low", min(isShare ? 20 : 60, limits[0]))
            json.field("high", isShare ? 100 : max(200, limits[2] + 20))
            json.field("back", "Back to \(limits.map { "\($0)" }.joined(separator: ", "))")
        }
        let times = walks.last { $0.heartRate.samples > 0 }?.heartRate.zones.all
        json.list("zones", zip(Zone.allCases, Zones(of: profile).legend)) { json, zone in
            let time = times?.first { $0.zone == zone.0 }?.shown
            json.field("name", zone.1.0)
            json.field("bound", zone.1.1)
            json.field("time", time.map(TimeText.duration) ?? "–")
        }
    }
}
