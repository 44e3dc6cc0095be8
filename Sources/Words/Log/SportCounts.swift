public import Interchange
internal import Text

/// How much of what files hold was not done on foot.
public struct SportCounts: Hashable, Sendable {
    private var counts: [WalkSport: UInt64] = [:]

    /// Begins with nothing.
    public init() {}

    /// How much there was.
    public var total: UInt64 { counts.values.reduce(0, +) }

    /// Counts one.
    public mutating func add(_ sport: WalkSport) { counts[sport, default: 0] += 1 }

    /// Adds what another part of the files holds.
    public static func += (counts: inout SportCounts, more: SportCounts) {
        counts.counts.merge(more.counts, uniquingKeysWith: +)
    }

    /// What was left out, in a sentence; nil for nothing.
    public var sentence: String? {
        let words = WalkSport.allCases.compactMap { sport in
            counts[sport].map { counted($0, sport.word) }
        }
        guard !words.isEmpty else { return nil }
        return "\(enumerated(words)) left out, because this is for walks; --anyway imports "
            + (total == 1 ? "it." : "them.")
    }
}
