internal import Events

/// What a ``LogState`` holds, and one step of it.
struct LogFolds: StatePart, Hashable, Sendable {
    /// How many imports are told apart, some kilobytes each.
    ///
    /// Two a day for twenty years; a stranger's log can name more.
    static let importLimit = 16_384

    private(set) var rules = Rules()
    private(set) var events: UInt64 = 0
    private(set) var head: Position?
    private(set) var stepsIndex: UInt64 = 0
    /// The walker's own.
    var live = SourceState(source: 0)
    /// What is simulated; nil before its first event.
    private(set) var simulated: SourceState?
    var imports = Imports()
    var findings = Findings()

    /// Takes one event in.
    ///
    /// - Parameters:
    ///   - event: The event. Its envelope is read field by field in place: copying it whole would
    ///     stall on the fields that were stored just before.
    ///   - rules: ``rules``, copied once for many events.
    ///   - effects: What it does.
    @inline(__always)
    mutating func evolve(
        _ event: borrowing EventView, _ rules: Rules, _ effects: inout some EffectSink
    ) {
        events &+= 1
        head = event.header.position
        let outcome: Finding.Code?
        if event.header.isWalked {
            outcome = live.evolve(event, stepsIndex: stepsIndex, rules, &effects)
            if event.header.kind.rawValue >> 5 == Lane.control.rawValue {
                evolveShared(event, rules)
            }
            if event.header.kind == .sessionDescribed, outcome == .sessionOutOfPlace,
                describeOther(event)
            {
                return
            }
        } else {
            outcome = evolveOther(event, rules, &effects)
        }
        stepsIndex &+= event.header.kind.rawValue >> 5 == Lane.steps.rawValue ? 1 : 0
        if let outcome {
            findings.add(outcome, at: event.header.position)
            effects.note { $0.finding = outcome }
        }
    }

    /// Takes the events of a block in: ``LogState/evolve(block:from:)``.
    mutating func evolve(block: Span<UInt8>, from start: Position) throws(DamagedBlock) {
        let rules = rules
        var nothing = NoEffects()
        try BlockReader.forEach(in: block, from: start) { event in
            evolve(event, rules, &nothing)
            return true
        }
    }

    private mutating func evolveOther(
        _ event: borrowing EventView, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Finding.Code? {
        let header = event.header
        guard header.source > 0 else { return evolveSimulated(event, rules, &effects) }
        var outcome: Finding.Code? = .tooManyImports
        if imports.turn(to: header.source, limit: Self.importLimit) {
            outcome = imports.current.evolve(event, stepsIndex: stepsIndex, rules, &effects)
            effects.note { $0 = Effects(session: $0.session) }
        }
        guard header.kind == .healthTotalObserved,
            outcome == nil || outcome == .totalSetAside || outcome == .tooManyImports,
            !header.flags.contains(.simulated) || rules.countSimulated
        else { return outcome }
        // The one thing that an import says of the walker's days.
        if case .healthTotalObserved(let event) = event.decoded {
            return live.steps.observe(event, at: header.position, rules, &effects)
        }
        return outcome
    }

    private mutating func evolveSimulated(
        _ event: borrowing EventView, _ rules: Rules, _ effects: inout some EffectSink
    ) -> Finding.Code? {
        if rules.countSimulated {
            return live.evolve(event, stepsIndex: stepsIndex, rules, &effects)
        }
        // What the machine reports of itself holds for both recorders.
        if event.header.kind.isOfMachine {
            var nothing = NoEffects()
            _ = live.evolve(event, stepsIndex: stepsIndex, rules, &nothing)
        }
        if simulated == nil { simulated = SourceState(simulatedAfter: live) }
        effects.note { $0.isSimulated = true }
        return simulated?.evolve(event, stepsIndex: stepsIndex, rules, &effects) ?? nil
    }

    /// What the walker's source says of machine and walker holds for what is simulated as well.
    private mutating func evolveShared(_ event: borrowing EventView, _ rules: Rules) {
        guard event.header.kind.isOfMachine || event.header.kind.isOfWalker else { return }
        var nothing = NoEffects()
        _ = simulated?.evolve(event, stepsIndex: stepsIndex, rules, &nothing)
    }

    /// Takes what the walker says of a simulated session, or of an import.
    ///
    /// - Returns: Whether there is such a session.
    @inline(never)
    private mutating func describeOther(_ event: borrowing EventView) -> Bool {
        guard case .sessionDescribed(let told) = event.decoded else { return false }
        return simulated?.sessions.describe(told) ?? false || imports.describe(told)
    }

    /// The state of a source; nil if it has no event.
    func state(of provenance: Provenance) -> SourceState? {
        switch provenance {
        case .walked: live
        case .simulated: simulated
        case .imported(let number): imports[number]
        }
    }

    /// The source of a recorder, which may have no event yet.
    func recorder(isSimulated: Bool) -> SourceState {
        guard isSimulated, !rules.countSimulated else { return live }
        return simulated ?? SourceState(simulatedAfter: live)
    }

    /// The recorder that died ended when it was last heard of, with its links.
    mutating func endRecorder() {
        var nothing = NoEffects()
        live.endRecorder(at: head, rules, &nothing)
        simulated?.endRecorder(at: head, rules, &nothing)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        // What is simulated comes after all imports.
        var others = imports.states
        if let simulated { others.insert(simulated) }
        try coder(&rules, &events, &head, &stepsIndex, &live, &others)
        try coder(&findings)
        guard coder.isReading else { return }
        simulated = others.remove(Provenance.simulated.number)
        imports = Imports(others)
    }
}

extension EventKind {
    /// Whether it says something of the machine: its boot, its zone, its log.
    fileprivate var isOfMachine: Bool {
        self == .bootBegan || self == .zoneOffsetChanged || self == .originBegan
    }
}
