package import EventStore
internal import Events
package import JSON
internal import Projections
internal import Text
internal import Words

/// The current state: connection, live values, session and today's steps; a function of state and
/// now.
package struct StatusReport: Answer, JSONObject {
    let state: LogState
    private let isRecording: Bool
    let strap: StrapStatus
    let session: SessionReport?
    /// Today's steps; nil where nothing has counted any.
    let today: UInt64?
    /// The pedometer where no strap is paired.
    private let counter: String?
    private let dayAhead: (day: CivilDate, clock: CivilDate)?
    private let position: PositionStatus?
    /// How far the log was compared with its seals; nil if nobody knows: then nothing is said.
    package var selfCheck: SelfCheck?

    /// Tells a scene.
    package init(_ scene: Scene) {
        (state, isRecording, session) = (scene.state, scene.isRecording, scene.report)
        (strap, position) = (scene.strap, scene.position)
        let steps = scene.stepsToday
        today = steps == 0 && state.own.steps.chosen == nil ? nil : steps
        counter = scene.loneCounter.map { counter in
            "Counter  \(deviceTitle(counter.name, counter.id)), "
                + (scene.isRecording && counter.link.isUp ? "connected\n" : "not connected\n")
        }
        dayAhead = scene.state.own.dayAhead(at: scene.moment)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("recording", isRecording)
        json.field("simulated", state.isSimulated)
        json.field("adapter", state.own.recorder.adapter.known?.name)
        json.object("connection") { json in
            strap.writeFields(to: &json)
            json.field("ageMilliseconds", strap.ageMilliseconds)
        }
        json.field("session", session)
        json.object("steps") { json in
            json.field("today", today)
            json.field("dailyGoal", state.own.recorder.profile.dailyGoalSteps)
            if let dayAhead {
                json.field("logDate", "\(dayAhead.day)")
                json.field("clockDate", "\(dayAhead.clock)")
            }
        }
        json.field("gps", position)
        if selfCheck != nil { json.field("selfCheck", selfCheck) }
    }

    /// A few lines for people.
    package var text: String {
        let name = strap.device.map { printable(strap.name ?? $0.description, limit: 30) }
        var text = "Strap    "
        switch (strap.status, name) {
        case (_, nil):
            let none = "none; `pulselog scan` shows what is in range"
            text = counter ?? text + (isRecording ? strap.word.text : none) + "\n"
        case (.disconnected, let name?): text += "\(name), \(strap.word.text)\n"
        case (_, let name?):
            let bpm = strap.heartRateBPM.map { "\($0) BPM" } ?? "–"
            let battery = strap.batteryPercent.map { ", battery \($0) %" } ?? ""
            let contact = strap.isWithoutContact ? ", no contact" : ""
            text += "\(name), \(bpm)\(contact)\(battery)\n"
        }
        if isRecording, let position { text += "GPS      \(position.text)\n" }
        if let session {
            text += SessionText(session, units: state.units).text
        } else {
            text += "Session  none; `pulselog record` starts one\n"
        }
        let goal = state.own.recorder.profile.dailyGoalSteps.map { " of \(grouped($0))" } ?? ""
        let steps = today.map { "\(grouped($0))\(goal) steps" } ?? "no steps counted"
        text += "Today    \(steps)\(state.isSimulated ? ", simulated: counted in no day" : "")\n"
        if let dayAhead { text += DayText.ahead(dayAhead) + "\n" + DayText.wayBack + "\n" }
        if !isRecording { text += "No recorder is running.\n" }
        return text
    }
}
