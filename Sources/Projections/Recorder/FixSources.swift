package import Events

/// A receiver, or an app of a phone, as the log knows it.
package struct FixSource: StatePart, Hashable, Sendable {
    /// What it said of itself last.
    package var told = PositionSourceTold()
    /// When its last fix came that is exact enough to count.
    package private(set) var heardAt: Stamp?
    /// How far off that may be; nil if it does not say.
    package private(set) var accuracyMillimetres: UInt64?
    /// How long after the one before it came, but for those that came together.
    private var intervalMilliseconds: UInt64 = 0

    package init() {}

    /// Whether it is an app of a phone.
    package var isPhone: Bool { told.app != OpenCode(.receiver) }

    package mutating func hear(_ fix: PositionFixed, at stamp: Stamp) {
        guard !fix.isInexact, !isPhone || fix.isOfNow(at: stamp) else { return }
        // What a phone has kept comes at once, and says nothing of how often it sends.
        if let passed = passed(at: stamp), passed > 1_000 { intervalMilliseconds = passed }
        (heardAt, accuracyMillimetres) = (stamp, fix.accuracyMillimetres)
    }

    private func passed(at stamp: Stamp) -> UInt64? {
        guard let heardAt, heardAt.bootNumber == stamp.bootNumber else { return nil }
        return stamp.bootMilliseconds.minus(heardAt.bootMilliseconds)
    }

    /// For how long it may send nothing that counts, in milliseconds, within a range: a phone,
    /// which sends seldom by design, for twice the time between its last two fixes.
    package func patience(within range: ClosedRange<UInt64>) -> UInt64 {
        guard isPhone else { return range.lowerBound }
        return min(max(intervalMilliseconds.times(2), range.lowerBound), range.upperBound)
    }

    /// Whether another one is to be asked.
    package func isSilent(at stamp: Stamp) -> Bool {
        let range = Plausibility.pedometerSilenceMilliseconds...120_000
        return passed(at: stamp).map { $0 > patience(within: range) } ?? true
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&told.app, &told.name, &told.batteryPercent)
        try coder(&heardAt, &accuracyMillimetres, &intervalMilliseconds)
    }
}

extension PositionSourceTold {
    /// Whether both tell of the same source.
    func isSame(as other: PositionSourceTold) -> Bool { app == other.app && name == other.name }
}

/// The sources of positions; one of them leads, and its fixes are those that are recorded.
package struct FixSources: StatePart, Hashable, Sendable {
    /// The most that are told apart; of more, whoever has led longest ago is forgotten.
    static let limit = 8

    /// The sources, whoever has led last at the end.
    package private(set) var all: [FixSource] = []

    init() {}

    /// Whose fixes are recorded; nil before the first.
    package var leader: FixSource? { all.last }
    /// Whether those are a phone's.
    package var areOfPhone: Bool { leader?.isPhone == true }

    /// Those among which there is a phone, whoever leads first; none without one.
    package var shown: [FixSource] { all.contains(where: \.isPhone) ? all.reversed() : [] }

    /// A source leads from now on.
    mutating func follow(_ told: PositionSourceTold) {
        let index = all.firstIndex { $0.told.isSame(as: told) }
        var source = index.map { all.remove(at: $0) } ?? FixSource()
        source.told = told
        all = (all + [source]).suffix(Self.limit)
    }

    /// Takes a fix of the source that leads; of a receiver, if none was told.
    @inline(__always)
    mutating func hear(_ fix: PositionFixed, at stamp: Stamp) {
        if all.isEmpty { follow(PositionSourceTold()) }
        all[all.count - 1].hear(fix, at: stamp)
    }

    /// Whether a source's fix is to be recorded: of the one that leads, of another one while that
    /// is silent, and of one that is more exact by half, which leads from then on.
    func takes(_ fix: PositionFixed, of told: PositionSourceTold, at stamp: Stamp) -> Bool {
        guard let leader, !leader.told.isSame(as: told) else { return true }
        if fix.isInexact { return false }
        if leader.isSilent(at: stamp) { return true }
        guard let own = fix.accuracyMillimetres, let other = leader.accuracyMillimetres
        else { return false }
        return own <= other / 2 && fix.isOfNow(at: stamp)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&all)
        try coder.require(all.count <= Self.limit)
    }
}

/// Fixes of a walk that are left out before any of its measures sees them, by reason.
package struct LeftOutFixes: StatePart, Hashable, Sendable {
    /// The reasons.
    package static let faults = FixFault.allCases.dropFirst()

    private var counts = faults.map { _ in UInt64(0) }

    init() {}

    /// How many there are.
    package var sum: UInt64 { counts.reduce(0) { $0.plus($1) } }

    /// How many are left out for a reason.
    package subscript(fault: FixFault) -> UInt64 {
        fault == .none ? 0 : counts[Int(fault.rawValue) - 1]
    }

    /// Adds one.
    mutating func add(_ fault: FixFault?) {
        if let fault, fault != .none { counts[Int(fault.rawValue) - 1].add(1) }
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&counts)
        try coder.require(counts.count == Self.faults.count)
    }
}

extension PositionFixed {
    /// Whether it was taken about when it came, by its source's own clock: what a phone has kept
    /// says nothing of the present.
    package func isOfNow(
        at stamp: Stamp, within milliseconds: UInt64 = Plausibility.pedometerSilenceMilliseconds
    ) -> Bool {
        guard let taken = fixedAtMilliseconds.map(FoldClock.wall) else { return true }
        return (FoldClock.wall(stamp.wallMilliseconds) - taken).magnitude <= milliseconds
    }
}
