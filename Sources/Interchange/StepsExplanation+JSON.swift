internal import Events
package import JSON
package import Projections
internal import Text

extension StepsExplanation: JSONObject {
    /// Writes the number, its addends, and the position of every event that they came from.
    package func writeFields(to json: inout JSONWriter) {
        json.field("date", date.description)
        json.field("position", state.head)
        json.field("at", TimeText.utc(state.own.clock.lastStamp.wallMilliseconds))
        json.field("displayed", displayed)
        json.field("corrected", corrected)
        json.field("openedPosition", openedPosition)
        json.field("baseline", baseline)
        json.field("delta", delta)
        json.field("stretches", stretches)
        json.field("earlierStretches", earlierStretches)
        json.field("earlierSteps", earlierSteps)
        json.field("lateTotal", lateTotal)
        json.field("notCounted", uncounted)
        json.field("notCountedReadings", uncountedReadings)
        json.field("setAside", setAside)
        json.field("unreadableReadings", unreadableReadings)
        json.field("otherPedometers", otherPedometers)
        json.field("correction", correction)
        json.field("corrections", corrections)
        json.object("rules") { json in
            json.field("carryOverlap", state.rules.carryOverlap)
            json.field("cadenceMilliseconds", state.rules.cadenceMilliseconds)
            json.field("coverUnheard", state.rules.coverUnheard)
        }
    }
}

extension StepsBaseline: JSONObject {
    /// Writes the operands with the positions that they came from.
    package func writeFields(to json: inout JSONWriter) {
        json.field("value", value)
        json.field("position", position)
        json.field("cause", reconciliation.map { StepsCause.reconciliation($0.trigger).name })
        json.field("health", reconciliation?.health)
        json.field("healthPosition", healthPosition)
        json.field("healthReportedBy", healthReporter)
        json.field("carriedSteps", reconciliation?.carriedSteps)
        json.field("baselinePlusDelta", reconciliation?.baselinePlusDelta)
        json.field("earlierBaseline", earlierBaseline)
        json.field("earlierDelta", earlierDelta)
        json.field("persisted", reconciliation?.persisted)
        json.field("persistedPosition", persistedPosition)
        json.field("persistedIsLegacy", isPersistedLegacy)
        json.field("persistedReportedBy", persistedReporter)
        json.field("winner", reconciliation?.winner.rawValue)
        json.field("lateTotal", lateTotal)
    }
}

extension StepsStretch: JSONObject {
    /// Writes both ends and the rule; a foot pod has an integral instead of counts.
    package func writeFields(to json: inout JSONWriter) {
        let isCadence = rule == .cadence
        json.field("device", device.description)
        json.field("rule", rule.rawValue)
        json.field("firstPosition", firstPosition)
        json.field("first", isCadence ? nil : first)
        json.field("lastPosition", lastPosition)
        json.field("last", isCadence ? nil : last)
        json.field("readings", readings)
        if let silenceMilliseconds { json.field("silenceMilliseconds", silenceMilliseconds) }
        json.field("stepsPerCadenceCount", isCadence ? stepsPerCadenceCount : nil)
        json.field("carried60000ths", isCadence ? carried : nil)
        json.field("cadenceMilliseconds", isCadence ? cadenceMilliseconds : nil)
        json.field("covered", covered)
        json.field("coveringTotals", coveringTotals)
        json.field("steps", steps)
    }
}

extension UncountedReading: JSONObject {
    /// Writes the reading, the reason and the event that is the reason.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("device", device.description)
        json.field("steps", steps)
        json.field("reason", reason.rawValue)
        json.field("causePosition", causePosition)
        json.field("totals", totals)
    }
}

extension OtherPedometer: JSONObject {
    /// Writes who was read, and how often.
    package func writeFields(to json: inout JSONWriter) {
        json.field("device", device.description)
        json.field("readings", readings)
    }
}

extension SourcedTotal: JSONObject {
    /// Writes the number and where it came from.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("total", total)
        json.field("reportedBy", reporter)
    }
}

extension StepsCorrection: JSONObject {
    /// Writes the correction; reason and author are a person's text.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("correction", amount)
        json.field("reason", reason)
        json.field("author", author)
    }
}
