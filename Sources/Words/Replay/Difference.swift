internal import Events
internal import Interchange
internal import Projections

/// A figure that is another one under other rules.
struct Difference: JSONWritable {
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

extension LogState {
    /// The sessions that are told: one, or all.
    func reports(_ session: Position?) -> [SessionReport] {
        guard let session else { return sessionReports(at: lastMoment) }
        return sessionReport(session, at: lastMoment).map { [$0] } ?? []
    }

    /// The figures that are other ones in another state, which was folded under other rules.
    func differences(from other: LogState, _ session: Position?) -> [Difference] {
        zip(figures(session), other.figures(session)).filter { $0.value != $1.value }
            .map { Difference(what: $0.name, before: $0.value, after: $1.value) }
    }

    /// The figures that rules can change, by name; the same names for the same events.
    private func figures(_ session: Position?) -> [(name: String, value: String)] {
        var figures: [(name: String, value: String)] = []
        for session in reports(session) {
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
        for day in session == nil ? dayReports() : [] {
            figures.append(("day \(day.date) displayed", "\(day.displayed)"))
            figures.append(("day \(day.date) corrected", "\(day.corrected)"))
        }
        return figures
    }
}
