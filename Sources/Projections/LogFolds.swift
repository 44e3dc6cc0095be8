public import Events

/// What a ``LogState`` holds, and one step of it.
@usableFromInline
struct LogFolds: StatePart, Hashable, Sendable {
    @usableFromInline private(set) var rules: Rules
    @usableFromInline private(set) var events: UInt64 = 0
    @usableFromInline private(set) var head: Position?
    @usableFromInline private(set) var stepsIndex: UInt64 = 0
    @usableFromInline var live = SourceState(source: 0)
    private(set) var imports = OrderedParts<SourceState>()
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
        if header.source == 0 {
            outcome = live.evolve(event, stepsIndex: stepsIndex, rules)
        } else {
            outcome = evolveImport(event)
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

    mutating func endLinks() {
        live.endLinks(at: live.clock.milliseconds, rules)
    }

    mutating func code(_ coder: inout some StateCoder) throws(DamagedState) {
        try rules.code(&coder)
        try coder.unsigned(&events)
        try coder.optional(&head)
        try coder.unsigned(&stepsIndex)
        try live.code(&coder)
        try coder.list(&imports)
        try findings.code(&coder)
    }
}
