internal import Projections

/// A count of steps or of a distance that goes on through a file, or begins anew with each walk:
/// how much of it is of the walk under way.
struct RunningCount {
    /// How much of it somebody can make.
    private let limit: CountLimit
    /// The last reading, also of the walk before.
    private var last: (raw: UInt64, at: Int64)?
    /// How much of it is of this walk.
    private(set) var sum: UInt64 = 0

    /// Of steps.
    static let steps = Self(limit: .steps)
    /// Of millimetres.
    static let distance = Self(limit: .distance)

    private init(limit: CountLimit) { self.limit = limit }

    /// Begins a walk: what its first reading counts from is what fits the walk's own total best,
    /// or else the reading before it, or else 0, or else itself, if nobody is that fast.
    ///
    /// - Parameters:
    ///   - readings: What the walk reads at first and at last; nil if it reads nothing.
    ///   - total: The walk's total; nil if the file does not say.
    ///   - start: When it began, in UTC milliseconds; nil if the file does not say.
    mutating func beginWalk(
        _ readings: (first: UInt64, at: Int64, last: UInt64)?, total: UInt64?, from start: Int64?
    ) {
        sum = 0
        guard let readings else { return }
        let before = last.flatMap { $0.raw <= readings.first ? $0.raw : nil }
        var base = before ?? 0
        if let total, total > 0, readings.last >= readings.first {
            let grown = [base, 0, readings.first].map { readings.last - $0 }
            let nearest = grown.min { $0.distance(from: total) < $1.distance(from: total) }
            base = readings.last - (nearest ?? 0)
        } else if let start,
            readings.first - base > limit.most(in: UInt64(clamping: readings.at - start))
        {
            base = readings.first
        }
        last = (base, start ?? readings.at)
    }

    /// Takes the next reading, in order of time.
    mutating func take(_ raw: UInt64, at now: Int64) {
        guard let last else {
            self.last = (raw, now)
            return sum = raw
        }
        if raw >= last.raw {
            sum.add(raw - last.raw)
        } else if raw > last.raw / 2 {
            // It wavers.
            return
        } else if raw <= limit.most(in: UInt64(clamping: now - last.at)) {
            // It began anew.
            sum.add(raw)
        }
        self.last = (raw, now)
    }
}

extension UInt64 {
    /// How far apart two numbers are.
    func distance(from other: UInt64) -> UInt64 {
        self > other ? self - other : other - self
    }
}
