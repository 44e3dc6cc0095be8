/// The numbers that folds use and that a what-if replay can change.
///
/// They are part of a snapshot's key: other rules, another state.
public struct Rules: StatePart, Hashable, Sendable {
    /// How long a lost link is shown as if nothing had happened.
    public var graceMilliseconds: UInt64 = 10_000
    /// How long a heart-rate value is fresh.
    public var silenceMilliseconds: UInt64 = 5_000
    /// Length of a step in thousandths of the height.
    public var stridePermille: UInt64 = 415
    /// Whether pedometer steps after a health total's end are added to it.
    public var carryOverlap = false
    /// Longest time for which a foot pod's cadence counts without a new value.
    public var cadenceMilliseconds: UInt64 = 5_000
    /// Lower bounds of moderate, vigorous and maximum in BPM, instead of the profile's.
    public var zones: Zones?
    /// How long after a value an equal one may be a copy of it; 0 for never.
    public var copyMilliseconds: UInt64 = 20

    /// Whether a health total that wins covers steps that no reading told before.
    public var coverUnheard = true

    /// Makes the rules that the product states.
    public init() {}

    /// The rules as bytes: equal rules, equal bytes.
    public func canonicalBytes() -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(self)
        return writer.bytes
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try coder.unsigned(&graceMilliseconds)
        try coder.unsigned(&silenceMilliseconds)
        try coder.unsigned(&stridePermille)
        try coder.flag(&carryOverlap)
        try coder.unsigned(&cadenceMilliseconds)
        try coder.optional(&zones, blank: .standard)
        try coder.unsigned(&copyMilliseconds)
        try coder.flag(&coverUnheard)
    }
}

// MARK: - What-if settings

extension Rules {
    /// The names that ``set(_:)`` knows, in the order of the canonical bytes.
    public static let settingNames = [
        "graceMilliseconds", "silenceMilliseconds", "stridePermille", "carryOverlap",
        "cadenceMilliseconds", "zones", "copyMilliseconds", "coverUnheard",
    ]

    /// Changes one rule.
    ///
    /// - Parameter setting: `KEY=VALUE`: numbers in the unit that the key names, up to 86,400,000
    ///   (`stridePermille` up to 2,000); `carryOverlap` and `coverUnheard` `true` or `false`;
    ///   `zones` three rising bounds in BPM as `100,140,180`.
    /// - Throws: ``RuleError`` if the key is unknown, or the value is malformed or out of range.
    public mutating func set(_ setting: String) throws(RuleError) {
        let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw RuleError(code: .malformed, key: setting) }
        let key = String(parts[0])
        let value = parts[1]
        switch key {
        case "graceMilliseconds": graceMilliseconds = try number(value, key)
        case "silenceMilliseconds": silenceMilliseconds = try number(value, key)
        case "cadenceMilliseconds": cadenceMilliseconds = try number(value, key)
        case "copyMilliseconds": copyMilliseconds = try number(value, key)
        case "stridePermille": stridePermille = try number(value, key, to: 2_000)
        case "carryOverlap": carryOverlap = try flag(value, key)
        case "coverUnheard": coverUnheard = try flag(value, key)
        case "zones":
            var limits: [UInt64] = []
            for limit in value.split(separator: ",", omittingEmptySubsequences: false) {
                limits.append(try number(limit, key, to: 65_535))
            }
            guard limits.count == 3 else { throw RuleError(code: .malformed, key: key) }
            guard limits[0] < limits[1], limits[1] < limits[2] else {
                throw RuleError(code: .outOfRange, key: key)
            }
            zones = Zones(limitsBPM: limits[0], limits[1], limits[2])
        default: throw RuleError(code: .unknownKey, key: key)
        }
    }

    private func flag(_ text: Substring, _ key: String) throws(RuleError) -> Bool {
        guard text == "true" || text == "false" else {
            throw RuleError(code: .malformed, key: key)
        }
        return text == "true"
    }

    private func number(
        _ text: Substring, _ key: String, to limit: UInt64 = 86_400_000
    ) throws(RuleError) -> UInt64 {
        guard let value = UInt64(text), text.utf8.first != UInt8(ascii: "+") else {
            throw RuleError(code: .malformed, key: key)
        }
        guard value <= limit else { throw RuleError(code: .outOfRange, key: key) }
        return value
    }
}

/// A what-if setting that cannot be used.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the setting.
    public enum Code: String, Sendable {
        /// There is no such rule.
        case unknownKey
        /// The setting is not `KEY=VALUE`, or the value is not of the rule's form.
        case malformed
        /// The value is outside of the rule's range.
        case outOfRange
    }

    /// What is wrong with the setting.
    public let code: Code
    /// The rule, as it was given.
    public let key: String

    /// Makes an error about a setting.
    public init(code: Code, key: String) {
        self.code = code
        self.key = key
    }

    /// What happened and what to do.
    public var description: String {
        switch code {
        case .unknownKey:
            "There is no rule \(key); use one of \(Rules.settingNames.joined(separator: ", "))."
        case .malformed:
            "The setting \(key) cannot be read; write it as graceMilliseconds=10000, "
                + "carryOverlap=true or zones=100,140,180."
        case .outOfRange:
            "The value of \(key) is out of range; times go up to 86400000, stridePermille up to "
                + "2000, and zones rise."
        }
    }
}
