internal import ArgumentParser
internal import Recording

/// For how long readings may be kept before they are written: `500ms`, `5s`, `1m`.
struct CommitIntervalOption: ExpressibleByArgument {
    /// What is said of anything else.
    static let complaint = "--commit-interval takes 100ms to 60s, such as 500ms or 5s."

    /// How long; nil if it is none that makes sense, of which a sentence is due.
    let milliseconds: UInt64?

    init(argument: String) {
        milliseconds = Self.milliseconds(argument)
    }

    private static func milliseconds(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: UInt64] = ["ms": 1, "s": 1_000, "m": 60_000]
        guard digits.count < 7, let number = UInt64(digits),
            let unit = units[text.dropFirst(digits.count)],
            SessionPlan.commitIntervalsMilliseconds.contains(number * unit)
        else { return nil }
        return number * unit
    }
}
