package import Events

/// What people see of a state: sessions, days, what could not be used, and the strap if that is
/// asked for.
///
/// Without what is itself a rule, such as the bounds of the zones: of two states under other rules
/// only what comes of them differs.
package struct ShownFigures: Hashable, Sendable {
    /// The strap; nil if it is not asked for.
    private var connection: ConnectionView?
    /// What today displays; nil if the strap is not asked for.
    private var today: UInt64?
    private var sessions: [Position: SessionReport] = [:]
    private var days: [CivilDate: DayReport] = [:]
    private var findings: Findings?

    /// What is seen of all sessions and days, or of one session.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - session: The session; nil for everything.
    ///   - now: The moment of a view that shows the strap as well; nil for totals as of the last
    ///     event.
    package init(_ state: LogState, of session: Position? = nil, at now: Moment? = nil) {
        for source in state.sources {
            for each in source.sessions.all where session ?? each.position == each.position {
                sessions[each.position] = SessionReport(
                    withoutRules: each, of: source, at: now ?? state.lastMoment, state.rules)
            }
        }
        guard session == nil else { return }
        for day in state.dayReports() { days[day.date] = day }
        findings = state.findings
        guard let now else { return }
        connection = ConnectionView(state, at: now)
        today = state.own.stepsToday(at: now)
    }

    /// The figures that are other ones in other figures.
    package func changes(to others: ShownFigures) -> [FieldChange] {
        FieldChange.changes(from: self, to: others)
    }
}

extension SessionReport {
    /// Reports a session as if its zones were the standard ones: their times are those that it has.
    init(
        withoutRules session: Session, of source: SourceState, at moment: Moment, _ rules: Rules
    ) {
        var session = session
        session.zones = .standard
        self.init(session, of: source, at: source.reportMoment(moment), rules)
    }
}
