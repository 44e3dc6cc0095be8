internal import JSON
internal import Projections
internal import Text

/// A walk along its way: pace, height and cadence as lanes on one axis of time, each where
/// something measured it, and what there is to say at each moment.
struct LanesView {
    /// What one lane shows; a slower pace is lower, so its numbers are negative.
    private struct Lane {
        let key: String
        let name: String
        let title: String
        let values: [Int64?]
        /// How far apart the labels of the axis may be.
        let steps: [Int64]
        /// How many of a hundred values may lie below the lane, and above it.
        let strays: (low: Int, high: Int)
        let label: (Int64) -> String
        let unit: String

        var known: [Int64] { values.compactMap(\.self).sorted() }
    }

    let session: SessionReport
    let series: SessionSeries
    /// Those of the series, which are worked out once.
    let stretches: [SessionSeries.Stretch]
    let units: Units

    private var lanes: [Lane] {
        [
            Lane(
                key: "pace", name: "Pace, minutes per \(units.paceName.dropFirst())", title: "Pace",
                values: stretches.map {
                    $0.paceMilliseconds.map { -units.pace(ofKilometre: Int64($0)) }
                },
                steps: [30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000],
                strays: (4, 4),
                label: { TimeText.duration($0.magnitude) }, unit: " \(units.paceName)"),
            Lane(
                key: "height", name: "Height, \(units.isInMiles ? "feet" : "metres")",
                title: "Height",
                values: stretches.map(\.altitudeMillimetres),
                steps: [1, 2, 4, 10, 20, 40, 100, 200, 400, 1_000].map {
                    $0 * units.fiveOfClimbMillimetres
                }, strays: (0, 0), label: units.heightNumber, unit: " \(units.climbName)"),
            Lane(
                key: "cadence", name: "Cadence, steps a minute", title: "Cadence",
                values: stretches.map { $0.cadence.map { Int64(clamping: $0.value) } },
                steps: [10, 20, 50, 100, 200, 500].map { $0 * 100 }, strays: (4, 0),
                label: { grouped(whole(hundredths: $0.magnitude)) }, unit: " /min"),
        ].filter { $0.known.count > 1 }
    }

    func write(to json: inout JSONWriter) {
        let lanes = lanes
        let active = [(session.activeMilliseconds / 1_000 * 1_000, "active", "")]
        let isHeard = session.heartRate.samples > 0
        let parts = session.accounting.parts.filter { isHeard || $0.word == "paused" }
        json.list("account", ((isHeard ? [] : active) + parts).filter { $0.0 > 0 }) { json, part in
            json.field("time", TimeText.duration(part.0))
            json.field("word", part.1)
            json.field("mark", part.2)
        }
        json.field("elapsed", TimeText.duration(session.elapsedMilliseconds))
        json.field("heart", "Heart rate, BPM")
        json.field("step", series.stretchMilliseconds)
        json.object("clock") { HeartView(session: session, series: series).writeClock(to: &$0) }
        json.list("lanes", lanes) { write($1, to: &$0) }
        json.field("texts", stretches.indices.map { text(at: $0, lanes) })
        json.list("pauses", series.intervals.filter { $0.kind == .paused }) { json, pause in
            json.field("from", pause.startMilliseconds)
            json.field("to", pause.endMilliseconds)
        }
    }

    /// What there is at a stretch, but for its heart rate, which also says when it is paused.
    private func text(at index: Int, _ lanes: [Lane]) -> String {
        if stretches[index].isPaused { return session.heartRate.samples > 0 ? "" : "paused" }
        return lanes.compactMap { lane in lane.values[index].map { lane.label($0) + lane.unit } }
            .joined(separator: " · ")
    }

    private func write(_ lane: Lane, to json: inout JSONWriter) {
        let known = lane.known
        let (below, above) = (known.count * lane.strays.low, known.count * lane.strays.high)
        let ends = known[below / 100]...known[known.count - 1 - above / 100]
        let (least, most) = (lane.label(known[0]), lane.label(known[known.count - 1]))
        json.field("key", lane.key)
        json.field("name", lane.name)
        json.field("label", "\(lane.title) from \(least) to \(most)\(lane.unit)")
        let range = json.axis(around: ends, steps: lane.steps, lane.label)
        // Whoever stands has no pace: the line breaks, and does not drop to the lane's edge.
        json.field(
            "values",
            lane.values.map { value in
                guard let value, value >= range.lowerBound || lane.key != "pace" else { return nil }
                return max(range.lowerBound, min(value, range.upperBound))
            } as [Int64?])
    }
}
