internal import Events
package import JSON
package import Projections

extension HealthReceipt: JSONObject {
    /// Writes what became of a total.
    package func writeFields(to json: inout JSONWriter) {
        json.field("date", total.date.description)
        json.field("steps", total.steps)
        switch outcome {
        case .taken: json.field("outcome", "taken")
        case .known: json.field("outcome", "known")
        case .refused(let refusal):
            json.field("outcome", "refused")
            json.field("message", refusal.description)
        }
        json.field("displayed", displayed)
    }
}

extension IgnoredSamples: JSONObject {
    /// Writes of which date samples do not count, how many, and why; of a record, what is wrong.
    package func writeFields(to json: inout JSONWriter) {
        json.field("date", date?.description)
        json.field("samples", count)
        json.field("reason", reason.rawValue)
        if let message { json.field("message", message) }
    }
}
