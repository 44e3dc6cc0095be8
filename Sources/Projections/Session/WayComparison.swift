/// How the measures of a walk's way agree, window by window of a minute; one begins anew where
/// speeds or positions come or fall silent.
///
/// A measure is doubted if two others that agree differ from it by a factor of 3 or more, as they
/// do from one that stands still; or if a better one does that is not doubted.
package struct WayComparison: StatePart, Hashable, Sendable {
    /// How long a window is.
    private static let windowMilliseconds: UInt64 = 60_000
    /// When a window under way is compared: pedometers after 10 s, positions, which are told late,
    /// after 30 s.
    private static let firstMilliseconds: UInt64 = 10_000
    private static let positionMilliseconds: UInt64 = 30_000
    /// Shorter ways say nothing: 10 m.
    private static let leastMillimetres: UInt64 = 10_000
    /// Those that differ by this factor contradict each other.
    private static let factor: UInt64 = 3
    /// A step of unknown length, for comparing only.
    private static let stepMillimetres: UInt64 = 700
    /// The lengths in which steps and a measured way agree, of one step: 0.3 to 1.5 m.
    private static let strideMillimetres: ClosedRange<UInt64> = 300...1_500
    /// The fewest steps of a window that say how long they are.
    private static let leastSteps: UInt64 = 50

    /// The windows in which each measure was compared, and those in which it was doubted.
    private var compared = WayLength.ByMeasure()
    private var doubtful = WayLength.ByMeasure()
    /// The steps whose length was measured, and how long they were.
    private(set) var stride = Stride()
    /// The measures that were heard in this window, and those that are doubted.
    private(set) var heard: WayLength.Measures = []
    private(set) var doubted: WayLength.Measures = []
    /// What this window has measured so far, and its steps.
    private var lengths = WayLength.ByMeasure()
    private var steps: UInt64 = 0
    private var begunAt: UInt64 = 0
    private(set) var nextAt: UInt64 = 0

    /// The measures that were doubted for most of the time.
    package var doubtedMeasures: [WayLength.Measure] {
        WayLength.Measure.allCases.filter { doubtful[$0].times(2) > compared[$0] }
    }

    /// Begins a window.
    mutating func begin(at now: UInt64) {
        (heard, lengths, steps) = ([], WayLength.ByMeasure(), 0)
        (begunAt, nextAt) = (now, now.plus(Self.firstMilliseconds))
    }

    /// Begins a window anew, unless it has hardly begun.
    mutating func restart(at now: UInt64) { if now.minus(begunAt) > 5_000 { begin(at: now) } }

    /// Ends the window that is under way.
    mutating func close(at now: UInt64, _ rules: Rules) {
        if now.minus(begunAt) >= Self.firstMilliseconds { endWindow(at: now, rules) }
        begin(at: 0)
        doubted = []
    }

    @inline(__always)
    mutating func hear(_ measure: WayLength.Measures) { heard.formUnion(measure) }

    @inline(__always)
    mutating func count(_ steps: UInt64) { self.steps.add(steps) }

    @inline(__always)
    mutating func measure(_ millimetres: UInt64, by measure: WayLength.Measure) {
        lengths[measure].add(millimetres)
    }

    /// Compares what the window has measured so far; of use from ``nextAt`` on.
    @inline(never)
    mutating func compare(at now: UInt64, _ rules: Rules) {
        if now.minus(begunAt) >= Self.windowMilliseconds { return endWindow(at: now, rules) }
        doubted = doubts(at: now, rules)
        nextAt = now.plus(Self.firstMilliseconds)
    }

    private mutating func endWindow(at now: UInt64, _ rules: Rules) {
        doubted = doubts(at: now, rules)
        for measure in WayLength.Measure.allCases where isPresent(measure) {
            compared[measure].add(1)
            if doubted.contains(measure.asSet) { doubtful[measure].add(1) }
        }
        let best = WayLength.Measure.allCases.first {
            heard.contains($0.asSet) && !doubted.contains($0.asSet)
        }
        if let best, best != .steps, !doubted.contains(WayLength.Measure.steps.asSet),
            steps >= Self.leastSteps,
            Self.strideMillimetres.contains(lengths[best] / steps)
        {
            stride.add(Stride(steps: steps, millimetres: lengths[best]))
        }
        begin(at: now)
    }

    /// Whether a measure can be compared: steps where there are some, whatever their length.
    private func isPresent(_ measure: WayLength.Measure) -> Bool {
        measure == .steps ? steps > 0 : heard.contains(measure.asSet)
    }

    private func doubts(at now: UInt64, _ rules: Rules) -> WayLength.Measures {
        guard rules.doubtLengths else { return [] }
        var lengths = lengths
        if lengths[.steps] == 0 { lengths[.steps] = steps.times(Self.stepMillimetres) }
        let isEarly = now.minus(begunAt) < Self.positionMilliseconds
        func isCompared(_ measure: WayLength.Measure) -> Bool {
            isPresent(measure) && !(isEarly && measure == .position)
        }
        func contradict(_ less: UInt64, _ more: UInt64) -> Bool {
            more >= Self.leastMillimetres && more >= less.times(Self.factor)
        }
        func contradict(_ one: WayLength.Measure, _ other: WayLength.Measure) -> Bool {
            contradict(min(lengths[one], lengths[other]), max(lengths[one], lengths[other]))
        }
        var (least, most) = (UInt64.max, UInt64(0))
        for measure in WayLength.Measure.allCases where isCompared(measure) {
            (least, most) = (min(least, lengths[measure]), max(most, lengths[measure]))
        }
        // Nearly always not even these two do.
        guard contradict(least, most) else { return [] }
        let present = WayLength.Measure.allCases.filter(isCompared)
        var doubted: WayLength.Measures = []
        for measure in present {
            let against = present.filter { contradict(measure, $0) }
            let agree = against.contains { one in
                against.contains { $0 != one && !contradict(one, $0) }
            }
            if agree { doubted.insert(measure.asSet) }
        }
        // Of two the better one is believed.
        for (index, measure) in present.enumerated() {
            let isContradicted = present[..<index].contains {
                !doubted.contains($0.asSet) && contradict($0, measure)
            }
            if isContradicted { doubted.insert(measure.asSet) }
        }
        return doubted
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&compared, &doubtful, &stride, &heard, &doubted)
        try coder(&lengths, &steps, &begunAt, &nextAt)
    }
}

/// Steps, and how long they were: the length of a walker's step.
package struct Stride: StatePart, Hashable, Sendable {
    /// How many.
    private(set) var steps: UInt64 = 0
    /// How long they were.
    private(set) var millimetres: UInt64 = 0

    init() {}

    init(steps: UInt64, millimetres: UInt64) {
        (self.steps, self.millimetres) = (steps, millimetres)
    }

    mutating func add(_ other: Stride) {
        steps.add(other.steps)
        millimetres.add(other.millimetres)
    }

    /// The length of one; nil without any.
    var micrometres: UInt64? { steps == 0 ? nil : millimetres.scaled(by: 1_000, over: steps) }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&steps, &millimetres)
    }
}

/// The walker's own stride (G5): from the last walks in which steps and a measured way agreed.
package struct OwnStride: StatePart, Hashable, Sendable {
    /// The most walks that are heeded.
    private static let limit = 12
    /// The shortest way of a walk that says how long its steps are: 500 m.
    private static let leastMillimetres: UInt64 = 500_000

    private var walks: [Stride] = []

    init() {}

    /// The length of a step; nil before the first such walk.
    package var micrometres: UInt64? {
        walks.reduce(into: Stride()) { $0.add($1) }.micrometres
    }

    /// Takes what a walk has measured that ends.
    mutating func take(_ stride: Stride) {
        guard stride.millimetres >= Self.leastMillimetres else { return }
        walks = walks.suffix(Self.limit - 1) + [stride]
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&walks)
        try coder.require(walks.count <= Self.limit)
    }
}
