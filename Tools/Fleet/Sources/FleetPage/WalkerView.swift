internal import Deciding
internal import EventStore
internal import Events
internal import Fleet
internal import Interchange
internal import JSON
internal import Projections

/// How the steps of a walker's last day came, and his days and sessions.
struct WalkerView: JSONObject {
    private let log: FleetLog
    private let state: LogState
    /// Minutes since the day's first step, and the steps that were displayed then.
    private let staircase: [(atMilliseconds: Int64, steps: UInt64)]
    private let evidence: CollectedLog.Evidence

    /// Folds a log.
    ///
    /// - Throws: `EventLogError` never: the log is in memory.
    init(_ collected: CollectedLog) throws {
        log = collected.name
        evidence = collected.evidence
        var state = LogState()
        var (date, stairs) = (CivilDate?.none, [(atMilliseconds: Int64, steps: UInt64)]())
        try collected.log.read { event in
            let header = event.header
            state.evolve(event)
            guard header.kind.lane == .steps,
                let day = state.seenByOthers(isRecording: state.isRecording).live.steps.current
            else { return true }
            if day.date != date { stairs = [] }
            date = day.date
            if stairs.last?.steps != day.displayed {
                stairs.append((header.stamp.wallMilliseconds, day.displayed))
            }
            return true
        }
        staircase = stairs
        self.state = state.seenByOthers(isRecording: state.isRecording)
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("person", log.person)
        json.field("log", log.id)
        json.field("digest", state.digest)
        json.field("date", state.live.steps.current?.date.description)
        json.field("offsetMinutes", state.live.recorder.zoneOffsetMinutes)
        json.array("staircase") { json in
            for stair in staircase {
                json.array { json in
                    json.value(stair.atMilliseconds)
                    json.value(stair.steps)
                }
            }
        }
        json.field("days", state.dayReports())
        json.field("signedBlocks", evidence.signedBlocks)
        json.field("blocks", evidence.blocks)
        json.field("faults", evidence.faults.isEmpty ? nil : evidence.faults[0])
    }
}
