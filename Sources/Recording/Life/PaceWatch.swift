internal import Projections

/// How fast the walker is now: by the stretches that the route counted in the last half minute.
struct PaceWatch: Hashable, Sendable {
    /// How far back it looks.
    static let spanMilliseconds: UInt64 = 30_000
    /// A stretch that ended longer ago says nothing of now.
    static let oldestMilliseconds: UInt64 = 15_000
    /// Over a shorter time the errors of the fixes are all there is.
    static let leastMilliseconds: UInt64 = 10_000

    /// Where a stretch ended.
    private struct End: Hashable {
        let at: UInt64
        let millimetres: UInt64
    }

    private var ends: [End] = []
    private var jumps: UInt64 = 0

    /// Takes the route after a fix; nil in a pause.
    mutating func take(_ route: Route?, at boot: UInt64) {
        guard let route, route.jumps == jumps else {
            (ends, jumps) = ([], route?.jumps ?? 0)
            return
        }
        let length = route.distanceMillimetres
        if length > ends.last?.millimetres ?? 0 { ends.append(End(at: boot, millimetres: length)) }
        ends.removeAll { boot.minus($0.at) > Self.spanMilliseconds }
    }

    /// How far the walker came, and in what time; nil if too little is known.
    func pace(at boot: UInt64) -> (millimetres: UInt64, milliseconds: UInt64)? {
        guard let first = ends.first, let last = ends.last,
            boot.minus(last.at) <= Self.oldestMilliseconds,
            case let time = last.at.minus(first.at), time >= Self.leastMilliseconds
        else { return nil }
        return (last.millimetres.minus(first.millimetres), time)
    }
}
