internal import EventStore
internal import Events
internal import Projections
internal import Sensors
internal import TamperEvidence

/// What another machine's log brings: the walks that its recorder recorded and ended, with all that
/// was heard meanwhile, and the totals of its days.
///
/// Its events are taken in order. Where those of an earlier import end it begins anew, so that the
/// source of that import goes on. What the log has already is recognized by the starts of walks,
/// which no two walks share to the millisecond of both clocks.
struct OtherLog {
    /// The most events of an import.
    static let limit = 4_000_000

    /// How things stood at some event.
    private struct Mark {
        let events: UInt64
        let kept: Int
        let digest: FileDigest
    }

    private let imported: [ImportedLog]
    private let known: Set<Stamp>
    private var digest = FileDigest()
    /// How many events were taken.
    private(set) var count: UInt64 = 0
    /// Whether the first event is that of a log's beginning.
    private(set) var isWhole = false
    /// All folds of the log.
    private(set) var state = LogState()
    /// What was imported of this log before.
    private(set) var continued: ImportedLog?
    private var kept = EventBatch(keptIn: KeptBytes().keep)
    /// The starts of the walks, by position.
    private var starts: [Position: Stamp] = [:]
    private var isSkipping = false
    /// The start of the walk that is open.
    private var open: Mark?
    /// How many walks come, and how many are known.
    private(set) var walks: UInt64 = 0
    private(set) var knownWalks: UInt64 = 0
    /// Events that are simulated, or that the other log has imported itself.
    private(set) var simulatedEvents: UInt64 = 0
    private(set) var importedEvents: UInt64 = 0

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - imported: The logs that were imported before.
    ///   - known: The starts of the walks that the log has.
    init(after imported: [ImportedLog], knowing known: Set<Stamp>) {
        (self.imported, self.known) = (imported, known)
    }

    /// Whether there is more than an import can hold.
    var isOverfull: Bool { kept.count > Self.limit }

    /// Whether a walk is open, which comes when it has ended.
    var hasOpenWalk: Bool { open != nil }

    /// Takes the next event.
    ///
    /// - Throws: `FieldError` never, of what a log holds.
    mutating func take(_ event: borrowing EventView) throws(FieldError) {
        beginAnewIfKnown()
        let header = event.header
        if count == 0 { isWhole = header.kind == .originBegan }
        let bytes = event.withPayload { header.canonicalBytes(laneIndex: count, payload: $0) }
        let before = Mark(events: count, kept: kept.count, digest: digest)
        digest.take(bytes.span)
        count += 1
        state.evolve(event)
        guard isOwn(header), isBrought(event) else { return }
        switch header.kind {
        case .sessionStarted:
            isSkipping = known.contains(header.stamp)
            starts[header.position] = header.stamp
            open = before
            if isSkipping { knownWalks += 1 } else { walks += 1 }
        case .sessionEnded: open = nil
        default: break
        }
        defer { if open == nil { isSkipping = false } }
        if isSkipping, !header.kind.namesSession {
            let lane = header.kind.lane
            guard lane != .session, lane != .heart, lane != .place else { return }
        }
        var own = header
        own.flags.remove(.simulated)
        try event.withPayload { (payload) throws(FieldError) in
            try kept.append(own, payload: payload)
        }
    }

    /// Says that no events follow.
    mutating func finish() {
        beginAnewIfKnown()
        if open != nil, !isSkipping { walks -= 1 }
    }

    /// Begins anew where an import of the same events ended.
    private mutating func beginAnewIfKnown() {
        guard open == nil else { return }
        let here = imported.filter { $0.events == count }
        guard !here.isEmpty, let same = here.first(where: { $0.sha256 == digest.bytes }) else {
            return
        }
        continued = same
        kept = EventBatch(keptIn: KeptBytes().keep)
        knownWalks += walks
        walks = 0
    }

    /// Whether an event is the walker's own, or says something of the machine.
    private mutating func isOwn(_ header: EventHeader) -> Bool {
        guard header.source == 0 else {
            importedEvents += 1
            return false
        }
        let ofMachine: [EventKind] = [.bootBegan, .zoneOffsetChanged, .originBegan]
        guard header.flags.contains(.simulated), !ofMachine.contains(header.kind) else {
            return true
        }
        simulatedEvents += 1
        return false
    }

    /// Whether an event is needed for the walks: not what the log says of itself, of its walker
    /// and of days, and not what health stores told it, which is in the totals of its days.
    private func isBrought(_ event: borrowing EventView) -> Bool {
        switch event.header.kind {
        case .profileChanged, .walkerDescribed, .preferencesChanged, .healthTotalObserved,
            .stepSampleObserved:
            return false
        case .originBegan: return event.header.position > 0
        case .setAsideTaken:
            // A position says nothing in another log.
            guard case .setAsideTaken(let taken) = event.decoded else { return true }
            return taken.reading == nil
        default: return event.header.kind.lane != .day
        }
    }

    // MARK: - What comes of it

    /// What its days show, as totals of a health store.
    var days: [HealthTotal] {
        let (steps, clock) = (state.walked.steps, state.walked.clock)
        return steps.days.filter {
            $0.displayed > 0 && FieldRange.stepsTotal.contains($0.displayed)
        }
        .map {
            HealthTotal(
                date: $0.date, steps: $0.displayed,
                validUntilMilliseconds: $0.date == steps.current?.date
                    ? clock.lastStamp.wallMilliseconds : nil)
        }
    }

    /// Whether there is anything to append.
    var bringsEvents: Bool {
        var (rest, isBringing) = (open?.kept ?? kept.count, walks > 0)
        kept.forEach { event in
            isBringing = isBringing || rest > 0 && event.header.kind.namesSession
            rest -= 1
        }
        return isBringing
    }

    /// Makes the events of the import, once it is known where they will stand.
    ///
    /// - Parameters:
    ///   - machine: What the machine is called.
    ///   - checkpoint: The last checkpoint of its log.
    ///   - sessions: The positions of the walks of the source that goes on, by their starts.
    /// - Returns: Makes them for the position of the first; of source 0.
    func events(
        of machine: String, checkpoint: String?, knowing sessions: [Stamp: Position]
    ) -> @Sendable (Position) -> EventBatch {
        let end = open ?? Mark(events: count, kept: kept.count, digest: digest)
        let rest = checkpoint.map { "\n\($0)" } ?? ""
        let file = ImportBegan(
            fileName: machine.fitting(1_024), format: ImportedLog.format,
            sha256: end.digest.bytes)
        var note = ImportedLog.note(events: end.events, rest, machine: machine.fitting(128))
        note.text = note.text.fitting(1_024)
        let findings = simulatedEvents + importedEvents
        let (kept, starts, fixedNote, keptCount) = (kept, starts, note, end.kept)
        return { start in
            var batch = EventBatch(keptIn: KeptBytes().keep)
            var (count, last): (Int, EventHeader?) = (0, nil)
            var places = sessions
            func add(_ event: Event, _ header: EventHeader) throws(FieldError) {
                try batch.append(event, stamp: header.stamp, flags: header.flags)
            }
            do throws(FieldError) {
                try kept.forEach { (event) throws(FieldError) in
                    let header = event.header
                    if count == 0 {
                        try add(.importBegan(file), header)
                        try add(.noted(fixedNote), header)
                        last = header
                    }
                    guard count < keptCount else { return }
                    (count, last) = (count + 1, header)
                    if header.kind == .sessionStarted {
                        places[header.stamp] = start + UInt64(batch.count)
                    }
                    guard header.kind.namesSession else { return try batch.append(event) }
                    var named = event.decoded
                    // It says nothing of a walk that is not of this source.
                    guard let session = named.namedSession, let began = starts[session],
                        let place = places[began]
                    else { return }
                    named.namedSession = place
                    try add(named, header)
                }
                guard let last else { return batch }
                let events = UInt64(batch.count - 2)
                try add(
                    .importEnded(ImportEnded(importedEvents: events, findings: findings)), last)
                return batch
            } catch {
                preconditionFailure("An import's event is beyond the limits: \(error)")
            }
        }
    }
}
