/// How much a route went up and down.
///
/// A height to which nobody climbs from the last one in the time is set aside; where the next ones
/// agree with it, they count among themselves. Heights are gathered and smoothed, the longer the
/// more they wander, and ``ClimbRun`` adds up their climbs.
struct Climbs: StatePart, Hashable, Sendable {
    /// A height, and when it was; of a mean, in milliseconds since the stretch began.
    private struct Height: StatePart, Hashable, Sendable {
        var millimetres: Int64 = 0
        var time = FixTime()

        var at: UInt64 { time.milliseconds }

        /// How far it is from an earlier one; nil if nobody climbs so far in the time.
        func climb(from earlier: Height) -> UInt64? {
            let climb = (millimetres - earlier.millimetres).magnitude
            let most = time.elapsed(since: earlier.time)
                .scaled(by: Plausibility.climbMillimetresPerSecond, over: 1_000)
            return climb <= most.plus(Plausibility.climbMarginMillimetres) ? climb : nil
        }

        mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
            try coder(&millimetres, &time)
            try coder.require(millimetres.magnitude <= Climbs.greatestMillimetres)
        }
    }

    /// The greatest height in either direction that a what-if replay counts: 100 km.
    static let greatestMillimetres: UInt64 = 100_000_000

    private(set) var run = ClimbRun()
    /// Whether any height counts.
    private(set) var hasHeights = false
    /// The last height that counts; nil where none continues from it.
    private var last: Height?
    /// The last one that was set aside since.
    private var trial: Height?
    /// The greatest error of heights that is looked for, in millimetres: the receiver's, or 5 m.
    private var error: UInt64 = 5_000
    /// The mean square of the second differences of means, 4 m at first, and of how many.
    private var square: UInt64 = 24_000_000
    private var squares: UInt64 = 1
    /// The mean of what is gathered, of how many, and since when.
    private var gathered = Height()
    private var count: UInt64 = 0
    private var began: UInt64 = 0
    /// The means of 10 s, and how many of them were smoothed.
    private var means: [Height] = []
    private var smoothed = 0

    /// Whether a height is where somebody can stand.
    static func isCredible(_ altitude: Int64, _ rules: Rules) -> Bool {
        rules.countImplausible
            ? altitude.magnitude <= greatestMillimetres
            : Plausibility.altitudeMillimetres.contains(altitude)
    }

    /// What is left of it where no height comes any more.
    mutating func close() { self = Climbs(run: run.closed, hasHeights: hasHeights) }

    init() {}

    private init(run: ClimbRun, hasHeights: Bool) {
        (self.run, self.hasHeights) = (run, hasHeights)
    }

    /// What comes next does not continue from here.
    mutating func breakOff(_ rules: Rules) {
        gather(rules)
        smooth(toEnd: true, rules)
        run.breakOff()
        (last, trial, gathered, began, means, smoothed) = (nil, nil, Height(), 0, [], 0)
    }

    /// Takes the error of the heights that come.
    mutating func tell(errorMillimetres: UInt64) {
        error = min(max(errorMillimetres, 1_000), 15_000)
    }

    /// Takes a height that is credible.
    ///
    /// - Returns: Whether it is set aside.
    mutating func take(_ altitude: Int64, at time: FixTime, _ rules: Rules) -> Bool {
        let here = Height(millimetres: altitude, time: time)
        if let last, !rules.countImplausible {
            let climb = here.climb(from: last)
            if let trial, let other = here.climb(from: trial), other < climb ?? .max {
                breakOff(rules)
                add(trial, rules)
            } else if climb == nil {
                trial = here
                return true
            }
        }
        trial = nil
        add(here, rules)
        return false
    }

    private mutating func add(_ height: Height, _ rules: Rules) {
        gathered.time.milliseconds.add(last.map { height.time.elapsed(since: $0.time) } ?? 0)
        (last, hasHeights) = (height, true)
        if count > 0, gathered.at - began >= 10_000 { gather(rules) }
        if count == 0 { (began, gathered.millimetres) = (gathered.at, 0) }
        count = min(count + 1, 1_000)
        gathered.millimetres += (height.millimetres - gathered.millimetres) / Int64(count)
        if !rules.smoothClimb { gather(rules) }
    }

    private mutating func gather(_ rules: Rules) {
        guard count > 0 else { return }
        count = 0
        means.append(gathered)
        if means.count > 2 {
            // How much the last but one is off the line between the others.
            let ends = means[means.count - 1].millimetres + means[means.count - 3].millimetres
            let bend = (ends - 2 * means[means.count - 2].millimetres).magnitude
            squares += 1
            square = square - square / squares + min(bend * bend, 9 * square) / squares
            (square, squares) = (min(max(square, 1_000), 1 << 50), min(squares, 32))
        }
        smooth(toEnd: false, rules)
    }

    /// How much heights wander, in millimetres: as much as the means bend, if an error lasts 100 s.
    private var deviation: UInt64 {
        guard let last = means.last, means.count > 1 else { return 0 }
        let spacing = max(last.at - means[means.count - 2].at, 1_000)
        return min((square / 5).scaled(by: 100_000, over: spacing).squareRoot, error)
    }

    /// Smooths the means that have enough others around, and counts their climbs.
    private mutating func smooth(toEnd: Bool, _ rules: Rules) {
        guard let last = means.last else { return }
        let deviation = rules.smoothClimb ? deviation : 0
        let width: UInt64 =
            switch deviation {
            case _ where !rules.smoothClimb: 0
            case ..<1_500: 9_000
            case ..<3_000: 15_000
            case ..<6_000: 21_000
            default: 33_000
            }
        while smoothed < means.count {
            let middle = means[smoothed].at
            // Evenly on both sides: a slope changes nothing.
            var reach = min(width, middle - means[0].at)
            if last.at - middle < reach {
                guard toEnd else { break }
                reach = last.at - middle
            }
            let around = means.lazy.filter { $0.at <= middle + reach && $0.at + reach >= middle }
            let sum: (Int64, Int64) = around.reduce((0, 0)) { ($0.0 + $1.millimetres, $0.1 + 1) }
            let elapsed = smoothed > 0 ? middle - means[smoothed - 1].at : 0
            run.take(sum.0 / sum.1, after: elapsed, deviation, rules)
            smoothed += 1
        }
        // Without smoothing only the last one is of use, however many come at one time.
        while smoothed > 1, width == 0 || last.at - means[0].at > 3 * width {
            means.removeFirst()
            smoothed -= 1
        }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&run, &hasHeights, &last, &trial, &error, &square)
        try coder(&squares, &gathered, &count, &began, &means)
        var index = UInt64(smoothed)
        try coder(&index)
        let times = means.map(\.at) + [gathered.at]
        try coder.require(
            count <= 1_000 && index <= UInt64(means.count) && error <= 15_000
                && (1_000...1 << 50).contains(square) && (1...32).contains(squares)
                && began <= gathered.at && zip(times, times.dropFirst()).allSatisfy(<=))
        smoothed = Int(index)
    }
}
