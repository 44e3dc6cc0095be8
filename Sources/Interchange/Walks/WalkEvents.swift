internal import Events

/// Makes events of facts that come in order.
struct WalkEvents {
    let file: ImportBegan
    let offsetMinutes: Int64?
    let counts: WalkFacts.Fact?
    /// The walks that are left out, and how many have begun.
    let absent: Set<Int>
    var batch: EventBatch
    var begun = 0
    var isAbsent = false
    var startMilliseconds: Int64 = 0
    var lastMilliseconds: Int64 = 0
    /// Whether any walk has begun.
    var hasWalk = false
    var isOpen = false
    var isPaused = false
    var begunAt: Int64?
    /// The place of the event that began the walk.
    var session: Position = 0
    /// Whether another walk is said to begin at this moment, if this one ends.
    var isTurn = false
    var lastCount: WalkFacts.Fact?
    /// When it was said to go on last, while it was not paused.
    var idleResumption: Int64?

    mutating func take(_ fact: borrowing EventView) {
        let wall = fact.header.stamp.wallMilliseconds
        if batch.isEmpty {
            startMilliseconds = wall
            lastMilliseconds = wall
            add(.importBegan(file))
            if let offsetMinutes, abs(offsetMinutes) <= 1_440 {
                add(.zoneOffsetChanged(ZoneOffsetChanged(toMinutes: offsetMinutes)))
            }
        }
        if wall != lastMilliseconds { finishMoment() }
        lastMilliseconds = wall
        switch fact.header.kind {
        case .sessionStarted:
            // Where one walk ends and the next one begins, what is said is of the first.
            guard !isOpen else { return isTurn = begunAt != wall }
            begin()
        case .sessionEnded:
            guard isOpen else { return }
            end()
        case .sessionPaused:
            // A pause that ends when it begins is none.
            guard isOpen, !isPaused, idleResumption != wall else { return }
            isPaused = true
            add(fact)
        case .sessionResumed:
            guard isOpen, isPaused else { return idleResumption = wall }
            isPaused = false
            add(fact)
            // Nothing counts from before a pause to after it: it goes on from here.
            if let lastCount { add(lastCount) }
        case .deviceSeen: add(fact)
        case .sessionDescribed:
            if !isOpen { begin() }
            var described = fact.decoded
            described.namedSession = session
            add(described)
        case let kind:
            if !isOpen { begin() }
            if kind == .pedometerRead { lastCount = fact.decoded }
            add(fact)
        }
    }

    mutating func finish(findings: UInt64) -> EventBatch {
        finishMoment()
        if isOpen { end() }
        guard hasWalk else { return EventBatch() }
        let ended = ImportEnded(importedEvents: UInt64(batch.count - 1), findings: findings)
        add(.importEnded(ended))
        return batch
    }

    private mutating func finishMoment() {
        if isTurn, !isOpen { begin() }
        isTurn = false
    }

    private mutating func begin() {
        (isOpen, isPaused, isAbsent) = (true, false, absent.contains(begun))
        begunAt = lastMilliseconds
        begun += 1
        hasWalk = hasWalk || !isAbsent
        session = Position(batch.count)
        add(.began)
        // A pedometer's first count is what others are counted from.
        guard let counts else { return }
        add(.pedometerChosen(PedometerChosen(device: .pedometerOfFile)))
        lastCount = counts
        add(counts)
    }

    private mutating func end() {
        add(.ended)
        (isOpen, isAbsent) = (false, false)
    }

    private var stamp: Stamp {
        Stamp(
            bootMilliseconds: UInt64(max(0, lastMilliseconds - startMilliseconds)),
            wallMilliseconds: lastMilliseconds, bootNumber: 0)
    }

    private mutating func add(_ fact: borrowing EventView) {
        if !isAbsent { batch.copy(fact, at: stamp) }
    }

    private mutating func add(_ event: Event) {
        guard !isAbsent else { return }
        do throws(FieldError) {
            try batch.append(event, stamp: stamp, flags: .wallTrusted)
        } catch {
            preconditionFailure("A walk's event is beyond the limits of its fields: \(error)")
        }
    }
}
