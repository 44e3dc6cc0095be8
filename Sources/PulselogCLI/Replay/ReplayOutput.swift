internal import Events
internal import Interchange
internal import Projections
internal import TamperEvidence

/// The result of a replay, and of a second one under other rules.
struct ReplayOutput {
    let state: LogState
    let whatIf: LogState?
    let json: Bool

    /// Writes it to standard output.
    func write() throws {
        if json {
            Output.standard.write(
                JSONWriter.line { line in
                    state.writeReplayFields(to: &line, digest: digest(state), at: moment(state))
                    if let whatIf {
                        line.object("whatIf") {
                            whatIf.writeReplayFields(
                                to: &$0, digest: digest(whatIf), at: moment(whatIf))
                        }
                        line.array("differences") { array in
                            for difference in differences(whatIf) {
                                array.object {
                                    $0.field("what", difference.what)
                                    $0.field("before", difference.before)
                                    $0.field("after", difference.after)
                                }
                            }
                        }
                    }
                })
            return
        }
        var text = "\(grouped(state.events)) events\n\(digest(state))\n"
        for session in state.sessionReports(at: moment(state)) {
            text += SessionText(session, offsetMinutes: zone(state)).lines.joined(separator: "\n")
            text += "\n"
        }
        for day in state.dayReports() {
            text += "\(day.date): \(grouped(day.displayed)) steps\n"
        }
        for finding in state.findings.kept {
            text += "position \(finding.position): \(finding.message)\n"
        }
        if let whatIf {
            let differences = differences(whatIf)
            text += differences.isEmpty ? "What if: no difference.\n" : "What if:\n"
            for difference in differences {
                text += "  \(difference.what): \(difference.before) would be \(difference.after)\n"
            }
        }
        Output.standard.write(text)
    }

    private func digest(_ state: LogState) -> String {
        StateDigest(ofCanonicalBytes: state.canonicalBytes()).description
    }

    private func zone(_ state: LogState) -> Int64 { state.live.recorder.zoneOffsetMinutes }

    /// A replay stands still at its last event.
    private func moment(_ state: LogState) -> Moment {
        Moment(state.live.clock.lastStamp, [])
    }

    private func differences(
        _ other: LogState
    ) -> [(what: String, before: String, after: String)] {
        var differences: [(what: String, before: String, after: String)] = []
        let before = Self.figures(state, moment(state))
        let after = Self.figures(other, moment(other))
        for (left, right) in zip(before, after) where left.value != right.value {
            differences.append((left.name, left.value, right.value))
        }
        return differences
    }

    /// The figures that rules can change, by name; the same names for the same events.
    private static func figures(
        _ state: LogState, _ moment: Moment
    ) -> [(name: String, value: String)] {
        var figures: [(name: String, value: String)] = []
        for session in state.sessionReports(at: moment) {
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
        for day in state.dayReports() {
            figures.append(("day \(day.date) displayed", "\(day.displayed)"))
            figures.append(("day \(day.date) corrected", "\(day.corrected)"))
        }
        return figures
    }
}
