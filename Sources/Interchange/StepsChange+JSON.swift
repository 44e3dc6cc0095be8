internal import Events
package import JSON
package import Projections
internal import Text

extension StepsChange: JSONObject {
    /// Writes the change as `audit steps` gives it; operands are null where there is no max(), and
    /// what totals cover of a reading stands after it, if there is any.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("at", TimeText.utc(stamp.wallMilliseconds))
        json.field("cause", cause.name)
        json.field("health", self.reconciliation?.health)
        json.field("baselinePlusDelta", self.reconciliation?.baselinePlusDelta)
        json.field("persisted", self.reconciliation?.persisted)
        json.field("winner", self.reconciliation?.winner.rawValue)
        json.field("before", self.before)
        json.field("after", self.after)
        json.field("corrected", self.corrected)
        json.field("reportedBy", reporter)
        json.field("countedBy", countedBy?.description)
        if let setAside = self.setAside { json.field("setAside", setAside) }
        guard let covered else { return }
        json.field("covered", covered.steps)
        json.field("coveringTotals", covered.totals.count)
        json.field("coveringPosition", covered.totals.lastPosition)
    }
}

extension SetAside: JSONObject {
    /// Writes the number, the event that reported it, whether a person took it in, and of what came
    /// over midnight the times of both readings.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("kind", kind.name)
        json.field("steps", steps)
        json.field("taken", isTaken)
        guard kind == .overMidnight else { return }
        json.field("from", TimeText.utc(fromMilliseconds))
        json.field("to", TimeText.utc(toMilliseconds))
    }
}

extension Reconciliation: JSONObject {
    /// Writes the operands of the max() and which one won.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("cause", StepsCause.reconciliation(trigger).name)
        json.field("health", health)
        json.field("carriedSteps", carriedSteps)
        json.field("baselinePlusDelta", baselinePlusDelta)
        json.field("persisted", persisted)
        json.field("winner", winner.rawValue)
    }
}
