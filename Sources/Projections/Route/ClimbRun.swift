/// What smoothed heights add up to: what goes up from one turning point to the next, and down.
struct ClimbRun: StatePart, Hashable, Sendable {
    private enum Course: UInt8, CaseIterable, StatePart { case level, up, down }

    private(set) var ascentMillimetres: UInt64 = 0
    private(set) var descentMillimetres: UInt64 = 0
    private var course = Course.level
    /// The last height; nil where none continues from it.
    private var height: Int64?
    /// How far it is above the lowest and below the highest of the run, and for how long it was
    /// near these.
    private var above: UInt64 = 0
    private var below: UInt64 = 0
    private var lowMilliseconds: UInt64 = 0
    private var highMilliseconds: UInt64 = 0
    /// What of the run counted.
    private var counted: UInt64 = 0

    /// What is left of it where no height comes any more.
    var closed: ClimbRun {
        var closed = ClimbRun()
        closed.ascentMillimetres = ascentMillimetres
        closed.descentMillimetres = descentMillimetres
        return closed
    }

    /// What comes next continues from another height: the run does, what is between counts nothing.
    mutating func breakOff() { height = nil }

    /// Takes a height, in millimetres, that is so much later; heights wander by a deviation.
    mutating func take(_ next: Int64, after elapsed: UInt64, _ deviation: UInt64, _ rules: Rules) {
        let rise = height.map { next - $0 } ?? 0
        height = next
        let band = max(3 * deviation, 1)
        if rise >= 0 {
            Self.move(rise.magnitude, band, &above, &below, &highMilliseconds)
        } else {
            Self.move(rise.magnitude, band, &below, &above, &lowMilliseconds)
        }
        if below <= band { highMilliseconds.add(elapsed) }
        if above <= band { lowMilliseconds.add(elapsed) }
        let least = rules.smoothClimb ? min(max(8 * deviation, 3_000), 40_000) : 5_000
        if course != .down, below >= least, course == .up || above == 0 {
            if course == .up { (above, lowMilliseconds, counted) = (0, 0, 0) }
            course = .down
        } else if course != .up, above >= least, course == .down || below == 0 {
            if course == .down { (below, highMilliseconds, counted) = (0, 0, 0) }
            course = .up
        }
        guard course != .level else { return }
        // The highest of many heights is above their level: by 1.6 deviations after 10 min.
        let excess = [lowMilliseconds, highMilliseconds].reduce(0) {
            $0 + deviation * min($1.minus(150_000), 480_000) / 300_000
        }
        let more = above.plus(below).minus(excess).minus(counted)
        counted.add(more)
        if course == .up { ascentMillimetres.add(more) } else { descentMillimetres.add(more) }
    }

    /// Moves away from one end and towards the other, or beyond that: the farther, the shorter it
    /// was near.
    private static func move(
        _ amount: UInt64, _ band: UInt64, _ from: inout UInt64, _ to: inout UInt64,
        _ milliseconds: inout UInt64
    ) {
        from.add(amount)
        milliseconds = milliseconds.scaled(by: band.minus(amount.minus(to)), over: band)
        to = to.minus(amount)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&ascentMillimetres, &descentMillimetres, &height, &above, &below)
        try coder(&lowMilliseconds, &highMilliseconds, &counted, &course)
        try coder.require(height?.magnitude ?? 0 <= Climbs.greatestMillimetres)
    }
}
