package import Events
package import JSON
package import Projections
internal import Text

/// A number as people read it, and apart from it what it is of: a page writes that smaller.
package struct Figure: Hashable, Sendable, JSONObject {
    /// The number, or a dash.
    package let value: String
    /// What it is of; may be empty.
    package let unit: String

    /// Takes a text such as `3.16 km` apart.
    ///
    /// - Parameters:
    ///   - text: The number, with its unit after a space; nil where nothing is known.
    ///   - unit: What a dash is of.
    package init(_ text: String?, dash unit: String = "") {
        let parts = (text ?? "– \(unit)").split(separator: " ", maxSplits: 1)
        value = String(parts.first ?? "")
        self.unit = parts.count > 1 ? String(parts[1]) : ""
    }

    /// Writes number and unit.
    package func writeFields(to json: inout JSONWriter) {
        json.field("value", value)
        json.field("unit", unit)
    }
}

extension JSONWriter {
    /// Writes a figure under its name, for a list of them.
    ///
    /// - Parameters:
    ///   - key: Which one it is.
    ///   - name: What people call it.
    ///   - figure: The number and its unit.
    ///   - note: What is below it.
    ///   - walk: The position of the walk that it leads to; nil for none.
    package mutating func figure(
        _ key: String, _ name: String, _ figure: Figure, note: String = "", walk: Position? = nil
    ) {
        object { json in
            json.field("key", key)
            json.field("name", name)
            figure.writeFields(to: &json)
            json.field("note", note)
            if let walk { json.field("walk", walk) }
        }
    }

    /// Writes measures of a walk, for a list of figures.
    package mutating func figures(
        _ measures: [Measure], of walk: SessionReport, units: Units, energy: String = ""
    ) {
        for measure in measures {
            let (key, note) = (measure.rawValue, measure == .energy ? energy : "")
            figure(key, measure.name, walk.figure(measure, units), note: note)
        }
    }

    /// Writes a list of objects.
    package mutating func list<Element>(
        _ name: String, _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        array(name) { json in
            for element in elements { json.object { write(&$0, element) } }
        }
    }

    /// Writes how much of a long list is shown at first, and what leads to the others.
    mutating func shownFirst(_ first: Int, of count: Int) {
        field("first", first)
        field("more", "Show the other \(grouped(UInt64(max(count - first, 0))))")
    }

    /// Writes an axis from 0 on in four parts, each with its label.
    mutating func axis(to top: UInt64, _ label: (UInt64) -> String) {
        field("top", top)
        ticks((0...4).map { ($0 * (top / 4), label($0 * (top / 4))) })
    }

    /// Writes the labels of an axis of numbers, with their places.
    mutating func ticks(
        _ ticks: [(some JSONWritable, String)], named name: String = "ticks"
    ) {
        pairs(name, ("v", "label"), ticks)
    }

    /// Writes a list of objects with two fields each.
    mutating func pairs(
        _ name: String, _ keys: (String, String), _ pairs: [(some JSONWritable, String)]
    ) {
        list(name, pairs) { json, pair in
            json.field(keys.0, pair.0)
            json.field(keys.1, pair.1)
        }
    }
}

/// What a session did not count is not 0 but unknown.
extension SessionReport {
    /// A measure, or a dash of its unit.
    package func figure(_ measure: Measure, _ units: Units) -> Figure {
        switch measure {
        case .distance:
            Figure(knownDistanceMillimetres.map(units.distance), dash: units.distanceName)
        case .active: Figure(TimeText.duration(activeMilliseconds))
        case .steps: Figure(knownSteps.map { counted($0, "step") }, dash: "steps")
        case .energy:
            Figure(
                ((isCounted ? nil : heartRateEnergyCalories) ?? knownEnergyCalories)
                    .map(kilocalories), dash: "kcal")
        case .pace:
            Figure(
                units.pace(knownDistanceMillimetres, activeMilliseconds), dash: units.paceName)
        case .paused: Figure(TimeText.duration(accounting.shownPauses))
        case .climb:
            Figure(
                route.hasHeights ? units.climb(route.ascentMillimetres) : nil,
                dash: units.climbName)
        case .mean: Figure(heartRate.timeWeightedMean?.bpm, dash: "BPM")
        case .highest:
            Figure(
                (heartRate.supportedMaximum ?? heartRate.maximum).map { "\($0.bpm) BPM" },
                dash: "BPM")
        case .raised: Figure("\(raised.time) \(raised.label)")
        case .paceNow, .today: Figure(nil)
        }
    }

    /// The time above the lowest zone, and from where that is.
    private var raised: (time: String, label: String) {
        let zones = heartRate.zones
        let time = zones.all.dropFirst().reduce(UInt64(0)) { $0.plus($1.shown) }
        return (
            heartRate.samples > 0 ? TimeText.duration(time) : "–",
            zones.bounds.legend.dropFirst().first.map { "\($0.1) BPM" } ?? ""
        )
    }
}

extension Hundredths {
    /// A mean heart rate as people read it: `122 BPM`.
    var bpm: String { "\(whole(hundredths: value)) BPM" }
}

/// What is measured of a walk.
package enum Measure: String, CaseIterable {
    /// How far.
    case distance
    /// For how long, without pauses.
    case active
    /// The steps that were counted.
    case steps
    /// What steps and weight tell of it.
    case energy
    /// Time per kilometre or mile.
    case pace
    /// How long the pauses were.
    case paused
    /// How much of it went up.
    case climb
    /// The mean heart rate over time.
    case mean
    /// The highest heart rate, supported if one is.
    case highest
    /// The time above the lowest zone.
    case raised
    /// Time per kilometre or mile now, which a walk that is over has not.
    case paceNow
    /// The steps of the day, which a walk has not.
    case today

    /// What people call it.
    package var name: String {
        switch self {
        case .mean: "Mean over time"
        case .highest: "Highest"
        case .raised: "Raised"
        case .paceNow: "Pace now"
        default: capitalized(rawValue)
        }
    }
}

/// A label: the same words with a capital before them.
package func capitalized(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
}
