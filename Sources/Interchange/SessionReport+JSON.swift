internal import Events
package import JSON
package import Projections
internal import Text

extension SessionReport: JSONObject {
    /// Writes the fields of a session into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("position", position)
        json.field("source", provenance.source)
        json.field("simulated", provenance == .simulated)
        json.field("state", state.name)
        json.field("name", keeping.name.isEmpty ? nil : keeping.name)
        json.field("place", keeping.place.isEmpty ? nil : keeping.place)
        json.field("note", keeping.note.isEmpty ? nil : keeping.note)
        json.field("tags", keeping.tags)
        json.field("sport", keeping.sport.name)
        json.field("hidden", keeping.isHidden)
        json.field("offsetMinutes", offsetMinutes)
        json.field("startedAt", TimeText.utc(startedAtMilliseconds))
        json.field("endedAt", endedAtMilliseconds.map(TimeText.utc))
        json.field("leftAt", leftAtMilliseconds.map(TimeText.utc))
        json.field("endReason", endReason.map { $0.known.map(\.name) ?? "\($0.rawValue)" })
        writeGoal(to: &json)
        json.field("elapsedMilliseconds", elapsedMilliseconds)
        json.field("activeMilliseconds", activeMilliseconds)
        json.field("pausedMilliseconds", pausedMilliseconds)
        json.field("pauseMilliseconds", pauseMilliseconds)
        json.field("accounting", accounting)
        json.field("heartRate", heartRate)
        json.field("straps", straps)
        json.field("contactlessStrap", contactlessStrap?.device.description)
        json.object("rr") { json in
            rr.writeFields(to: &json)
            json.object("filtered") { filteredRR.writeFields(to: &$0) }
        }
        json.object("steps") { json in
            json.field("session", knownSteps)
            json.field("baseline", stepsBaseline)
            json.field("today", stepsToday)
        }
        json.field("distanceMillimetres", distanceMillimetres)
        json.field("distanceSource", distanceSource?.rawValue)
        json.object("lengths") { json in
            for measure in way.measures {
                json.object(measure.name) { json in
                    json.field("millimetres", way.measured[measure])
                    json.field("countedMillimetres", way.counted[measure])
                    json.field("doubted", way.comparison.doubtedMeasures.contains(measure))
                }
            }
        }
        json.field("ownStrideMicrometres", ownStride)
        json.field("excludedDistances", excludedDistances)
        json.field("excludedReadings", excludedReadings)
        json.field("inexactFixes", inexactFixes)
        let leftOut = leftOutFixes
        if leftOut.sum > 0 {
            json.object("leftOutFixes") { json in
                for fault in LeftOutFixes.faults { json.field(fault.name, leftOut[fault]) }
            }
        }
        json.field("route", route.isEmpty ? nil : route)
        json.field("energyCalories", knownEnergyCalories)
        json.field("weightAssumed", isWeightAssumed)
        json.field("heartRateEnergyCalories", heartRateEnergyCalories)
        json.field("marks", marks)
        json.field("laps", laps.ended)
        json.field("standsStill", standsStill)
        writeLink(to: &json)
    }

    private func writeGoal(to json: inout JSONWriter) {
        guard let goal else { return json.field("goal", nil as Int?) }
        json.object("goal") { json in
            json.field("kind", goal.kind.name)
            json.field("target", goal.target)
            json.field("progress", goalProgress)
            json.field("reached", isGoalReached)
            json.field("outAndBack", outAndBack)
            json.field("turnAroundReached", isTurnAroundReached)
        }
    }
}

// MARK: - The strap's connection

extension SessionReport {
    private func writeLink(to json: inout JSONWriter) {
        json.object("link") { json in
            let connecting = link.connecting.count > 0 ? link.connecting : nil
            json.field("connects", link.connects)
            json.field("firstConnectMilliseconds", connecting?.firstMilliseconds)
            json.field("meanConnectMilliseconds", connecting?.meanMilliseconds)
            json.field("longestConnectMilliseconds", connecting?.longestMilliseconds)
            json.field("failedAttempts", link.failedAttempts)
            json.object("drops") { json in
                for (cause, count) in zip(LinkEnd.drops, link.drops) {
                    json.field(cause.name, count)
                }
            }
            json.field("upMilliseconds", link.upMilliseconds)
            json.field("longestGapMilliseconds", link.longestGapMilliseconds)
            json.field("deliveryFactor", link.deliveryFactor)
            json.field("multipliedMilliseconds", link.multipliedMilliseconds)
            json.field("rrConservation", rrConservation.ratio?.description)
            json.field("rrConservationOff", rrConservation.isOff)
            json.field("spans", link.spans)
        }
    }
}

extension SessionReport.Strap: JSONObject {
    /// Writes a strap, and whether its values are left out.
    package func writeFields(to json: inout JSONWriter) {
        json.field("device", device.description)
        json.field("samples", samples)
        json.field("excluded", isExcluded)
    }
}

extension LinkSpan: JSONObject {
    /// Writes one connection of a session; times are those of the boot clock.
    package func writeFields(to json: inout JSONWriter) {
        json.field("startMilliseconds", startMilliseconds)
        json.field("durationMilliseconds", durationMilliseconds)
        json.field("end", end?.name)
        json.field("values", values)
        json.field("rrConservation", rrConservation?.description)
        json.field("deliveryFactor", deliveryFactor)
    }
}

extension Accounting: JSONObject {
    /// Writes the parts of the elapsed time.
    package func writeFields(to json: inout JSONWriter) {
        json.field("freshMilliseconds", freshMilliseconds)
        json.field("heldMilliseconds", heldMilliseconds)
        json.field("silentMilliseconds", silentMilliseconds)
        json.field("noContactMilliseconds", noContactMilliseconds)
        json.field("disconnectedMilliseconds", disconnectedMilliseconds)
        json.field("pausedMilliseconds", pausedMilliseconds)
    }
}

extension Route: JSONObject {
    /// Writes what the fixes of a session add up to.
    package func writeFields(to json: inout JSONWriter) {
        json.field("fixes", fixes)
        json.field("excludedFixes", excludedFixes)
        json.field("excludedHeights", excludedHeights)
        json.field("jumps", jumps)
        json.field("distanceMillimetres", distanceMillimetres)
        json.field("ascentMillimetres", hasHeights ? ascentMillimetres : nil)
        json.field("descentMillimetres", hasHeights ? descentMillimetres : nil)
    }
}

extension HeartRateReport: JSONObject {
    /// Writes sums, means, extremes, what was excluded, and zones.
    package func writeFields(to json: inout JSONWriter) {
        json.field("samples", samples)
        json.field("sum", sum)
        json.field("mean", mean?.description)
        json.field("timeWeightedMean", timeWeightedMean?.description)
        json.field("min", minimum)
        json.field("max", maximum?.bpm)
        json.field("maxPosition", maximum?.position)
        json.field("supportedMax", supportedMaximum?.bpm)
        json.field("supportedMaxPosition", supportedMaximum?.position)
        json.object("excluded") { json in
            json.field("zero", excluded.zero)
            json.field("noReading", excluded.noReading)
            json.field("notCredible", excluded.notCredible)
            json.field("noContact", excluded.noContact)
            json.field("paused", excluded.paused)
            json.field("undecodable", excluded.undecodable)
            json.field("copies", excluded.copies)
        }
        json.object("zones") { json in
            json.field("restingMilliseconds", zones.restingMilliseconds)
            json.field("moderateMilliseconds", zones.moderateMilliseconds)
            json.field("vigorousMilliseconds", zones.vigorousMilliseconds)
            json.field("maximumMilliseconds", zones.maximumMilliseconds)
            json.field("moderateFrom", zones.bounds.moderateFrom.description)
            json.field("vigorousFrom", zones.bounds.vigorousFrom.description)
            json.field("maximumFrom", zones.bounds.maximumFrom.description)
        }
    }
}

extension RRReport {
    /// Writes the fields of the variability, raw or filtered.
    func writeFields(to json: inout JSONWriter) {
        json.field("count", count)
        json.field("sumTicks", sumTicks)
        json.field("rmssdMilliseconds", rmssdMilliseconds?.description)
        json.field("sdnnMilliseconds", sdnnMilliseconds?.description)
        json.field("pnn50Percent", pnn50Percent?.description)
    }
}
