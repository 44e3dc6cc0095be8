internal import Events
internal import JSON
internal import Projections
internal import Text

extension SessionReport {
    /// Whether its track can be drawn, and will not grow.
    var hasTrack: Bool { route.fixes > 1 && state == .ended }

    /// What is said of one that has not ended.
    var openSentence: String {
        "It began on \(start.date.dayAndMonth) at \(start.clock), and "
            + "\(TimeText.duration(activeMilliseconds)) of it were recorded. Nothing recorded "
            + "was lost."
    }
}

/// A walk as a row of a list on a page.
struct WalkRow: JSONObject {
    let walk: SessionReport
    let units: Units

    /// Writes the row as an object.
    func writeFields(to json: inout JSONWriter) {
        let (keeping, start) = (walk.keeping, walk.start)
        let day = "\(start.date.short), \(start.clock)"
        json.field("position", walk.position)
        json.field("title", keeping.name.isEmpty ? day : printable(keeping.name, limit: 256))
        json.field("day", keeping.name.isEmpty ? "" : day)
        json.field("distance", hasLength ? walk.figure(.distance, units) : Figure(""))
        let time = TimeText.duration(walk.activeMilliseconds)
        json.field("time", time)
        let mean = walk.heartRate.timeWeightedMean?.bpm
        json.field("heart", Figure(mean))
        let steps = walk.knownSteps.map { counted($0, "step") }
        let more = steps ?? walk.knownAscentMillimetres.map { "\(units.climb($0)) climb" }
        json.field("more", Figure(more ?? ""))
        // A number stays with its unit.
        let measured = [time, more, mean ?? "no heart rate"].compactMap {
            $0?.replacing(" ", with: "\u{A0}")
        }
        json.field("meta", measured.joined(separator: ", "))
        json.field("place", printable(keeping.place, limit: 256))
        json.field("notes", notes)
        json.field("isHidden", keeping.isHidden)
        json.field("hasTrack", walk.hasTrack)
        json.field("hasHeart", walk.heartRate.samples > 0)
    }

    private var notes: [String] {
        let keeping = walk.keeping
        return [
            keeping.sport.known == .walk ? nil : keeping.sport.words,
            walk.route.fixes > 0 ? nil : hasLength ? "no track" : "no position",
            walk.provenance == .walked
                ? nil : walk.provenance == .simulated ? "simulated" : "imported",
            walk.isGoalReached ? "goal reached" : nil,
        ].compactMap(\.self)
    }

    /// Whether anything measured the way: what had no source at all is left out.
    private var hasLength: Bool { walk.distanceMillimetres != nil || walk.sensors.lead != .active }
}
