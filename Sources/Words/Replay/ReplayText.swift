package import Events
internal import Interchange
package import JSON
package import Projections
internal import Text

/// The result of a replay, and of a second one under other rules.
package struct ReplayText: Answer, JSONObject {
    private let state: LogState
    private let whatIf: LogState?
    private let session: Position?
    private let series: SessionSeries?
    private let digest: (LogState) -> String
    private let offsetMinutes: (Position) -> Int64
    private let isStopped: Bool
    private let faults: [LinkFault]

    /// Tells a replay.
    ///
    /// - Parameters:
    ///   - state: What was folded.
    ///   - whatIf: The same under other rules or with faults, or nil.
    ///   - session: The session that is shown; nil for everything.
    ///   - series: What that session's figures are made of, for JSON; nil to leave it out.
    ///   - digest: The digest of a state.
    ///   - offsetMinutes: Minutes east of UTC at an event, for people.
    ///   - isStopped: Whether somebody ended the replay before its end.
    ///   - faults: What was put into the other one.
    package init(
        _ state: LogState, whatIf: LogState?, session: Position?,
        series: SessionSeries? = nil, digest: @escaping (LogState) -> String,
        offsetMinutes: @escaping (Position) -> Int64, isStopped: Bool = false,
        faults: [LinkFault] = []
    ) {
        (self.state, self.whatIf, self.session, self.series) = (state, whatIf, session, series)
        (self.digest, self.offsetMinutes, self.isStopped) = (digest, offsetMinutes, isStopped)
        self.faults = faults
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        writeFields(of: state, to: &line)
        series?.writeFields(to: &line)
        if let whatIf {
            if !faults.isEmpty { line.field("faults", faults) }
            line.object("whatIf") { writeFields(of: whatIf, to: &$0) }
            let differences = state.differences(from: whatIf, session)
            line.differences(differences)
        }
        if isStopped { line.field("stoppedAfter", state.head) }
    }

    /// The sessions, or everything, then what would be different.
    package var text: String {
        let sessions = state.reports(session).map {
            SessionText($0, in: state, units: state.units).text
        }.joined()
        return (session == nil ? everything(with: sessions) : sessions) + comparison + end
    }

    /// What would be different.
    private var comparison: String {
        guard let whatIf else { return "" }
        let differences = state.differences(from: whatIf, session)
        let put = faults.map { fault in
            let offset = offsetMinutes(fault.position)
            let time = LocalTime(fault.stamp.wallMilliseconds, offsetMinutes: offset)
            return "  \(time.whole)  \(fault.words)\n"
        }
        let heading = put.isEmpty ? "What if" : "With these faults:\n\(put.joined())What changes"
        guard !differences.isEmpty else { return "\(heading): no difference.\n" }
        let after = put.isEmpty ? "what if" : "with faults"
        let table = DifferenceTable(differences, before: "as it is", after: after)
        return "\(heading):\n" + table.text
    }

    /// Where it was stopped, if it was.
    private var end: String {
        guard isStopped else { return "" }
        guard let head = state.head else { return "Stopped before the first event.\n" }
        return "Stopped after position \(head): the totals are those up to it.\n"
    }

    private func everything(with sessions: String) -> String {
        var text = "\(counted(state.events, "event"))\n\(digest(state))\n" + sessions
        for day in state.dayReports() {
            text += "\(day.date): \(grouped(day.displayed)) steps\n"
        }
        for finding in state.findings.kept {
            text += "position \(finding.position): \(finding.message)\n"
        }
        return text
    }

    private func writeFields(of state: LogState, to line: inout JSONWriter) {
        guard session != nil else {
            return state.writeReplayFields(
                to: &line, digest: digest(state), at: state.lastMoment)
        }
        for report in state.reports(session) { report.writeFields(to: &line) }
    }
}
