internal import Events
package import JSON
internal import Projections

/// How a log stands: what a study's keeper sees of hundreds of walkers at once.
package struct Glance: JSONObject, Hashable, Sendable {
    /// What is going on.
    package enum Activity: String, Sendable {
        /// No session is open, or nobody records it.
        case atRest
        /// A session is recorded.
        case walking
        /// A session is paused.
        case paused
    }

    /// Whose log it is.
    package let log: FleetLog
    /// How many events are folded.
    package let events: UInt64
    /// What is going on, as far as the log says.
    package let activity: Activity
    /// When the last event arrived at the recorder: UTC in milliseconds since 1970-01-01.
    package let lastHeardMilliseconds: Int64
    /// The steps of the day that counts now; nil if no day does.
    package let steps: UInt64?
    /// That day.
    package let date: String?
    /// The heart rate of a connected strap, in BPM; nil if there is none, or if it is not shared.
    package let heartRateBPM: UInt16?
    /// The lowest battery among the paired devices, in percent.
    package let batteryPercent: UInt8?
    /// How much of the log could not be used.
    package let findings: UInt64
    /// How many messages of the log were set aside.
    package let setAside: Int

    /// Looks at a log.
    package init(_ folded: FoldedLog) {
        let state = folded.state.seenByOthers(isRecording: folded.state.isRecording)
        let own = state.own
        log = folded.log
        events = state.events
        lastHeardMilliseconds = own.clock.lastStamp.wallMilliseconds
        activity =
            own.sessions.open == nil || !state.isRecording
            ? .atRest : own.sessions.isPaused ? .paused : .walking
        steps = own.steps.current?.displayed
        date = own.steps.current?.date.description
        let connection = ConnectionView(state, at: state.lastMoment)
        heartRateBPM = activity == .atRest ? nil : connection.heartRateBPM
        batteryPercent = state.deviceReports().filter(\.isPaired).compactMap(\.batteryPercent).min()
        findings = state.findings.total
        setAside = folded.setAsideCount
    }

    /// Reads what a worker told of a log; nil if it is something else.
    ///
    /// - Parameter line: A line of JSON, without its end.
    package init?(line: [UInt8]) {
        guard let json = JSONValue(parsing: line),
            let person = json["person"]?.text, let id = json["log"]?.text,
            let log = FleetLog(person: person, id: id),
            let events = json["events"]?.integer(as: UInt64.self),
            let activity = json["activity"]?.text.flatMap(Activity.init),
            let lastHeard = json["lastHeardMilliseconds"]?.integer(as: Int64.self),
            let findings = json["findings"]?.integer(as: UInt64.self),
            let setAside = json["setAside"]?.integer(as: Int.self)
        else { return nil }
        (self.log, self.events, self.activity) = (log, events, activity)
        lastHeardMilliseconds = lastHeard
        date = json["date"]?.text
        steps = json["steps"]?.integer(as: UInt64.self)
        heartRateBPM = json["heartRateBPM"]?.integer(as: UInt16.self)
        batteryPercent = json["batteryPercent"]?.integer(as: UInt8.self)
        (self.findings, self.setAside) = (findings, setAside)
    }

    /// Whether a walk is recorded of which nothing has come for a minute.
    ///
    /// - Parameter now: UTC in milliseconds since 1970-01-01.
    /// - Returns: Whether it is.
    package func isSilent(at now: Int64) -> Bool {
        activity != .atRest && now - lastHeardMilliseconds > 60_000
    }

    /// Writes it; what is not known is null.
    package func writeFields(to json: inout JSONWriter) {
        json.field("person", log.person)
        json.field("log", log.id)
        writeFigures(to: &json)
    }

    /// Writes all but whose log it is.
    package func writeFigures(to json: inout JSONWriter) {
        json.field("events", events)
        json.field("activity", activity.rawValue)
        json.field("lastHeardMilliseconds", lastHeardMilliseconds)
        json.field("date", date)
        json.field("steps", steps)
        json.field("heartRateBPM", heartRateBPM)
        json.field("batteryPercent", batteryPercent)
        json.field("findings", findings)
        json.field("setAside", setAside)
    }
}
