internal import Events

/// The walks of an activity file: a session each, or what was recorded by a clock that no session
/// has.
struct FITWalks {
    private struct Walk {
        let group: Int
        let start: Int64
        let isOnFoot: Bool
        let isTransition: Bool
        var draft: WalkDraft
    }

    /// So long a heart rate stands for those that the strap had stored, too.
    private static let slotMilliseconds: Int64 = 10_000

    /// In order of time, by groups of clocks.
    private var walks: [Walk] = []
    /// The walk of the fact before.
    private var own = 0
    private var slots: Set<Int64> = []
    private let hasStored: Bool
    private let isOurs: Bool
    private let hasCycles: Bool
    private let namesSport: Bool
    /// When the walks were, as far as records tell.
    private var spans: [ClosedRange<Int64>?] = []

    /// How many sessions have a time that is far from all records.
    private(set) var strangers: UInt64 = 0

    init(_ activity: FITActivity) {
        (hasStored, isOurs) = (activity.hasStored, activity.isOurs)
        (hasCycles, namesSport) = (activity.hasCycles, activity.namesSport)
        let stretches = activity.clock.stretches
        for session in activity.sessions {
            let stretch = activity.clock.stretch(of: session.start)
            guard stretches.isEmpty || stretch?.shift != nil else {
                strangers += 1
                continue
            }
            let (shift, group) = (stretch?.shift ?? 0, stretch?.group ?? 0)
            guard !walks.contains(where: { $0.group == group && $0.start == session.start + shift })
            else {
                strangers += 1
                continue
            }
            add(session.sport, session.isTransition, group, activity.keeper) {
                $0.whole = session.sum(later: shift, isOnFoot: $1)
            }
        }
        let groups = Set(stretches.filter { $0.shift != nil }.map(\.group))
        for group in groups where !walks.contains(where: { $0.group == group }) {
            let sport = activity.sessions.first?.sport ?? activity.sport
            add(sport, false, group, activity.keeper) { draft, _ in
                draft.isImplied = groups.count == 1 && activity.start == nil
                guard let start = activity.start else { return }
                draft.whole = WalkDraft.Sum(start: start, end: start)
            }
        }
        walks.sort { ($0.group, $0.start) < ($1.group, $1.start) }
        addLaps(activity)
        for index in walks.indices { walks[index].draft.knowsStops = activity.start != nil }
        for stop in activity.stops {
            let group = stretches[stop.from.stretch].group
            guard let shift = stretches[stop.from.stretch].shift else { continue }
            let start = stop.from.at + shift
            let end = stop.to.map { $0.at + (stretches[$0.stretch].shift ?? shift) } ?? Int64.max
            for index in walks.indices where walks[index].group == group && start < end {
                guard start < next(after: index), end > walks[index].start else { continue }
                walks[index].draft.stops.append(start...end)
            }
        }
    }

    private mutating func addLaps(_ activity: FITActivity) {
        var before: (lap: FITSum, sum: WalkDraft.Sum, walk: Int)?
        for lap in activity.laps {
            guard let stretch = activity.clock.stretch(of: lap.start), let shift = stretch.shift,
                let own = walk(at: lap.start + shift, stretch.group)
            else { continue }
            let sum = lap.sum(later: shift, isOnFoot: walks[own].isOnFoot)
            walks[own].draft.laps.append(sum)
            if let start = activity.start, let elapsed = lap.exactElapsed, let cause = lap.cause {
                walks[own].draft.endLap(at: start + elapsed, cause)
            } else if let before, before.walk == own, before.sum.start < sum.start,
                activity.start == nil, let cause = before.lap.cause
            {
                let end = before.lap.elapsed == nil ? sum.start : before.sum.end
                walks[own].draft.endLap(at: min(end, sum.start), cause)
            }
            before = (lap, sum, own)
        }
    }

    private mutating func add(
        _ sport: Sport?, _ isTransition: Bool, _ group: Int, _ keeper: ByteKeeper?,
        _ fill: (inout WalkDraft, Bool) -> Void
    ) {
        // On foot cycles are strides, and ours are of steps; without a name it was a walk.
        let isOnFoot = isOurs || sport?.isOnFoot ?? !namesSport
        var draft = WalkDraft(keptIn: keeper)
        fill(&draft, isOnFoot)
        draft.sport = sport
        walks.append(
            Walk(
                group: group, start: draft.whole?.start ?? .min, isOnFoot: isOnFoot,
                isTransition: isTransition, draft: draft))
    }

    /// When the next walk begins by the same clock.
    private func next(after index: Int) -> Int64 {
        let next = index + 1
        return next < walks.count && walks[next].group == walks[index].group
            ? walks[next].start : .max
    }

    /// The walk in which a moment is: the last that has begun, or the first.
    private mutating func walk(at now: Int64, _ group: Int) -> Int? {
        func isIn(_ index: Int) -> Bool {
            walks.indices.contains(index) && walks[index].group == group
                && walks[index].start <= now && now < next(after: index)
        }
        if isIn(own) { return own }
        guard
            let found = walks.lastIndex(where: { $0.group == group && $0.start <= now })
                ?? walks.firstIndex(where: { $0.group == group })
        else { return nil }
        own = found
        return found
    }

    /// Adds what was counted up to a moment.
    ///
    /// - Returns: 1 if it has cycles that are no steps.
    mutating func add(
        _ count: WalkCount, later shift: Int64, _ group: Int, _ facts: borrowing WalkFacts
    ) -> UInt64 {
        let at = count.at + shift
        guard facts.canHave(at), let own = walk(at: at, group) else { return 0 }
        var count = count
        count.at = at
        let isCycling = count.steps != nil && !walks[own].isOnFoot
        if isCycling || count.isOfCadence && hasCycles { count.steps = nil }
        walks[own].draft.isCadence = walks[own].draft.isCadence || count.isOfCadence && !hasCycles
        walks[own].draft.add(count)
        return isCycling && !count.isOfCadence ? 1 : 0
    }

    /// Adds what is said of a moment.
    mutating func add(
        _ fact: borrowing EventView, later shift: Int64, _ group: Int, _ facts: inout WalkFacts
    ) {
        let at = fact.header.stamp.wallMilliseconds + shift
        guard facts.isPossible(at), let own = walk(at: at, group) else { return }
        if hasStored, fact.header.kind == .characteristicNotified {
            slots.insert(at / Self.slotMilliseconds)
        }
        if fact.header.kind == .positionFixed { walks[own].draft.hasPlaces = true }
        walks[own].draft.told.copy(fact, at: Stamp(walk: 0, at: at))
    }

    /// Says that all was added but for heart rates that the strap had stored.
    mutating func finishRecords() { spans = walks.map { $0.draft.span() } }

    /// Adds a heart rate that the strap had stored, where no record has one.
    mutating func addStored(
        _ fact: borrowing EventView, later shift: Int64, _ group: Int, _ facts: inout WalkFacts
    ) {
        let at = fact.header.stamp.wallMilliseconds + shift
        guard facts.isPossible(at), let own = walk(at: at, group) else { return }
        guard !slots.contains(at / Self.slotMilliseconds) else {
            return facts.leaveOut("stored heart rates that records have, too")
        }
        guard spans[own]?.contains(at) ?? false else {
            return facts.leaveOut("stored heart rates from before or after the walk")
        }
        walks[own].draft.told.copy(fact, at: Stamp(walk: 0, at: at))
    }

    /// Adds the walks to what the file says.
    ///
    /// - Parameters:
    ///   - facts: What the file says.
    ///   - counting: What was counted before.
    ///   - strap: What the strap is called; nil if the file does not say.
    mutating func close(
        _ facts: inout WalkFacts, _ counting: inout WalkCounting, strap: String?
    ) {
        var last: (at: Int64, walk: Int64)?
        for (index, walk) in walks.enumerated() {
            guard !walk.isTransition else {
                facts.leaveOut("transitions")
                continue
            }
            last = walk.draft.close(into: &facts, until: next(after: index), &counting) ?? last
        }
        if let strap, let last { facts.add(.strap(strap), at: last.at, of: last.walk) }
    }
}
