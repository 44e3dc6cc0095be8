package import Events
internal import Text

/// The heart rates beyond which the walker is told so.
package struct HeartLimits: Hashable, Sendable {
    private let aboveBPM: UInt64?
    private let belowBPM: UInt64?

    /// The limits that the walker has set.
    package init(_ preferences: Preferences) {
        (aboveBPM, belowBPM) = (preferences.alertAboveBPM, preferences.alertBelowBPM)
    }

    /// What a heart rate is beyond, if anything.
    package func alert(_ bpm: UInt16) -> HeartAlert? {
        if let aboveBPM, bpm > aboveBPM { return .above(aboveBPM) }
        if let belowBPM, bpm < belowBPM { return .below(belowBPM) }
        return nil
    }
}

/// A limit that a heart rate has left.
package enum HeartAlert: Hashable, Sendable {
    /// It is above so many BPM.
    case above(UInt64)
    /// It is below so many BPM.
    case below(UInt64)

    /// What the walker is told once it has been so for some seconds.
    package func sentence(_ bpm: UInt16?, forMilliseconds milliseconds: UInt64) -> String {
        "Your heart rate has been \(words(forMilliseconds: milliseconds))"
            + (bpm.map { ": it is \($0)." } ?? ".")
    }

    /// What it is, and for how long: `above 150 BPM for 24 seconds`.
    package func words(forMilliseconds milliseconds: UInt64) -> String {
        "\(words) BPM for \(spoken(milliseconds: milliseconds))"
    }

    /// What it is: `above 150`.
    package var words: String {
        switch self {
        case .above(let limit): "above \(limit)"
        case .below(let limit): "below \(limit)"
        }
    }
}

/// A time as somebody would say it: `48 seconds`, `12 minutes`.
func spoken(milliseconds: UInt64) -> String {
    let seconds = milliseconds / 1_000
    return seconds < 120 ? counted(seconds, "second") : counted(seconds / 60, "minute")
}
