public import Events

/// Two folds of one log, held against each other after each event.
public protocol FoldPair: Sendable {
    /// Takes one event in.
    ///
    /// - Parameter event: The event that comes next.
    /// - Returns: Whether people still see the same of both.
    mutating func evolve(_ event: borrowing EventView) -> Bool
    /// The fields in which they differ after the last event.
    var differences: [FieldChange] { get }
}

/// The same folds under two sets of rules.
public struct RulePair: FoldPair {
    private var state: LogState
    private var other: LogState
    private let session: Position?
    private var now = Moment(Stamp(), [])

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - others: Other ones.
    ///   - session: The session that alone is looked at; nil for everything.
    public init(_ rules: Rules = Rules(), and others: Rules, session: Position? = nil) {
        state = LogState(rules: rules)
        other = LogState(rules: others)
        self.session = session
    }

    /// Takes one event in.
    ///
    /// Only what it can change is compared: a value, a count or a position changes the open
    /// session, the current day and the strap.
    ///
    /// - Parameter event: The event that comes next.
    /// - Returns: Whether people still see the same of both.
    public mutating func evolve(_ event: borrowing EventView) -> Bool {
        let header = event.header
        state.evolve(event)
        other.evolve(event)
        now = Moment(header.stamp, header.flags)
        if let session, header.position < session { return true }
        // These change a session that may have ended.
        if header.kind.namesSession { return differences.isEmpty }
        let isPlain =
            header.kind == .characteristicNotified || header.kind == .pedometerRead
            || header.kind == .positionFixed
        guard header.provenance == .walked else {
            return isSame(of: header.provenance, isPlain)
        }
        return isSame(state.live, other.live, isPlain) && isSameBeside
    }

    /// The fields in which they differ after the last event.
    public var differences: [FieldChange] {
        ShownFigures(state, of: session, at: now)
            .changes(to: ShownFigures(other, of: session, at: now))
    }

    private func isSame(of provenance: Provenance, _ isPlain: Bool) -> Bool {
        // Whose it is may be another's by the other rules.
        if provenance == .simulated { return differences.isEmpty }
        if let left = state[provenance], let right = other[provenance],
            !isSame(left, right, isPlain)
        {
            return false
        }
        // A health total of an import counts for the walker's days.
        return (isPlain || isSame(state.live, other.live, false)) && isSameBeside
    }

    /// Whether the strap, today's count and what could not be used are the same.
    private var isSameBeside: Bool {
        guard session == nil else { return true }
        return state.findings == other.findings
            && ConnectionView(state, at: now) == ConnectionView(other, at: now)
            && state.live.stepsToday(at: now, state.rules)
                == other.live.stepsToday(at: now, other.rules)
    }

    private func isSame(_ left: SourceState, _ right: SourceState, _ isPlain: Bool) -> Bool {
        let (sessions, others) = (left.sessions, right.sessions)
        guard sessions.slot.isEmpty == others.slot.isEmpty,
            sessions.past.count == others.past.count
        else { return false }
        if !sessions.slot.isEmpty {
            guard isSame(sessions.slot.value, others.slot.value, left, right) else { return false }
        }
        // What has ended changes no more.
        if !isPlain, let ended = sessions.past.last, let otherEnded = others.past.last {
            guard isSame(ended, otherEnded, left, right) else { return false }
        }
        guard session == nil, left.provenance == .walked else { return true }
        guard isPlain else {
            return left.steps.days.map(DayReport.init) == right.steps.days.map(DayReport.init)
        }
        return left.steps.slot == right.steps.slot
            || left.steps.current.map(DayReport.init) == right.steps.current.map(DayReport.init)
    }

    private func isSame(
        _ session: Session, _ another: Session, _ left: SourceState, _ right: SourceState
    ) -> Bool {
        guard self.session ?? session.position == session.position else { return true }
        // Equal sums show the same, but for what a rule makes of them when they are shown.
        if session == another, state.rules.stridePermille == other.rules.stridePermille,
            state.rules.dayBoundaryMinutes == other.rules.dayBoundaryMinutes
        {
            return true
        }
        return SessionReport(withoutRules: session, of: left, at: now, state.rules)
            == SessionReport(withoutRules: another, of: right, at: now, other.rules)
    }
}
