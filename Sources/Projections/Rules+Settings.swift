/// What-if settings: a rule as `KEY=VALUE`.
extension Rules {
    /// What a rule's value looks like.
    fileprivate enum Form {
        case number(ClosedRange<UInt64>, @Sendable (inout Rules, UInt64) -> Void)
        case flag(@Sendable (inout Rules, Bool) -> Void)
        case zones

        /// What people write, and how far it goes.
        var words: String {
            switch self {
            case .number(let range, _):
                "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .flag: "true or false"
            case .zones: "three rising bounds in BPM up to 65535, such as 100,140,180"
            }
        }
    }

    /// The rules by name, each with what sets it.
    private static let forms: [(name: String, form: Form)] = [
        ("graceMilliseconds", .number(milliseconds) { $0.graceMilliseconds = $1 }),
        ("silenceMilliseconds", .number(milliseconds) { $0.silenceMilliseconds = $1 }),
        ("stridePermille", .number(0...2_000) { $0.stridePermille = $1 }),
        ("carryOverlap", .flag { $0.carryOverlap = $1 }),
        ("cadenceMilliseconds", .number(milliseconds) { $0.cadenceMilliseconds = $1 }),
        ("zones", .zones),
        ("copyMilliseconds", .number(milliseconds) { $0.copyMilliseconds = $1 }),
        ("coverUnheard", .flag { $0.coverUnheard = $1 }),
        ("countNoContact", .flag { $0.countNoContact = $1 }),
        ("countZero", .flag { $0.countZero = $1 }),
        ("rrFromMilliseconds", .number(intervals) { $0.artefacts.fromMilliseconds = $1 }),
        ("rrToMilliseconds", .number(intervals) { $0.artefacts.toMilliseconds = $1 }),
        ("rrPercent", .number(0...100) { $0.artefacts.percent = $1 }),
        ("countSimulated", .flag { $0.countSimulated = $1 }),
        ("countImplausible", .flag { $0.countImplausible = $1 }),
        ("countUnrecorded", .flag { $0.countUnrecorded = $1 }),
        ("countStandstill", .flag { $0.countStandstill = $1 }),
        ("countEachMargin", .flag { $0.countEachMargin = $1 }),
        ("countPodSpeed", .flag { $0.countPodSpeed = $1 }),
        ("stepsBeforePositions", .flag { $0.stepsBeforePositions = $1 }),
        ("doubtLengths", .flag { $0.doubtLengths = $1 }),
        ("countOwnStride", .flag { $0.countOwnStride = $1 }),
        ("smoothWay", .flag { $0.smoothWay = $1 }),
        ("smoothClimb", .flag { $0.smoothClimb = $1 }),
        ("countNothingOverMidnight", .flag { $0.countNothingOverMidnight = $1 }),
    ]

    private static let milliseconds: ClosedRange<UInt64> = 0...86_400_000
    private static let intervals: ClosedRange<UInt64> = 0...ArtefactRule.boundMilliseconds

    /// The names that ``set(_:)`` knows, in the order of the canonical bytes.
    package static var settingNames: [String] { forms.map(\.name) }

    /// What the value of a rule looks like, for people; nil if there is no such rule.
    static func words(of name: String) -> String? {
        forms.first { $0.name == name }?.form.words
    }

    /// Changes one rule.
    ///
    /// - Parameter setting: `KEY=VALUE`: numbers in the unit that the key names, within its bounds;
    ///   flags `true` or `false`; `zones` three rising bounds in BPM as `100,140,180`.
    /// - Throws: ``RuleError`` if the key is unknown, or the value is malformed or out of range.
    package mutating func set(_ setting: String) throws(RuleError) {
        let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw RuleError(code: .malformed, key: setting) }
        let key = String(parts[0])
        guard let form = Self.forms.first(where: { $0.name == key })?.form else {
            throw RuleError(code: .unknownKey, key: key)
        }
        switch form {
        case .number(let range, let set): set(&self, try Self.number(parts[1], key, range))
        case .flag(let set): set(&self, try Self.flag(parts[1], key))
        case .zones: zones = try Self.zones(parts[1], key)
        }
        artefacts.countTicks()
    }

    private static func flag(_ text: Substring, _ key: String) throws(RuleError) -> Bool {
        guard text == "true" || text == "false" else {
            throw RuleError(code: .malformed, key: key)
        }
        return text == "true"
    }

    private static func number(
        _ text: Substring, _ key: String, _ range: ClosedRange<UInt64>
    ) throws(RuleError) -> UInt64 {
        guard let value = UInt64(text), text.utf8.first != UInt8(ascii: "+") else {
            throw RuleError(code: .malformed, key: key)
        }
        guard range.contains(value) else { throw RuleError(code: .outOfRange, key: key) }
        return value
    }

    private static func zones(_ text: Substring, _ key: String) throws(RuleError) -> Zones {
        var limits: [UInt64] = []
        for limit in text.split(separator: ",", omittingEmptySubsequences: false) {
            limits.append(try number(limit, key, 0...65_535))
        }
        guard limits.count == 3 else { throw RuleError(code: .malformed, key: key) }
        guard limits[0] < limits[1], limits[1] < limits[2] else {
            throw RuleError(code: .outOfRange, key: key)
        }
        return Zones(limitsBPM: limits[0], limits[1], limits[2])
    }
}

/// A what-if setting that cannot be used.
package struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the setting.
    package enum Code: String, Sendable {
        /// There is no such rule.
        case unknownKey
        /// The setting is not `KEY=VALUE`, or the value is not of the rule's form.
        case malformed
        /// The value is outside of the rule's range.
        case outOfRange
    }

    /// What is wrong with the setting.
    package let code: Code
    /// The rule, as it was given.
    package let key: String

    /// What happened and what to do.
    package var description: String {
        let form = Rules.words(of: key)
        return switch code {
        case .unknownKey:
            "There is no rule \(key); use one of \(Rules.settingNames.joined(separator: ", "))."
        case .malformed:
            form.map { "The value of \(key) cannot be read; it is \($0)." }
                ?? "The setting \(key) cannot be read; write it as graceMilliseconds=10000, "
                + "carryOverlap=true or zones=100,140,180."
        case .outOfRange: "The value of \(key) is out of range; it is \(form ?? "another")."
        }
    }
}
