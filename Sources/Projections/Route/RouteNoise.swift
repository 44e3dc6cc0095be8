/// The mean of the fixes of 2.5 s, on a plane.
struct RouteKnot: StatePart, Hashable, Sendable {
    /// Millimetres east and north of somewhere; only differences mean anything.
    var east: Int64 = 0
    var north: Int64 = 0
    /// When it was, in milliseconds since the stretch began.
    var at: UInt64 = 0
    /// The fold time of its last fix.
    var foldedAt: UInt64 = 0
    /// The speed by the receiver in mm/s; nil if one of its fixes had none.
    var speed: UInt64?

    /// The square of how far it is from another one, at most 2^63.
    func squared(to other: RouteKnot) -> UInt64 {
        let (x, y) = (other.east &- east, other.north &- north)
        let (width, height) = (min(x.magnitude, 1 << 31), min(y.magnitude, 1 << 31))
        return width * width + height * height
    }

    /// Makes it the mean with others that were as many as `count` with it.
    mutating func average(_ other: RouteKnot, _ count: UInt64) {
        east &+= (other.east &- east) / Int64(count)
        north &+= (other.north &- north) / Int64(count)
        at += (other.at - at) / count
        guard let speed, let more = other.speed else { return speed = nil }
        self.speed = (speed * (count - 1) + more) / count
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&east, &north, &at, &foldedAt, &speed)
        try coder.require(speed ?? 0 <= Plausibility.millimetresPerSecond)
    }
}

/// How much the knots of a route waver about a straight and even way.
///
/// On such a way the second difference of places is 0, whatever the speed. What it is beyond that
/// is noise, and now and then a corner; so what is far above the mean is cut off.
struct RouteNoise: StatePart, Hashable, Sendable {
    /// No receiver is taken to be better than 0.3 m, as a square of a second difference.
    private static let least: UInt64 = 540_000
    private static let scales = 5
    /// Of places 1, 2, 4, 8 and 16 knots apart, in mm^2.
    typealias Variances = InlineArray<5, UInt64>

    /// For places 1, 2, 4, 8 and 16 knots apart a mean square in mm^2, at first that of 3 m, and
    /// how many it is of.
    private struct Mean: StatePart, Hashable, Sendable {
        var square: UInt64 = 27_000_000
        var count: UInt64 = 1

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&square, &count)
            try coder.require(
                (RouteNoise.least...1 << 44).contains(square) && (1...132).contains(count))
        }
    }

    private static let firstMeans = [Mean](repeating: Mean(), count: scales)
    private var means = firstMeans

    /// Takes in the last of the knots.
    mutating func take(_ knots: [RouteKnot]) {
        let end = knots.count - 1
        for scale in 0..<Self.scales where end >= 2 << scale {
            let (last, middle) = (knots[end], knots[end - 1 << scale])
            var first = knots[end - 2 << scale]
            let (whole, part) = (last.at - first.at, middle.at - first.at)
            guard part * 10 >= whole * 3, part * 10 <= whole * 7, whole < 1 << 31 else { continue }
            // Where it would be between the two.
            first.east &+= (last.east &- first.east).scaled(part, whole)
            first.north &+= (last.north &- first.north).scaled(part, whole)
            let square = min(first.squared(to: middle), 1 << 42) * 2
            let (mean, count) = (means[scale].square, means[scale].count + 1)
            // Of noise, 94 % and 58 % of the mean are left; the first guess may be far too low.
            let cut =
                count <= 12
                ? min(square * 100 / 94, 3 * mean) : min(square * 100 / 58, mean * 3 / 2)
            means[scale] = Mean(
                square: max(mean - mean / count + cut / count, Self.least),
                count: min(count, scale < 3 ? 32 : scale == 3 ? 65 : 132))
        }
    }

    /// The mean square along an axis, in mm^2, of what noise adds to the way over 1, 2, 4, 8 and 16
    /// knots: a quarter of the second difference's and of that over twice as many.
    ///
    /// It grows with the number of knots, at most as much as they do, and ever less.
    var variances: Variances {
        var all = Variances(repeating: means[4].square * 5 / 13)
        for scale in (0..<4).reversed() { all[scale] = (means[scale].square + all[scale + 1]) / 4 }
        var most: UInt64 = 2_000
        for scale in 1..<Self.scales {
            most = min(max(all[scale] * 1_000 / all[scale - 1], 1_000), most)
            all[scale] = all[scale - 1] * most / 1_000
        }
        return all
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&means)
        try coder.require(means.count == Self.scales)
    }
}

extension Int64 {
    /// What of it, up to 2^31, is in a part of a whole.
    fileprivate func scaled(_ part: UInt64, _ whole: UInt64) -> Int64 {
        Swift.min(Swift.max(self, -1 << 31), 1 << 31) * Int64(part) / Int64(whole)
    }
}
