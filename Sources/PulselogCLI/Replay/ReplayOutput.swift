internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import TamperEvidence
internal import Words

/// The result of a replay, and of a second one under other rules.
struct ReplayOutput {
    /// Where the events are.
    let log: any EventLog
    let state: LogState
    let whatIf: LogState?
    /// The session that is told; nil for everything.
    let session: Position?
    let json: Bool

    /// Writes it to standard output.
    func write() throws {
        let differences = whatIf.map(differences)
        guard !json else {
            return Output.standard.write(
                JSONWriter.line { line in
                    writeFields(of: state, to: &line)
                    if let whatIf { line.object("whatIf") { writeFields(of: whatIf, to: &$0) } }
                    if let differences { line.field("differences", differences) }
                })
        }
        var text = session == nil ? try everything() : try sessions()
        if let differences {
            text += differences.isEmpty ? "What if: no difference.\n" : "What if:\n"
            for difference in differences {
                text += "  \(difference.what): \(difference.before) would be \(difference.after)\n"
            }
        }
        Output.standard.write(text)
    }

    private func writeFields(of state: LogState, to line: inout JSONWriter) {
        guard session != nil else {
            return state.writeReplayFields(
                to: &line, digest: digest(state), at: state.lastMoment)
        }
        for report in reports(state) { report.writeFields(to: &line) }
    }

    private func everything() throws(EventLogError) -> String {
        var text = "\(counted(state.events, "event"))\n\(digest(state))\n" + (try sessions())
        for day in state.dayReports() {
            text += "\(day.date): \(grouped(day.displayed)) steps\n"
        }
        for finding in state.findings.kept {
            text += "position \(finding.position): \(finding.message)\n"
        }
        return text
    }

    private func sessions() throws(EventLogError) -> String {
        let reports = reports(state)
        if let session {
            // Only what stands before it is looked at.
            let offset = try log.zoneOffsetMinutes(at: session)
            return reports.map { SessionText($0, in: state, offsetMinutes: offset).text }.joined()
        }
        let zones = try ZoneHistory(log, until: state.head.map { $0 + 1 } ?? 0)
        return reports.map {
            SessionText($0, in: state, offsetMinutes: zones.minutes(at: $0.position)).text
        }.joined()
    }

    /// The sessions that are told.
    private func reports(_ state: LogState) -> [SessionReport] {
        guard let session else { return state.sessionReports(at: state.lastMoment) }
        return state.sessionReport(session, at: state.lastMoment).map { [$0] } ?? []
    }

    private func digest(_ state: LogState) -> String {
        StateDigest(ofCanonicalBytes: state.canonicalBytes()).description
    }

    private func differences(_ other: LogState) -> [Difference] {
        zip(figures(state), figures(other)).filter { $0.value != $1.value }
            .map { Difference(what: $0.name, before: $0.value, after: $1.value) }
    }

    /// The figures that rules can change, by name; the same names for the same events.
    private func figures(_ state: LogState) -> [(name: String, value: String)] {
        var figures: [(name: String, value: String)] = []
        for session in reports(state) {
            let name = "session \(session.position) "
            let accounting = session.accounting
            let zones = session.heartRate.zones
            let values: [(String, String)] = [
                ("freshMilliseconds", "\(accounting.freshMilliseconds)"),
                ("heldMilliseconds", "\(accounting.heldMilliseconds)"),
                ("silentMilliseconds", "\(accounting.silentMilliseconds)"),
                ("noContactMilliseconds", "\(accounting.noContactMilliseconds)"),
                ("disconnectedMilliseconds", "\(accounting.disconnectedMilliseconds)"),
                ("timeWeightedMean", session.heartRate.timeWeightedMean?.description ?? "none"),
                ("restingMilliseconds", "\(zones.restingMilliseconds)"),
                ("moderateMilliseconds", "\(zones.moderateMilliseconds)"),
                ("vigorousMilliseconds", "\(zones.vigorousMilliseconds)"),
                ("maximumMilliseconds", "\(zones.maximumMilliseconds)"),
                ("steps", "\(session.steps)"),
                (
                    "distanceMillimetres",
                    session.distanceMillimetres.map { "\($0)" } ?? "none"
                ),
            ]
            figures += values.map { (name + $0.0, $0.1) }
        }
        for day in session == nil ? state.dayReports() : [] {
            figures.append(("day \(day.date) displayed", "\(day.displayed)"))
            figures.append(("day \(day.date) corrected", "\(day.corrected)"))
        }
        return figures
    }
}

/// A figure that is another one under other rules.
private struct Difference: JSONWritable {
    let what: String
    let before: String
    let after: String

    func write(to json: inout JSONWriter) {
        json.object {
            $0.field("what", what)
            $0.field("before", before)
            $0.field("after", after)
        }
    }
}
