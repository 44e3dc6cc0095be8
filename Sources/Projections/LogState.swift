public import Events

/// The composite of all projections: the whole log in one value.
///
/// What lasts is small: a session and a day are constant in size, however many events they had.
public struct LogState: Projection, StatePart, Hashable {
    /// `log`.
    public static let name = "log"
    /// The version of these folds.
    public static let version: UInt32 = 5

    /// The rules that this state was folded with.
    public private(set) var rules: Rules
    /// How many events were folded.
    public private(set) var events: UInt64 = 0
    /// The position of the last event, or nil before the first.
    public private(set) var head: Position?
    /// How many events of the steps lane there were, of every source: the next one's lane index.
    public private(set) var stepsIndex: UInt64 = 0
    /// The live recorder, source 0.
    public private(set) var live = SourceState(source: 0)
    private var imports = OrderedParts<SourceState>()
    /// What could not be used.
    public private(set) var findings = Findings()

    /// The state before the first event.
    public init(rules: Rules = Rules()) {
        self.rules = rules
    }

    /// The state of a source, or nil if it has no event.
    public subscript(source source: UInt32) -> SourceState? {
        source == 0 ? live : imports[source]
    }

    /// All sources, the live one first, then the imports in order of their number.
    public var sources: [SourceState] { [live] + imports.all }
    /// The moment of the recorder's last event: what is looked back at stands still there, so that
    /// the same log gives the same bytes.
    public var lastMoment: Moment { Moment(live.clock.lastStamp, []) }

    /// Takes one event in; total, whatever the payload holds.
    @inline(__always)
    public mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        events &+= 1
        head = header.position
        let outcome: Finding.Code?
        if header.source == 0 {
            outcome = live.evolve(event, stepsIndex: stepsIndex, rules)
        } else {
            outcome = evolveImport(event)
        }
        if header.kind.rawValue >> 5 == Lane.steps.rawValue { stepsIndex &+= 1 }
        if let outcome { findings.add(outcome, at: header.position) }
    }

    /// Folds an event that is at hand as a value; for tests and tools.
    ///
    /// - Throws: `FieldError` if a field is outside of its limits; the state is unchanged then.
    public mutating func evolve(_ recorded: RecordedEvent) throws(FieldError) {
        try recorded.withView { evolve($0) }
    }

    /// The state as the next event will tell it, where the last recorder died unheard.
    ///
    /// Its links ended when it was heard of last (PRODUCT S6). Only who can ask whether a recorder
    /// lives can know that before the log does; what this gives is for showing, not for folding on.
    public func withoutRecorder() -> LogState {
        var state = self
        state.live.endLinks(at: live.clock.milliseconds, rules)
        return state
    }

    private mutating func evolveImport(_ event: borrowing EventView) -> Finding.Code? {
        let header = event.header
        let outcome = imports.change(
            header.source, blank: { SourceState(source: header.source) },
            { [stepsIndex, rules] in $0.evolve(event, stepsIndex: stepsIndex, rules) })
        guard header.kind == .healthTotalObserved, outcome == nil else { return outcome }
        // The one thing that an import says of the live days.
        if case .healthTotalObserved(let event) = event.decoded {
            live.steps.observe(event, at: header.position)
        }
        return outcome
    }

    /// Writes rules, counts, the live source, the imports and the findings.
    public func writeCanonicalBytes(to writer: inout CanonicalWriter) {
        writer.write(self)
    }

    /// Reads a state from its canonical bytes: a snapshot.
    ///
    /// - Parameter bytes: What ``Projection/canonicalBytes()`` gave under the same version.
    /// - Throws: ``DamagedState`` if no state has these bytes.
    public init(canonicalBytes bytes: Span<UInt8>) throws(DamagedState) {
        self.init(rules: Rules())
        var reader = CanonicalReader(bytes)
        try code(&reader)
        try reader.finish()
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try rules.code(&coder)
        try coder.unsigned(&events)
        try coder.optional(&head)
        try coder.unsigned(&stepsIndex)
        try live.code(&coder)
        try coder.list(&imports, blank: SourceState(source: 1))
        try findings.code(&coder)
    }
}

extension LogState {
    /// Takes the events of a block in, from a position on.
    ///
    /// One call for a block instead of one for each event.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block; its checksum is not looked at.
    ///   - start: Events before this position are passed over.
    /// - Throws: `DamagedBlock` if the block contradicts the format; the events before the fault
    ///   have been taken in.
    public mutating func evolve(
        block: Span<UInt8>, from start: Position = 0
    ) throws(DamagedBlock) {
        try BlockReader.forEach(in: block, from: start) { event in
            evolve(event)
            return true
        }
    }
}
