package import Events

/// The composite of all projections: the whole log in one value.
///
/// What lasts is small: a session and a day are constant in size, however many events they had. A
/// copy costs one reference count, for copies share their folds until one of them takes an event
/// in: decisions, drafts and scenes pass the state on as it is.
package struct LogState: Projection {
    /// `log`.
    package static let name = "log"
    /// The version of these folds; `Replays/digests.txt` holds it against what they give.
    package static let version: UInt32 = 24

    private(set) var shared: SharedFolds
    /// Whose recorder ``own`` is: the walker's, or that of simulated values.
    ///
    /// No part of the folds: the same log is looked at from either side.
    package var isSimulated = false

    /// The state before the first event.
    package init(rules: Rules = Rules()) {
        shared = SharedFolds(LogFolds(rules: rules))
    }

    /// The rules that this state was folded with.
    package var rules: Rules { shared.folds.rules }
    /// How many events were folded.
    package var events: UInt64 { shared.folds.events }
    /// The position of the last event, or nil before the first.
    package var head: Position? { shared.folds.head }
    /// The position that the next event gets.
    package var next: Position { head.map { $0 + 1 } ?? 0 }
    /// How many events of the steps lane there were, of every source: the next one's lane index.
    package var stepsIndex: UInt64 { shared.folds.stepsIndex }
    /// The source of the recorder that this state is looked at from.
    package var own: SourceState {
        isSimulated ? shared.folds.recorder(isSimulated: true) : shared.folds.live
    }
    /// The walker's own source, from wherever it is looked at.
    package var walked: SourceState { shared.folds.live }
    /// What the walker saw last for a date; nil if nothing is known of it.
    package func displayedSteps(on date: CivilDate) -> UInt64? {
        shared.folds.live.steps[date]?.displayed
    }
    /// What could not be used.
    package var findings: Findings { shared.folds.findings }

    /// The state of a source, or nil if it has no event.
    package subscript(provenance: Provenance) -> SourceState? {
        shared.folds.state(of: provenance)
    }

    /// All sources, the walker's first, then the imports in order of their number, and what is
    /// simulated.
    package var sources: [SourceState] {
        [walked] + shared.folds.imports.states.all + [self[.simulated]].compactMap(\.self)
    }

    /// The number of the last import; 0 if there is none.
    package var lastImport: UInt32 { shared.folds.imports.lastNumber }

    /// Whether one more import can be told apart from the others.
    package var hasRoomForImport: Bool { shared.folds.imports.count < LogFolds.importLimit }

    /// Whether the recorder that began last simulates what it records.
    package var isLastRecorderSimulated: Bool {
        guard let simulated = shared.folds.simulated?.recorder.startedPosition else { return false }
        return simulated > shared.folds.live.recorder.startedPosition ?? 0
    }

    /// Whether a recorder began that has not stopped, as far as the log says.
    package var isRecording: Bool {
        recorderStart(isSimulated: false) ?? recorderStart(isSimulated: true) != nil
    }

    /// Where the recorder of a side began, if it has not stopped as far as the log says.
    package func recorderStart(isSimulated: Bool) -> Position? {
        if isSimulated {
            guard shared.folds.simulated?.recorder.isRecording ?? false else { return nil }
            return shared.folds.simulated?.recorder.startedPosition
        }
        guard shared.folds.live.recorder.isRecording else { return nil }
        return shared.folds.live.recorder.startedPosition
    }

    /// Whether something happened to the walker's steps of a date since an earlier state, be it a
    /// reading that nobody could decode, or the choice of the pedometer that counts already.
    func haveStepsChanged(on date: CivilDate, since earlier: LogState) -> Bool {
        walked.steps.haveChanged(on: date, since: earlier.walked.steps)
            || walked.steps.current?.date == date && stepsIndex != earlier.stepsIndex
    }

    /// The same folds as a process sees them that does not record.
    ///
    /// - Parameter isRecording: Whether a recorder runs.
    /// - Returns: The state from the side of that recorder; without one from the walker's.
    package func seenByOthers(isRecording: Bool) -> LogState {
        var state = self
        state.isSimulated = isRecording && isLastRecorderSimulated
        return state
    }

    /// The moment of the recorder's last event: what is looked back at stands still there, so that
    /// the same log gives the same bytes.
    package var lastMoment: Moment { Moment(own.clock.lastStamp, []) }

    /// Takes one event in; total, whatever the payload holds.
    ///
    /// - Parameter event: The event, in place.
    /// - Returns: What it did.
    @discardableResult
    package mutating func evolve(_ event: borrowing EventView) -> Effects {
        unshare()
        var effects = Effects()
        shared.folds.evolve(event, rules, &effects)
        return effects
    }

    /// Takes one event in, and does not say what it did.
    package mutating func fold(_ event: borrowing EventView) {
        unshare()
        var nothing = NoEffects()
        shared.folds.evolve(event, rules, &nothing)
    }

    /// Takes the events of a block in, from a position on.
    ///
    /// One call for a block instead of one for each event.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block; its checksum is not looked at.
    ///   - start: Events before this position are passed over.
    /// - Throws: `DamagedBlock` if the block contradicts the format; the events before the fault
    ///   have been taken in.
    package mutating func evolve(
        block: Span<UInt8>, from start: Position = 0
    ) throws(DamagedBlock) {
        unshare()
        try shared.folds.evolve(block: block, from: start)
    }

    /// Folds an event that is at hand as a value; for tests and tools.
    ///
    /// - Returns: What it did.
    /// - Throws: `FieldError` if a field is outside of its limits; the state is unchanged then.
    @discardableResult
    package mutating func evolve(_ recorded: RecordedEvent) throws(FieldError) -> Effects {
        try recorded.withView { evolve($0) }
    }

    /// The state as the next event will tell it, where the last recorder died unheard.
    ///
    /// Its links ended when it was last heard of, and its session stands still since then. Only a
    /// caller that can ask whether a recorder lives can know that before the log does; what this
    /// gives is for showing, not for folding on.
    package func withoutRecorder() -> LogState {
        var state = self
        state.unshare()
        state.shared.folds.endRecorder()
        return state
    }

    /// Rules, counts, the live source, the imports and the findings.
    package func canonicalBytes() -> [UInt8] { canonicalBytes(drain: nil) }

    /// Passes the canonical bytes on, one piece after the other.
    ///
    /// - Parameter take: Called with the next bytes; it isn't kept.
    package func passCanonicalBytes(to take: ([UInt8]) -> Void) {
        withoutActuallyEscaping(take) { take in take(canonicalBytes(drain: take)) }
    }

    private func canonicalBytes(drain: (([UInt8]) -> Void)?) -> [UInt8] {
        StateCoder.bytes(of: CollectionOfOne(shared.folds), drain: drain)
    }

    /// Reads a state from its canonical bytes.
    ///
    /// - Parameter bytes: What ``canonicalBytes()`` gave under the same version.
    /// - Throws: ``DamagedState`` if no state has these bytes.
    package init(canonicalBytes bytes: Span<UInt8>) throws(DamagedState) {
        var reader = StateCoder([UInt8](copying: bytes))
        try self.init(&reader)
    }

    private init(_ reader: inout StateCoder<Reading>) throws(DamagedState) {
        self.init()
        try reader(&shared.folds)
        try reader.finish()
    }
}

// MARK: - Snapshots

extension LogState {
    /// The state in the form in which it is kept.
    ///
    /// The canonical bytes, but that days, sessions that ended and imports are in chunks, each
    /// packed, with its number of parts and its length before it. What came from a snapshot and was
    /// not changed is only copied.
    package func snapshotBytes() -> [UInt8] {
        StateCoder.bytes(of: CollectionOfOne(shared.folds), inChunks: true)
    }

    /// Reads a state that was kept.
    ///
    /// Chunks stay packed until a part of them is wanted: whoever keeps the bytes keeps a checksum.
    ///
    /// - Parameter bytes: What ``snapshotBytes()`` gave under the same version.
    /// - Throws: ``DamagedState`` if no state has these bytes.
    package init(snapshotBytes bytes: [UInt8]) throws(DamagedState) {
        var reader = StateCoder(bytes, inChunks: true)
        try self.init(&reader)
    }
}

extension LogState {
    /// The state as one of several that share what is over, which is packed from now on.
    mutating func bytes(pool: inout ChunkPool) -> [UInt8] {
        unshare()
        shared.folds.live.sessions.past.pack()
        shared.folds.live.steps.others.pack()
        return StateCoder.bytes(of: shared.folds, pool: &pool)
    }

    /// Reads a state from these bytes.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes(pool:)`` gave.
    ///   - pool: The chunks.
    /// - Throws: ``DamagedState`` if no state has these bytes.
    init(bytes: [UInt8], pool: ChunkPool) throws(DamagedState) {
        var reader = StateCoder(bytes, inChunks: true, pool: pool)
        try self.init(&reader)
    }
}

extension LogState: Hashable {
    /// Whether all folds are the same.
    package static func == (left: LogState, right: LogState) -> Bool {
        left.isSimulated == right.isSimulated
            && (left.shared === right.shared || left.shared.folds == right.shared.folds)
    }

    /// Hashes all folds.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(shared.folds)
    }
}

extension LogState {
    /// Takes the folds for itself, before they are changed.
    @inline(__always)
    private mutating func unshare() {
        if !isKnownUniquelyReferenced(&shared) { shared = SharedFolds(shared.folds) }
    }
}

/// The folds that copies of a ``LogState`` share.
///
/// Only a state that holds it alone changes it, so what several tasks hold never changes: that is
/// why it is `Sendable`.
final class SharedFolds: @unchecked Sendable {
    fileprivate(set) var folds: LogFolds
    fileprivate init(_ folds: LogFolds) {
        self.folds = folds
    }
}
