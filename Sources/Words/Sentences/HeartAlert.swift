public import Events

/// The heart rates between which the walker wants to be told nothing.
public struct HeartLimits: Hashable, Sendable {
    private let aboveBPM: UInt64?
    private let belowBPM: UInt64?

    /// The limits that the walker has set.
    public init(_ preferences: Preferences) {
        (aboveBPM, belowBPM) = (preferences.alertAboveBPM, preferences.alertBelowBPM)
    }

    /// What a heart rate is beyond, if anything.
    public func alert(_ bpm: UInt16) -> HeartAlert? {
        if let aboveBPM, bpm > aboveBPM { return .above(aboveBPM) }
        if let belowBPM, bpm < belowBPM { return .below(belowBPM) }
        return nil
    }
}

/// A limit that a heart rate has left.
public enum HeartAlert: Hashable, Sendable {
    /// It is above so many BPM.
    case above(UInt64)
    /// It is below so many BPM.
    case below(UInt64)

    /// The limit, for a label: `above 150`.
    public var words: String {
        switch self {
        case .above(let limit): "above \(limit)"
        case .below(let limit): "below \(limit)"
        }
    }

    /// What the walker is told once it has been so for ten seconds.
    public func sentence(_ bpm: UInt16?) -> String {
        "Your heart rate has been \(words) BPM for ten seconds"
            + (bpm.map { ": it is \($0)." } ?? ".")
    }
}
