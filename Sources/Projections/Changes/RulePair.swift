package import Events

/// The same folds under two sets of rules, compared after each event.
package struct RulePair: Sendable {
    private var state: LogState
    private var other: LogState
    private let session: Position?
    private let isOfHeartRate: Bool
    private var now = Moment(Stamp(), [])

    /// Begins before the first event.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - others: Other ones.
    ///   - session: The only session that is compared; nil for everything.
    ///   - isOfHeartRate: Whether only the heart rate of sessions is compared.
    package init(
        _ rules: Rules = Rules(), and others: Rules, session: Position? = nil,
        isOfHeartRate: Bool = false
    ) {
        (state, other) = (LogState(rules: rules), LogState(rules: others))
        (self.session, self.isOfHeartRate) = (session, isOfHeartRate)
    }

    /// Takes one event in.
    ///
    /// Only what it can change is compared: the sessions that are open, the one that ended last,
    /// the strap, and the days that its effects name.
    ///
    /// - Parameter event: The event that comes next.
    /// - Returns: Whether people still see the same of both.
    package mutating func evolve(_ event: borrowing EventView) -> Bool {
        let header = event.header
        let effects = [state.evolve(event), other.evolve(event)]
        now = Moment(header.stamp, header.flags)
        if let session, header.position < session { return true }
        // These change a session that may have ended, or one that is another's by the other rules.
        if header.kind.namesSession || header.provenance == .simulated {
            return differences.isEmpty
        }
        let isPlain =
            header.kind == .characteristicNotified || header.kind == .pedometerRead
            || header.kind == .positionFixed
        // Time passes for a simulated session as for the walker's.
        let sources: [Provenance] = [.walked, .simulated, header.provenance]
        for source in header.source > 0 ? sources : sources.dropLast() {
            guard let left = state[source], let right = other[source] else { continue }
            guard isSame(left, right, isPlain) else { return false }
        }
        guard session == nil, !isOfHeartRate else { return true }
        let dates = effects.flatMap { [$0.date, $0.begun, $0.ended?.date] }.compactMap(\.self)
        return dates.allSatisfy { report(of: $0, in: state) == report(of: $0, in: other) }
            && state.findings == other.findings
            && ConnectionView(state, at: now) == ConnectionView(other, at: now)
            && state.own.stepsToday(at: now) == other.own.stepsToday(at: now)
    }

    /// The fields in which they differ after the last event.
    package var differences: [FieldChange] {
        ShownFigures(state, of: session, at: now)
            .changes(to: ShownFigures(other, of: session, at: now))
            .filter { !isOfHeartRate || $0.field.contains("].heartRate.") }
    }

    private func report(of date: CivilDate, in state: LogState) -> DayReport? {
        state.own.steps[date].map(DayReport.init)
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
        return true
    }

    private func isSame(
        _ session: Session, _ another: Session, _ left: SourceState, _ right: SourceState
    ) -> Bool {
        guard self.session ?? session.position == session.position else { return true }
        // Equal sums show the same, but for what a rule makes, when they are shown, of the time
        // since the last event that could change the link.
        let (rules, others) = (state.rules, other.rules)
        if session == another, rules.graceMilliseconds == others.graceMilliseconds,
            rules.silenceMilliseconds == others.silenceMilliseconds
        {
            return true
        }
        let report = SessionReport(withoutRules: session, of: left, at: now, state.rules)
        let reported = SessionReport(withoutRules: another, of: right, at: now, other.rules)
        return isOfHeartRate ? report.heartRate == reported.heartRate : report == reported
    }
}
