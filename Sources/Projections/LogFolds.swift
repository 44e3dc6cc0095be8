public import Events

/// What a ``LogState`` holds, and one step of it.
@usableFromInline
struct LogFolds: StatePart, Hashable, Sendable {
    @usableFromInline private(set) var rules: Rules
    @usableFromInline private(set) var events: UInt64 = 0
    @usableFromInline private(set) var head: Position?
    @usableFromInline private(set) var stepsIndex: UInt64 = 0
    /// The walker's own.
    @usableFromInline var live = SourceState(source: 0)
    /// Every other source; what was made up stands after all imports.
    private(set) var others = OrderedParts<SourceState>()
    @usableFromInline var findings = Findings()

    init(rules: Rules) {
        self.rules = rules
    }

    @inline(__always)
    mutating func evolve(_ event: borrowing EventView) {
        let header = event.header
        events &+= 1
        head = header.position
        let outcome: Finding.Code?
        if header.provenance == .walked {
            outcome = live.evolve(event, stepsIndex: stepsIndex, rules)
            if header.kind.lane == .control { evolveShared(event) }
        } else {
            outcome = evolveOther(event)
        }
        if header.kind.rawValue >> 5 == Lane.steps.rawValue { stepsIndex &+= 1 }
        if let outcome { findings.add(outcome, at: header.position) }
    }

    /// Counts the events of a run.
    mutating func note(_ run: borrowing BlockRuns) {
        events &+= UInt64(run.heartCount &+ run.otherCount)
        stepsIndex &+= UInt64(run.countsCount)
        head = run.lastEvent.position
    }

    private mutating func evolveOther(_ event: borrowing EventView) -> Finding.Code? {
        let header = event.header
        if header.provenance == .simulated {
            if rules.countSimulated { return live.evolve(event, stepsIndex: stepsIndex, rules) }
            // What the machine says of itself is true whoever records.
            if header.kind.isOfMachine { _ = live.evolve(event, stepsIndex: stepsIndex, rules) }
        }
        let outcome = others.change(
            header.provenance.number, blank: { Self.blank(header.provenance, beside: live) },
            { [stepsIndex, rules] in $0.evolve(event, stepsIndex: stepsIndex, rules) })
        guard header.kind == .healthTotalObserved, outcome == nil,
            !header.flags.contains(.simulated) || rules.countSimulated
        else { return outcome }
        // The one thing that an import says of the walker's days.
        if case .healthTotalObserved(let event) = event.decoded {
            live.steps.observe(event, at: header.position)
        }
        return outcome
    }

    /// What the walker's source says of machine and walker, what was made up goes by as well.
    private mutating func evolveShared(_ event: borrowing EventView) {
        let kind = event.header.kind
        guard kind.isOfMachine || kind == .profileChanged,
            others[Provenance.simulated.number] != nil
        else { return }
        change(.simulated) { _ = $0.evolve(event, stepsIndex: 0, $1) }
    }

    /// The state of a source before its first event.
    private static func blank(
        _ provenance: Provenance, beside walked: SourceState
    ) -> SourceState {
        provenance == .simulated
            ? SourceState(simulatedAfter: walked) : SourceState(source: provenance.number)
    }

    /// The state of a source; nil if it has no event.
    func state(of provenance: Provenance) -> SourceState? {
        provenance == .walked ? live : others[provenance.number]
    }

    /// The source of a recorder, which may have no event yet.
    @usableFromInline
    func recorder(isSimulated: Bool) -> SourceState {
        guard isSimulated else { return live }
        return state(of: .simulated) ?? Self.blank(.simulated, beside: live)
    }

    /// Changes the source of a recorder in its place.
    private mutating func change(
        _ provenance: Provenance, _ change: (inout SourceState, Rules) -> Void
    ) {
        guard provenance != .walked else { return change(&live, rules) }
        others.change(
            provenance.number, blank: { Self.blank(provenance, beside: live) },
            { [rules] in change(&$0, rules) })
    }

    /// The links of a recorder that died end when it was heard of last.
    mutating func endLinks(of provenance: Provenance) {
        change(provenance) { $0.endLinks(at: $0.clock.milliseconds, $1) }
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try rules.code(&coder)
        try coder.unsigned(&events)
        try coder.optional(&head)
        try coder.unsigned(&stepsIndex)
        try live.code(&coder)
        try coder.list(&others)
        try findings.code(&coder)
    }
}

extension EventKind {
    /// Whether it says something of the machine: its boot, its zone, its log.
    fileprivate var isOfMachine: Bool {
        self == .bootBegan || self == .zoneOffsetChanged || self == .originBegan
    }
}
