internal import Events

/// What one activity file says of walks, until it has come to its end.
///
/// Which sport it was, where a session ends, and whose clock was right stands after the records.
struct FITActivity {
    private typealias Number = FITMessageNumber

    /// A heart rate to which intervals may still come.
    private struct Heart {
        let at: Int64
        let stretch: Int
        let bpm: UInt16
        var ticks: [UInt16] = []
    }

    /// A time by the device's clock, and the stretch in which it is.
    typealias Moment = (at: Int64, stretch: Int)

    /// What was said in a stretch of the clock, by its time.
    private struct Part {
        var told: EventBatch
        var counts: EventBatch
        /// Heart rates that the strap had stored.
        var stored: EventBatch

        init(keptIn keeper: ByteKeeper?) {
            told = EventBatch(keptIn: keeper)
            (counts, stored) = (told, told)
        }
    }

    /// For how long intervals belong to a heart rate before them: 10 s.
    private static let holdMilliseconds: Int64 = 10_000
    /// The kinds of files that say what was, not what is to be.
    private static let kinds: [Int64] = [4, 15, 28, 32]
    /// The most sessions of a file that are told apart.
    private static let sessionLimit = 64
    /// The most pauses of a file.
    private static let stopLimit = 8_192

    private var kind: Int64?
    /// Whether this program has written it.
    var isOurs = false
    private var offered: (strap: String?, product: String?)
    /// When the walk began to the millisecond, if it is one of ours.
    private(set) var start: Int64?
    /// The sport, by what stands before the records; nil if nothing says.
    private(set) var sport: Sport?
    /// Whether a message names a sport, which may be one that is unknown.
    private(set) var namesSport = false
    private var heart: Heart?
    /// Intervals that came before any heart rate.
    private var earlyTicks: [UInt16] = []
    private var hearts = FITHearts()
    let keeper: ByteKeeper?
    /// What the file says, until all of it is known: by the stretches of the clock.
    private var parts: [Part] = []
    var clock = FITClock()
    private var way = WalkedWay()
    private var rollingDistance = FITRollingDistance()
    private var cadence = StepCadence()
    /// Whether records count cycles, so that none are made of a cadence.
    private(set) var hasCycles = false
    private var hasPositions = false
    private var hasOwnDistance = false
    private var lastAt: Int64?
    private(set) var sessions: [FITSum] = []
    private(set) var laps: [FITSum] = []
    /// When the timer stood, by the clock, and in which stretches of it.
    private(set) var stops: [(from: Moment, to: Moment?)] = []
    private var pausedAt: Moment?
    private var otherMessages: UInt64 = 0
    private var otherFields: UInt64 = 0
    private var untimed: UInt64 = 0
    private var looseTicks: UInt64 = 0

    init(keptIn keeper: ByteKeeper?) { self.keeper = keeper }

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
        case Number.sport:
            sport = Sport(fit: message.number(0) ?? -1, message.number(1))
            namesSport = true
        case Number.event: takeEvent(message, &facts)
        case Number.record: takeRecord(message, &facts)
        case Number.hrv: takeIntervals(message, &facts)
        case Number.heartRate: takeHearts(message, &facts)
        case Number.lap:
            namesSport = namesSport || message.number(25) != nil
            if laps.count < WalkDraft.lapLimit { takeSum(message, to: \.laps) }
        case Number.session:
            guard facts.hasRoom("sessions", sessions.count, Self.sessionLimit) else { return }
            takeSum(message, to: \.sessions)
            namesSport = namesSport || message.number(5) != nil
        case Number.timestampCorrelation:
            if let utc = FITTime.wallMilliseconds(message.timestamp),
                let system = FITTime.milliseconds(message.number(1))
            {
                clock.correlation = utc - system
            }
        case Number.activity:
            guard let local = message.number(5), let utc = message.timestamp,
                abs(local - utc) <= 86_400
            else { return }
            facts.offsetMinutes = facts.offsetMinutes ?? ((local - utc + 86_430) / 60 - 1_440)
        default: otherMessages += 1
        }
    }

    /// The time of a message by the device's clock, and the stretch in which it is; nil, and
    /// counted, if it has none.
    private mutating func time(_ message: FITMessage) -> Moment? {
        var told = FITTime.milliseconds(message.timestamp)
        if let start, let elapsed = message.number(.elapsed) { told = start + elapsed }
        guard let at = told, let stretch = stretch(at) else {
            untimed += 1
            return nil
        }
        return (at, stretch)
    }

    private mutating func stretch(_ now: Int64) -> Int? {
        // Ours are told from a start to the millisecond.
        let stretch = start == nil ? clock.take(now, isPaused: pausedAt != nil) : 0
        while let stretch, parts.count <= stretch { parts.append(Part(keptIn: keeper)) }
        return stretch
    }

    private mutating func tell(
        _ fact: WalkFacts.Fact, at now: Int64, _ stretch: Int, _ facts: inout WalkFacts
    ) {
        guard parts[stretch].told.count <= WalkFacts.limit else { return }
        if let refusal = parts[stretch].told.add(fact, at: now) { facts.leaveOut(refusal) }
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
            guard start == nil, stretch(began) != nil else { return }
            start = began
            return
        }
        guard let (at, stretch) = time(message) else { return }
        switch (message.number(0), message.number(1)) {
        case (0, 0):
            if let pausedAt { stop(pausedAt, (at, stretch), &facts) }
            pausedAt = nil
            rollingDistance.resume(at: at)
        case (0, 1), (0, 4), (0, 8), (0, 9): pausedAt = pausedAt ?? (at, stretch)
        case (32, _): tell(.mark(message.text(.mark) ?? ""), at: at, stretch, &facts)
        default: break
        }
    }

    private mutating func stop(_ from: Moment, _ to: Moment?, _ facts: inout WalkFacts) {
        if facts.hasRoom("pauses", stops.count, Self.stopLimit) { stops.append((from, to)) }
    }

    private mutating func takeRecord(_ message: FITMessage, _ facts: inout WalkFacts) {
        guard let (at, stretch) = time(message) else { return }
        lastAt = at
        if let bpm = message.number(.heartRate) ?? message.number(3) {
            flushHeart(&facts)
            heart = Heart(at: at, stretch: stretch, bpm: UInt16(clamping: bpm), ticks: earlyTicks)
            earlyTicks = []
        }
        if let latitude = Self.degreesE7(message.number(0)),
            let longitude = Self.degreesE7(message.number(1))
        {
            hasPositions = true
            let height = (message.number(78) ?? message.number(2)).map { $0 * 200 - 500_000 }
            let fix = PositionFixed(
                latitudeE7: latitude, longitudeE7: longitude,
                altitudeMillimetres: message.number(.altitude) ?? height,
                accuracyMillimetres: message.amount(.accuracy)
                    ?? message.amount(31).map { $0 * 1_000 },
                speedMillimetresPerSecond: message.amount(73) ?? message.amount(6))
            way.take(fix)
            tell(.position(fix), at: at, stretch, &facts)
        }
        let (ownSteps, ownDistance) = (message.amount(.steps), message.amount(.distance))
        if ownSteps != nil { sport = sport ?? .walk }
        if ownDistance != nil { hasOwnDistance = true }
        let cycles = ownSteps ?? message.amount(19).map { $0 * 2 }
        hasCycles = hasCycles || cycles != nil
        let estimate = cadence.take(
            message.amount(4).map { $0 * 2 + (message.amount(53) ?? 0) / 64 }, at: at,
            isPaused: pausedAt != nil)
        let rolling = rollingDistance.take(message.bytes(of: 8), at: at)
        let count = WalkCount(
            at: at, steps: cycles ?? estimate,
            distanceMillimetres: ownDistance ?? message.amount(5).map { $0 * 10 } ?? rolling,
            wayMillimetres: way.millimetres, isOfCadence: cycles == nil && estimate != nil)
        guard facts.hasRoom("records", parts[stretch].counts.count, WalkFacts.limit) else { return }
        if let refusal = parts[stretch].counts.add(count.event, at: at) { facts.leaveOut(refusal) }
    }

    private static func degreesE7(_ semicircles: Int64?) -> Int64? {
        semicircles.flatMap { Int32(exactly: $0) }
            .map { (Int64($0) * 1_800_000_000 + (1 << 30)) >> 31 }
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

    private mutating func takeHearts(_ message: FITMessage, _ facts: inout WalkFacts) {
        guard let beats = hearts.take(message) else { return untimed += 1 }
        for beat in beats {
            guard let stretch = stretch(beat.at), parts[stretch].stored.count < WalkFacts.limit
            else {
                untimed += 1
                continue
            }
            let ticks = [beat.ticks].compactMap(\.self)
            let fact = Event.heartRate(beat.bpm, rrTicks: ticks)
            if let refusal = parts[stretch].stored.add(fact, at: beat.at) {
                facts.leaveOut(refusal)
            }
        }
    }

    private mutating func flushHeart(_ facts: inout WalkFacts) {
        guard let heart else { return }
        let fact = Event.heartRate(heart.bpm, rrTicks: heart.ticks)
        tell(fact, at: heart.at, heart.stretch, &facts)
        self.heart = nil
    }

    private mutating func takeSum(
        _ message: FITMessage, to sums: WritableKeyPath<Self, [FITSum]>
    ) {
        let start = sums == \.sessions ? start : nil
        guard let sum = FITSum(message, from: start, isOurs: isOurs) else { return untimed += 1 }
        self[keyPath: sums].append(sum)
    }

    // MARK: - The end

    /// Whether the strap has sent heart rates that it had stored.
    var hasStored: Bool { parts.contains { !$0.stored.isEmpty } }

    /// The file has come to its end, or to a damage.
    ///
    /// - Parameters:
    ///   - facts: What it says.
    ///   - counting: What was counted in the walks before.
    ///   - began: When the first value came, as somebody says: UTC milliseconds.
    /// - Returns: Whether it has no date, and nobody says when it was.
    mutating func close(
        _ facts: inout WalkFacts, _ counting: inout WalkCounting, began: Int64?
    ) -> Bool {
        flushHeart(&facts)
        if let pausedAt { stop(pausedAt, nil, &facts) }
        let elapsed = sessions.count == 1 ? sessions[0].elapsed : nil
        clock.resolve(elapsed: elapsed, start: sessions.map(\.start).min(), began: began)
        let lacksDate = !clock.stretches.isEmpty && clock.stretches.allSatisfy { $0.shift == nil }
        var otherCycles = UInt64(0)
        var walks = FITWalks(self)
        untimed += walks.strangers
        for (part, stretch) in zip(parts, clock.stretches) {
            guard let shift = stretch.shift else {
                untimed += UInt64(stretch.count)
                continue
            }
            let group = stretch.group
            part.counts.forEach { fact in
                var count = WalkCount(fact)
                if isOurs, hasPositions, !hasOwnDistance { count.distanceMillimetres = nil }
                otherCycles += walks.add(count, later: shift, group, facts)
            }
            part.told.forEach { walks.add($0, later: shift, group, &facts) }
        }
        walks.finishRecords()
        for (part, stretch) in zip(parts, clock.stretches) {
            guard let shift = stretch.shift else { continue }
            part.stored.forEach { walks.addStored($0, later: shift, stretch.group, &facts) }
        }
        if otherCycles > 0 { facts.leaveOut("cycles that are no steps", count: otherCycles) }
        // Of ours it is the recorder that is no strap.
        let strap = offered.strap ?? (isOurs ? nil : offered.product)
        walks.close(&facts, &counting, strap: strap)
        let leftOut: [(String, UInt64)] = [
            ("FIT messages that say nothing of a walk", otherMessages),
            ("developer fields of other programs", otherFields),
            ("FIT messages without a date that fits", untimed),
            ("intervals between beats without a heart rate", looseTicks),
        ]
        for (what, count) in leftOut where count > 0 { facts.leaveOut(what, count: count) }
        return lacksDate
    }
}
