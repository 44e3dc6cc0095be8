/// What-if settings: a rule as `KEY=VALUE`.
extension Rules {
    /// What a rule's value looks like.
    fileprivate enum Form {
        case number(ClosedRange<UInt64>)
        case flag
        case zones

        /// What people write, and how far it goes.
        var words: String {
            switch self {
            case .number(let range):
                "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .flag: "true or false"
            case .zones: "three rising bounds in BPM up to 65535, such as 100,140,180"
            }
        }
    }

    /// The rules by name.
    private static let forms: [(name: String, form: Form)] = [
        ("graceMilliseconds", .number(milliseconds)),
        ("silenceMilliseconds", .number(milliseconds)),
        ("stridePermille", .number(0...2_000)), ("carryOverlap", .flag),
        ("cadenceMilliseconds", .number(milliseconds)), ("zones", .zones),
        ("copyMilliseconds", .number(milliseconds)), ("coverUnheard", .flag),
        ("countNoContact", .flag), ("countZero", .flag),
        ("rrFromMilliseconds", .number(0...ArtefactRule.boundMilliseconds)),
        ("rrToMilliseconds", .number(0...ArtefactRule.boundMilliseconds)),
        ("rrPercent", .number(0...100)), ("stepsPerCadenceCount", .number(1...4)),
        ("dayBoundaryMinutes", .number(0...1_439)), ("countSimulated", .flag),
        ("countImplausible", .flag),
    ]

    private static let milliseconds: ClosedRange<UInt64> = 0...86_400_000

    /// The names that ``set(_:)`` knows, in the order of the canonical bytes.
    public static var settingNames: [String] { forms.map(\.name) }

    /// What the value of a rule looks like, for people; nil if there is no such rule.
    static func words(of name: String) -> String? {
        forms.first { $0.name == name }?.form.words
    }

    /// Changes one rule.
    ///
    /// - Parameter setting: `KEY=VALUE`: numbers in the unit that the key names, within its bounds;
    ///   flags `true` or `false`; `zones` three rising bounds in BPM as `100,140,180`.
    /// - Throws: ``RuleError`` if the key is unknown, or the value is malformed or out of range.
    public mutating func set(_ setting: String) throws(RuleError) {
        let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw RuleError(code: .malformed, key: setting) }
        let key = String(parts[0])
        guard let form = Self.forms.first(where: { $0.name == key })?.form else {
            throw RuleError(code: .unknownKey, key: key)
        }
        switch form {
        case .number(let range): set(key, try Self.number(parts[1], key, range))
        case .flag: set(key, try Self.flag(parts[1], key))
        case .zones: zones = try Self.zones(parts[1], key)
        }
    }

    private mutating func set(_ key: String, _ value: UInt64) {
        let (from, to) = (artefacts.fromMilliseconds, artefacts.toMilliseconds)
        let percent = artefacts.percent
        switch key {
        case "graceMilliseconds": graceMilliseconds = value
        case "silenceMilliseconds": silenceMilliseconds = value
        case "stridePermille": stridePermille = value
        case "cadenceMilliseconds": cadenceMilliseconds = value
        case "copyMilliseconds": copyMilliseconds = value
        case "rrFromMilliseconds":
            artefacts = ArtefactRule(fromMilliseconds: value, toMilliseconds: to, percent: percent)
        case "rrToMilliseconds":
            artefacts = ArtefactRule(
                fromMilliseconds: from, toMilliseconds: value, percent: percent)
        case "rrPercent":
            artefacts = ArtefactRule(fromMilliseconds: from, toMilliseconds: to, percent: value)
        case "stepsPerCadenceCount": stepsPerCadenceCount = UInt8(value)
        case "dayBoundaryMinutes": dayBoundaryMinutes = value
        default: preconditionFailure("The table names no other number.")
        }
    }

    private mutating func set(_ key: String, _ value: Bool) {
        switch key {
        case "carryOverlap": carryOverlap = value
        case "coverUnheard": coverUnheard = value
        case "countNoContact": countNoContact = value
        case "countZero": countZero = value
        case "countSimulated": countSimulated = value
        case "countImplausible": countImplausible = value
        default: preconditionFailure("The table names no other flag.")
        }
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
