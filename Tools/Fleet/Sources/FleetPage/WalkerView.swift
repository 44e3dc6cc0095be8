internal import Deciding
internal import Fleet
internal import JSON
internal import Projections
internal import Words

/// A walker's last day as his own page shows it, and what vouches for his log.
struct WalkerView: JSONObject {
    private let collected: CollectedLog
    private let state: LogState
    private let day: DayView?

    /// Looks at a log.
    ///
    /// - Throws: `EventLogError` never: the log is in memory.
    init(_ collected: CollectedLog) throws {
        self.collected = collected
        var state = LogState()
        try collected.log.fold(into: &state)
        self.state = state.seenByOthers(isRecording: state.isRecording)
        day = try self.state.dayReports().last.map { [state = self.state] day in
            DayView(
                day, try collected.log.staircase(of: day), try collected.log.certify(day.date),
                state, at: state.lastMoment)
        }
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("person", collected.name.person)
        json.field("log", collected.name.id)
        json.field("digest", state.digest)
        json.field("day", day)
        json.field("vouched", collected.evidence.sentence)
        json.field("isSound", collected.evidence.faults.isEmpty)
    }
}
