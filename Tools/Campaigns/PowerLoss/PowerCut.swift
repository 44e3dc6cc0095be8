/// One way in which a power cut comes out.
struct PowerCut: Hashable {
    /// When it comes: the number of the moment.
    let moment: Int
    /// What became of each thing that was in doubt.
    var fates: [CachedFile.PageFate]
    var hole = CachedFile.Hole.zeros

    /// The power cuts that are tried on a run.
    ///
    /// Where the outcomes of a moment are few all of them are; of many those in which nothing, all,
    /// one thing or all but one thing was written, and random ones. The rest are such with torn
    /// pages.
    ///
    /// - Parameters:
    ///   - doubts: What is in doubt at each moment.
    ///   - count: How many are wanted in all; there can be fewer.
    ///   - seed: Chooses the random ones.
    /// - Returns: The power cuts, by moments with few doubts first.
    static func plan(_ doubts: [[CachedDisk.Doubt]], count: Int, seed: UInt64) -> [PowerCut] {
        var random = SplitMix(state: seed)
        var cuts: [PowerCut] = []
        // Moments with few outcomes leave more to the others.
        let order = doubts.indices.sorted { (doubts[$0].count, $0) < (doubts[$1].count, $1) }
        for (index, moment) in order.enumerated() {
            let limit = max(1, (count - cuts.count) / (order.count - index))
            cuts += plan(moment, doubts[moment], limit, &random)
        }
        return cuts
    }

    private static func plan(
        _ moment: Int, _ doubts: [CachedDisk.Doubt], _ limit: Int, _ random: inout SplitMix
    ) -> [PowerCut] {
        let outcomes = doubts.map(\.outcomes)
        var cuts = ordinary(outcomes, limit, &random).map { versions in
            PowerCut(moment: moment, fates: versions.map { CachedFile.PageFate(version: $0) })
        }
        var known = Set(cuts)
        for _ in 0..<4 * limit where cuts.count < limit && !doubts.isEmpty {
            let cut = any(moment, doubts, &random)
            if known.insert(cut).inserted { cuts.append(cut) }
        }
        return cuts
    }

    /// Outcomes without torn pages.
    private static func ordinary(
        _ outcomes: [Int], _ limit: Int, _ random: inout SplitMix
    ) -> [[Int]] {
        let all = outcomes.reduce(1) { $0 > limit ? $0 : $0 * $1 }
        guard all > limit else {
            return (0..<all).map { number in
                var rest = number
                return outcomes.map { count in
                    defer { rest /= count }
                    return rest % count
                }
            }
        }
        let nothing = outcomes.map { _ in 0 }
        let everything = outcomes.map { $0 - 1 }
        var chosen: [[Int]] = []
        for (index, count) in outcomes.enumerated() {
            var one = nothing
            one[index] = count - 1
            var others = everything
            others[index] = 0
            chosen += [one, others]
        }
        // Half of what is tried at most, whichever these are.
        while chosen.count > max(0, limit / 2 - 2) {
            chosen.remove(at: random.next(below: chosen.count))
        }
        return ([nothing, everything] + chosen).prefix(limit).map(\.self)
    }

    private static func any(
        _ moment: Int, _ doubts: [CachedDisk.Doubt], _ random: inout SplitMix
    ) -> PowerCut {
        let eighths = [1, 4, 7][random.next(below: 3)]
        let fates = doubts.map { doubt in
            var fate = CachedFile.PageFate(version: 0)
            guard random.next(below: 8) < eighths else { return fate }
            let isLast = random.next(below: 2) == 0
            fate.version =
                isLast ? doubt.outcomes - 1 : 1 + random.next(below: doubt.outcomes - 1)
            if case .page = doubt, random.next(below: 4) == 0 {
                fate.sectors = UInt8(1 + random.next(below: 254))
            }
            return fate
        }
        let hole = random.next(below: 4) == 0 ? CachedFile.Hole.remains : .zeros
        return PowerCut(moment: moment, fates: fates, hole: hole)
    }
}

/// Random numbers that are the same for the same seed: SplitMix64.
struct SplitMix {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
}
