package import Events
internal import Text

extension Walker {
    /// Changes one value, as `birth-year=1980` or `sex=female`.
    ///
    /// - Returns: Whether it is one of these values.
    /// - Throws: ``CommandFailure`` with what would be right.
    package mutating func set(_ setting: String) throws(CommandFailure) -> Bool {
        switch keyAndValue(in: setting) {
        case ("birth-year", let text)?, ("born", let text)?:
            birthYear = try wholeNumber(text, "a year", Self.birthYears, write: "birth-year=1980")
        case ("sex", "none")?: sex = nil
        case ("sex", let text)?:
            guard let known = Sex.allCases.first(where: { $0.name == text }) else {
                throw CommandFailure(
                    .usage,
                    "\(printable(text)): write sex=female, sex=male or sex=none. One formula asks "
                        + "for it, for energy by the heart rate, and knows only these two.")
            }
            sex = OpenCode(known)
        default: return false
        }
        return true
    }
}

extension Profile {
    /// Changes one value, as `height=180cm`.
    ///
    /// - Throws: ``CommandFailure`` with what would be right.
    package mutating func set(_ setting: String) throws(CommandFailure) {
        guard let (key, value) = keyAndValue(in: setting) else {
            throw CommandFailure(
                .usage, "\(printable(setting)): write KEY=VALUE, such as height=180cm.")
        }
        switch key {
        case "height":
            let told = Units(isInMiles: value.hasSuffix("in") || value.hasSuffix("ft")).stature
            let lengths: [String: UInt64] = [
                "cm": 100, "mm": 10, "m": 10_000, "in": 254, "ft": 3_048,
            ]
            heightMillimetres = try Self.quantity(
                value, lengths, in: 10, 500...2_500, "height=180cm", told)
        case "weight":
            let masses: [String: UInt64] = ["kg": 100_000_000, "g": 100_000, "lb": 45_359_237]
            let told = Units(isInMiles: false, isInPounds: value.hasSuffix("lb")).weight
            weightGrams = try Self.quantity(
                value, masses, in: 100_000, 20_000...500_000, "weight=75kg", told)
        case "daily-goal":
            dailyGoalSteps = try Self.quantity(
                value, ["": 1], 1...1_000_000, "daily-goal=8000"
            ) { "\(grouped($0)) steps" }
        case "max-hr":
            maximumHeartRateBPM = try Self.quantity(
                value, ["": 1], 60...260, "max-hr=185"
            ) { "\($0) BPM" }
        case "resting-hr":
            restingHeartRateBPM = try Self.quantity(
                value, ["": 1], 20...150, "resting-hr=55"
            ) { "\($0) BPM" }
        case "zones": try setZones(value)
        case "steps-per-cadence":
            guard let count = UInt8(value), (1...2).contains(count) else {
                throw CommandFailure(.usage, "steps-per-cadence must be 1 or 2.")
            }
            stepsPerCadenceCount = count
        default:
            throw CommandFailure(
                .usage,
                "There is no \(printable(key)) in a profile; see "
                    + "`pulselog profile set --help`.")
        }
    }

    /// Whether the heart rates are known of which some zones are parts.
    func knowsBounds(of zones: ZoneScheme) -> Bool {
        let isReserve = zones == .heartRateReserve
        guard isReserve || zones == .percentOfMaximum else { return true }
        guard let maximumHeartRateBPM else { return false }
        return (isReserve ? restingHeartRateBPM : 0).map { $0 < maximumHeartRateBPM } ?? false
    }

    /// Refuses zones that are parts of a heart rate which is not known.
    ///
    /// - Throws: ``CommandFailure`` with what to set first.
    package func refuseZonesWithoutBounds() throws(CommandFailure) {
        if knowsBounds(of: zones) { return }
        throw CommandFailure(
            .usage,
            zones == .heartRateReserve
                ? "Zones of the reserve need a maximum heart rate and a lower one at rest, such as "
                    + "max-hr=185 resting-hr=55."
                : "Zones in percent need a maximum heart rate, such as max-hr=185.")
    }

    /// A quantity within a range, in its smallest unit; nil for `none`.
    static func quantity(
        _ text: String, _ units: [String: UInt64], in divisor: UInt64 = 1,
        _ range: ClosedRange<UInt64>, _ example: String, _ told: (UInt64) -> String
    ) throws(CommandFailure) -> UInt64? {
        if text == "none" { return nil }
        guard let value = WrittenQuantity(text, units, in: divisor)?.amount else {
            throw CommandFailure(.usage, "\(printable(text)) cannot be read.", write: example)
        }
        guard range.contains(value) else {
            let guess = [min(value, 1 << 40) * 10, value / 10].first(where: range.contains)
            throw CommandFailure(
                .usage,
                "\(printable(text)) is out of range: from \(told(range.lowerBound)) to "
                    + "\(told(range.upperBound))."
                    + (guess.map { " Did you mean \(told($0))?" } ?? ""), write: example)
        }
        return value
    }

    private mutating func setZones(_ text: String) throws(CommandFailure) {
        if text == "standard" {
            zones = .standard
            zoneLimits = []
            return
        }
        var scheme = ZoneScheme.limits
        var limits = text
        if text.hasPrefix("reserve:") {
            scheme = .heartRateReserve
            limits = String(text.dropFirst(8))
        } else if text.contains("%") {
            scheme = .percentOfMaximum
            limits.removeAll { $0 == "%" }
        }
        let parts = limits.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt64($0) }
        guard parts.count == 3, numbers.count == 3, numbers[0] < numbers[1],
            numbers[1] < numbers[2],
            numbers[2] <= (scheme == .limits ? 1_000 : 100)
        else {
            throw CommandFailure(
                .usage,
                "Zones are three rising numbers: zones=100,140,180, zones=60%,75%,90% or "
                    + "zones=reserve:50,70,85.")
        }
        zones = scheme
        zoneLimits = numbers
    }
}
