internal import Events

/// What one activity file says of walks, until it has come to its end.
///
/// Which sport it was, and where a session ends, stands after the records.
struct FITActivity {
    private typealias Number = FITMessageNumber

    /// A heart rate to which intervals may still come.
    private struct Heart {
        let at: Int64
        let bpm: UInt16
        var ticks: [UInt16] = []
    }

    /// A session as its message tells it.
    private struct Bout {
        var start: Int64
        var end: Int64
        let sport: Int64
        let strides: UInt64

        var isOnFoot: Bool { FITActivity.sportsOnFoot.contains(sport) }
        /// The steps on foot.
        var steps: UInt64 { isOnFoot ? strides * 2 : 0 }
    }

    /// How far from the others a time can be, unless another agrees with it: a week.
    private static let reachMilliseconds: Int64 = 604_800_000
    /// How many messages that agree keep a date from being taken for wrong.
    private static let agreeingLimit = 10
    /// For how long intervals belong to a heart rate before them: 10 s.
    private static let holdMilliseconds: Int64 = 10_000
    /// Walking, hiking and running, in which cycles are strides.
    fileprivate static let sportsOnFoot: [Int64] = [1, 11, 17]
    /// The kinds of files that say what was, not what is to be.
    private static let kinds: [Int64] = [4, 15, 28, 32]
    /// The most sessions of a file that are told apart.
    private static let sessionLimit = 64

    private var kind: Int64?
    /// Whether this program has written it.
    var isOurs = false
    private var offered: (strap: String?, product: String?)
    /// When the walk began to the millisecond, if it is one of ours.
    private var start: Int64?
    /// The sport, by what stands before the records.
    private var sport: Int64 = -1
    private var heart: Heart?
    /// Intervals that came before any heart rate.
    private var earlyTicks: [UInt16] = []
    private let keeper: ByteKeeper?
    /// What the file says, until all of it is known.
    private var told: EventBatch
    private var counts: EventBatch
    private var hasPositions = false
    private var hasOwnDistance = false
    private var firstAt: Int64?
    private var lastAt: Int64?
    /// When the last message was that has a date, and one since that is far from it.
    private var anchor: (at: Int64, far: Int64?)?
    private var agreeing = 0
    private var sessions: [Bout] = []
    private var pausedAt: Int64?
    private var isLapByHand = false
    private var otherMessages: UInt64 = 0
    private var otherFields: UInt64 = 0
    private var untimed: UInt64 = 0
    private var looseTicks: UInt64 = 0

    init(keptIn keeper: ByteKeeper?) {
        self.keeper = keeper
        (told, counts) = (EventBatch(keptIn: keeper), EventBatch(keptIn: keeper))
    }

    mutating func take(_ message: FITMessage, _ facts: inout WalkFacts) {
        otherFields += message.definition.foreign
        switch message.definition.message {
        case Number.fileID:
            kind = message.number(0)
            offered.product = message.text(8)
            if offered.product == WalkFile.simulator { facts.isSimulated = true }
        case Number.developerDataID, Number.fieldDescription: break
        case _ where !Self.kinds.contains(kind ?? Self.kinds[0]): otherMessages += 1
        case Number.deviceInfo: takeDevice(message)
        case Number.sport: sport = message.number(0) ?? -1
        case Number.event: takeEvent(message, &facts)
        case Number.record: takeRecord(message, &facts)
        case Number.hrv: takeIntervals(message, &facts)
        case Number.lap: takeLap(message, &facts)
        case Number.session: takeSession(message)
        case Number.activity:
            guard let local = message.number(5), let utc = message.timestamp,
                abs(local - utc) <= 86_400
            else { return }
            facts.offsetMinutes = facts.offsetMinutes ?? ((local - utc + 86_430) / 60 - 1_440)
        default: otherMessages += 1
        }
    }

    /// UTC milliseconds of a message; nil, and counted, if it has no date that fits the others.
    private mutating func time(_ message: FITMessage, _ facts: inout WalkFacts) -> Int64? {
        var told = FITTime.wallMilliseconds(message.timestamp)
        if let start, let elapsed = message.number(.elapsed) { told = start + elapsed }
        guard let at = told else {
            untimed += 1
            return nil
        }
        guard facts.isPossible(at) else { return nil }
        if start == nil, let known = anchor, abs(at - known.at) > Self.reachMilliseconds {
            guard let far = known.far, abs(at - far) <= Self.reachMilliseconds,
                agreeing < Self.agreeingLimit
            else {
                anchor?.far = at
                untimed += 1
                return nil
            }
            forget()
        }
        anchor = (at, nil)
        agreeing += 1
        return at
    }

    /// A clock was set right after the first messages: those have no date.
    private mutating func forget() {
        untimed += UInt64(agreeing)
        (firstAt, lastAt, pausedAt, heart) = (nil, nil, nil, nil)
        (told, counts) = (EventBatch(keptIn: keeper), EventBatch(keptIn: keeper))
        (earlyTicks, sessions, agreeing) = ([], [], 0)
    }

    private mutating func tell(_ fact: WalkFacts.Fact, at wall: Int64, _ facts: inout WalkFacts) {
        guard told.count <= WalkFacts.limit else { return }
        if let refusal = told.add(fact, at: wall) { facts.leaveOut(refusal) }
    }

    // MARK: - Messages

    private mutating func takeDevice(_ message: FITMessage) {
        // A heart-rate monitor, of ANT+ or of Bluetooth.
        let isStrap =
            message.number(1) == 120 || message.number(1) == 1 && message.number(25) == 3
        let name = message.text(27) ?? message.text(19)
        if isStrap { offered.strap = offered.strap ?? name }
        if message.number(0) == 0 { offered.product = offered.product ?? name }
    }

    private mutating func takeEvent(_ message: FITMessage, _ facts: inout WalkFacts) {
        if let began = message.number(.start) {
            start = began
            tell(.began, at: began, &facts)
            return count(FITCount(at: began))
        }
        guard let at = time(message, &facts) else { return }
        switch (message.number(0), message.number(1)) {
        case (0, 0):
            if let pausedAt, pausedAt < at {
                tell(.paused, at: pausedAt, &facts)
                tell(.resumed, at: at, &facts)
            }
            pausedAt = nil
            count(FITCount(at: at, isResumed: true))
        case (0, 1), (0, 4), (0, 8), (0, 9):
            guard pausedAt == nil else { return }
            pausedAt = at
            count(FITCount(at: at))
        case (32, _): tell(.mark(message.text(.mark) ?? ""), at: at, &facts)
        default: break
        }
    }

    private mutating func takeRecord(_ message: FITMessage, _ facts: inout WalkFacts) {
        guard let at = time(message, &facts) else { return }
        firstAt = min(firstAt ?? at, at)
        lastAt = max(lastAt ?? at, at)
        if let bpm = message.number(.heartRate) ?? message.number(3) {
            flushHeart(&facts)
            heart = Heart(at: at, bpm: UInt16(clamping: bpm), ticks: earlyTicks)
            earlyTicks = []
        }
        if let latitude = Self.degreesE7(message.number(0)),
            let longitude = Self.degreesE7(message.number(1))
        {
            hasPositions = true
            let height = (message.number(78) ?? message.number(2)).map { $0 * 200 - 500_000 }
            tell(
                .position(
                    PositionFixed(
                        latitudeE7: latitude, longitudeE7: longitude,
                        altitudeMillimetres: message.number(.altitude) ?? height,
                        accuracyMillimetres: message.amount(.accuracy)
                            ?? message.amount(31).map { $0 * 1_000 },
                        speedMillimetresPerSecond: message.amount(73) ?? message.amount(6))),
                at: at, &facts)
        }
        let (ownSteps, ownDistance) = (message.amount(.steps), message.amount(.distance))
        if ownSteps != nil { sport = Self.sportsOnFoot[0] }
        if ownDistance != nil { hasOwnDistance = true }
        let steps = ownSteps ?? message.amount(19).map { $0 * 2 }
        let distance = ownDistance ?? message.amount(5).map { $0 * 10 }
        guard steps != nil || distance != nil else { return }
        count(FITCount(at: at, steps: steps, distance: distance))
    }

    private static func degreesE7(_ semicircles: Int64?) -> Int64? {
        semicircles.flatMap { Int32(exactly: $0) }
            .map { (Int64($0) * 1_800_000_000 + (1 << 30)) >> 31 }
    }

    private mutating func count(_ count: FITCount) {
        // Those of the first and of the last moment follow.
        guard counts.count < WalkFacts.limit - 2, counts.add(count.event, at: count.at) == nil
        else { return untimed += 1 }
    }

    private mutating func takeIntervals(_ message: FITMessage, _ facts: inout WalkFacts) {
        let told =
            message.numbers(.intervals)
            ?? (message.numbers(0) ?? []).map { (min($0, 1 << 16) * 1_024 + 500) / 1_000 }
        let ticks = told.compactMap { UInt16(exactly: $0) }
        if let lastAt, let last = heart, lastAt - last.at > Self.holdMilliseconds {
            flushHeart(&facts)
        }
        let room = WalkFacts.intervalLimit - (heart?.ticks.count ?? earlyTicks.count)
        looseTicks += UInt64(told.count - min(ticks.count, room))
        if heart != nil {
            heart?.ticks += ticks.prefix(room)
        } else {
            earlyTicks += ticks.prefix(room)
        }
    }

    private mutating func flushHeart(_ facts: inout WalkFacts) {
        guard let heart else { return }
        tell(.heartRate(heart.bpm, rrTicks: heart.ticks), at: heart.at, &facts)
        self.heart = nil
    }

    private mutating func takeLap(_ message: FITMessage, _ facts: inout WalkFacts) {
        // Our own files have the marks in events.
        if isLapByHand, !isOurs, let at = FITTime.wallMilliseconds(message.number(2)),
            abs(at - (anchor?.at ?? at)) <= Self.reachMilliseconds
        {
            tell(.mark(""), at: at, &facts)
        }
        isLapByHand = message.number(24) == 0
    }

    private mutating func takeSession(_ message: FITMessage) {
        guard sessions.count < Self.sessionLimit else { return otherMessages += 1 }
        guard let began = start ?? FITTime.wallMilliseconds(message.number(2)),
            abs(began - (firstAt ?? began)) <= Self.reachMilliseconds
        else { return untimed += 1 }
        let end = began + (message.number(7) ?? 0)
        // The time at which ours is written says whole seconds.
        let written = start == nil ? FITTime.wallMilliseconds(message.timestamp) ?? end : end
        sessions.append(
            Bout(
                start: began, end: max(end, written),
                sport: message.number(5) ?? -1,
                strides: message.amount(10) ?? 0))
    }

    // MARK: - The end

    /// The file has come to its end, or to a damage.
    mutating func close(_ facts: inout WalkFacts) {
        flushHeart(&facts)
        boundSessions()
        facts.add(told)
        if let pausedAt, pausedAt < sessions.last?.end ?? lastAt ?? .min {
            facts.add(.paused, at: pausedAt)
        }
        addCounts(&facts)
        if sessions.isEmpty, let firstAt { facts.add(WalkSport(fit: sport), at: firstAt) }
        for session in sessions {
            facts.add(WalkSport(fit: session.sport), at: session.start)
            facts.add(.began, at: session.start)
            facts.add(.ended, at: session.end)
        }
        // Of ours it is the recorder that is no strap.
        let product = isOurs ? nil : offered.product
        if let name = offered.strap ?? product, let lastAt {
            facts.add(.strap(name), at: sessions.last?.end ?? lastAt)
        }
        let leftOut: [(String, UInt64)] = [
            ("FIT messages that say nothing of a walk", otherMessages),
            ("developer fields of other programs", otherFields),
            ("FIT messages without a date that fits", untimed),
            ("intervals between beats without a heart rate", looseTicks),
        ]
        for (what, count) in leftOut where count > 0 { facts.leaveOut(what, count: count) }
    }

    /// A session reaches from its first value to its last, where they lie outside of what it says.
    private mutating func boundSessions() {
        guard let firstAt, let lastAt, !sessions.isEmpty else { return }
        sessions.sort { $0.start < $1.start }
        sessions[0].start = min(sessions[0].start, firstAt)
        for index in sessions.indices where sessions[index].end > lastAt + Self.reachMilliseconds {
            sessions[index].end = sessions[index].start
        }
        for batch in [told, counts] {
            batch.forEach { fact in
                let at = fact.header.stamp.wallMilliseconds
                guard let own = session(at: at) else { return }
                sessions[own].end = max(sessions[own].end, at)
            }
        }
        for (index, next) in zip(sessions.indices, sessions.dropFirst()) {
            let end = min(sessions[index].end, next.start - 1)
            sessions[index].end = max(sessions[index].start, end)
        }
    }

    private func session(at time: Int64) -> Int? { sessions.lastIndex { $0.start <= time } }

    /// Adds what was counted, now that it is known whether it was on foot.
    private func addCounts(_ facts: inout WalkFacts) {
        var (otherCycles, hasSteps, hasDistance) = (UInt64(0), false, false)
        counts.forEach { fact in
            let count = FITCount(fact)
            hasDistance = hasDistance || count.distance != nil
            guard count.steps != nil else { return }
            if isOnFoot(at: count.at) { hasSteps = true } else { otherCycles += 1 }
        }
        if otherCycles > 0 { facts.leaveOut("cycles that are no steps", count: otherCycles) }
        let measures = (hasOwnDistance || !hasPositions) && hasDistance
        let isSpread = !hasSteps && sessions.contains { $0.isOnFoot && $0.strides > 0 }
        guard measures || hasSteps || isSpread else { return }
        var (steps, distance): (UInt64, UInt64) = (0, 0)
        var told: (UInt64, UInt64)?
        (isSpread ? forEachSpread : forEachCount) { count in
            (steps, distance) = (count.steps ?? steps, count.distance ?? distance)
            let isNews = told.map { $0 != (steps, distance) } ?? true
            guard isNews || count.isResumed else { return }
            told = (steps, distance)
            facts.add(
                .walked(steps: steps, distanceMillimetres: measures ? distance : nil),
                at: count.at)
        }
    }

    private func isOnFoot(at time: Int64) -> Bool {
        session(at: time).map { sessions[$0].isOnFoot } ?? Self.sportsOnFoot.contains(sport)
    }

    /// What was counted, in the file's order, from the first moment of sessions to the last.
    private func forEachCount(_ body: (FITCount) -> Void) {
        if let session = sessions.first { body(FITCount(at: session.start)) }
        counts.forEach { fact in
            var count = FITCount(fact)
            if !isOnFoot(at: count.at) { count.steps = nil }
            body(count)
        }
        if let session = sessions.last {
            body(FITCount(at: session.end, isResumed: pausedAt != nil))
        }
    }

    /// What was counted, in order of time, with the strides of sessions on foot, which are spread
    /// evenly over the time in which the timer ran.
    private func forEachSpread(_ body: (FITCount) -> Void) {
        var ordered = WalkFacts(keptIn: keeper)
        forEachCount { ordered.add($0.event, at: $0.at) }
        // For how long the timer ran in each session: in all, and so far.
        var (whole, active): ([UInt64]?, [UInt64]) = (nil, [])
        for _ in 0..<2 {
            (whole, active) = (active.isEmpty ? nil : active, sessions.map { _ in 0 })
            var before: Int64?
            ordered.forEachInOrder { fact in
                var count = FITCount(fact)
                let own = before.flatMap { session(at: $0) } ?? 0
                if let before, !count.isResumed { active[own] += UInt64(count.at - before) }
                before = count.at
                guard let whole else { return }
                let steps = sessions.prefix(own).reduce(UInt128(0)) { $0 + UInt128($1.steps) }
                let part = UInt128(sessions[own].steps) * UInt128(active[own])
                count.steps = UInt64(steps + part / UInt128(max(1, whole[own])))
                body(count)
            }
        }
    }
}
