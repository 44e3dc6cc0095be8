internal import Events
package import JSON
package import Projections

extension DayReport: JSONObject {
    /// Writes a day's steps.
    package func writeFields(to json: inout JSONWriter) {
        json.field("date", self.date.description)
        json.field("offsetMinutes", self.offsetMinutes)
        json.field("displayed", self.displayed)
        json.field("corrected", self.corrected)
        json.field("baseline", self.baseline)
        json.field("delta", self.delta)
        json.field("reconciliations", self.reconciliations)
    }
}

extension Finding: JSONObject {
    /// Writes what could not be used, and where.
    package func writeFields(to json: inout JSONWriter) {
        json.field("code", code.name)
        json.field("position", position)
        json.field("message", message)
    }
}

extension LogState {
    /// Writes the fields of a replay's result: events, head, digest, sessions, days, findings.
    ///
    /// - Parameters:
    ///   - json: Where to write; an object must be open.
    ///   - digest: The digest of this state's canonical bytes.
    ///   - moment: As of when open sessions are shown.
    package func writeReplayFields(
        to json: inout JSONWriter, digest: String, at moment: Moment
    ) {
        json.field("events", events)
        json.field("head", head)
        json.field("digest", digest)
        json.field("sessions", sessionReports(at: moment))
        json.field("days", dayReports())
        json.field("findings", findings.kept)
        json.field("findingsTotal", findings.total)
    }
}
