internal import Projections

/// How fast the walker is now: by the way that was measured in the last half minute.
struct PaceWatch: Hashable, Sendable {
    /// How far back it looks.
    static let spanMilliseconds: UInt64 = 30_000
    /// A stretch that was told longer ago says nothing of now.
    static let oldestMilliseconds: UInt64 = 15_000
    /// Over a shorter time the errors of what measures it are all there is.
    static let leastMilliseconds: UInt64 = 10_000

    /// Where a stretch ended.
    private struct End: Hashable {
        let toldAt: UInt64
        let knownTo: UInt64
        let millimetres: UInt64
    }

    private var ends: [End] = []

    /// Takes the way after a reading or a fix; nil in a pause.
    mutating func take(_ way: WayLength?, at boot: UInt64) {
        guard let way else { return ends = [] }
        if way.millimetres > ends.last?.millimetres ?? 0 {
            ends.append(
                End(toldAt: boot, knownTo: way.knownTo, millimetres: way.millimetres))
        }
        let last = ends.last?.knownTo ?? 0
        ends.removeAll { last.minus($0.knownTo) > Self.spanMilliseconds }
    }

    /// How far the walker came, and in what time; nil if too little is known.
    func pace(at boot: UInt64) -> (millimetres: UInt64, milliseconds: UInt64)? {
        guard let first = ends.first, let last = ends.last,
            boot.minus(last.toldAt) <= Self.oldestMilliseconds,
            case let time = last.knownTo.minus(first.knownTo), time >= Self.leastMilliseconds
        else { return nil }
        return (last.millimetres.minus(first.millimetres), time)
    }
}
