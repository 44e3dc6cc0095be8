internal import Events
internal import JSON
package import Projections
internal import Text

/// The heat-maps of a walk's route: its segments in classes, and what each class is.
struct HeatView {
    /// What can be shown.
    private struct Sort {
        let key: String
        let name: String
        /// What the four classes of values are called; those of the heart rate are the zones.
        let classes: [String]
        /// A value of a segment as a whole number, negative where less is more: more variability
        /// is less stress, and a longer time for a kilometre is slower.
        let value: (HeatMap.Segment) -> Int64?
        let text: (Int64) -> String

        init(
            _ key: String, _ name: String, _ classes: [String],
            _ value: @escaping (HeatMap.Segment) -> Int64?, _ text: @escaping (Int64) -> String
        ) {
            let limit: Int64 = 1 << 53
            (self.key, self.name, self.classes, self.text) = (key, name, classes, text)
            self.value = { value($0).map { min(max($0, -limit), limit) } }
        }

        /// Hundredths with their unit.
        private static func rounded(_ unit: String) -> (Int64) -> String {
            { "\(grouped(whole(hundredths: $0.magnitude))) \(unit)" }
        }

        private static func pace(of segment: HeatMap.Segment) -> Int64? {
            segment.paceMilliseconds.map { Int64(clamping: $0) }
        }

        static func all(_ units: Units) -> [Sort] {
            [
                Sort("heart", "Heart rate", [], { $0.mean?.clamped }, rounded("BPM")),
                Sort(
                    "cadence", "Cadence", ["Slow", "Easy", "Brisk", "Fast"],
                    { $0.cadence?.clamped }, rounded("a minute")),
                Sort(
                    "elevation", "Elevation", ["Low", "Lower half", "Upper half", "High"],
                    { $0.altitudeMillimetres }, { "\(units.heightNumber($0)) \(units.climbName)" }),
                Sort(
                    "pace", "Pace", ["Slow", "Easy", "Brisk", "Fast"],
                    { pace(of: $0).map { -units.pace(ofKilometre: $0) } },
                    { "\(TimeText.duration($0.magnitude)) \(units.paceName)" }),
                Sort(
                    "consistency", "Pace consistency",
                    ["Even", "Nearly even", "Uneven", "Very uneven"], pace(of:),
                    rounded("% off the mean")),
                Sort(
                    "stress", "Stress (HRV)", ["Calm", "Fairly calm", "Tense", "Most tense"],
                    { $0.rmssdMilliseconds.map { -$0.clamped } }, rounded("ms")),
            ]
        }
    }

    let segments: [HeatMap.Segment]
    let zones: Zones
    let units: Units

    /// Writes each heat-map, and whether there is anything to show in it.
    package func write(to json: inout JSONWriter) {
        json.list("heat", Sort.all(units)) { json, sort in
            let values = values(sort)
            let known = values.compactMap(\.self)
            json.field("key", sort.key)
            json.field("name", sort.name)
            json.field("isKnown", !known.isEmpty)
            guard !known.isEmpty else { return }
            let limits = limits(sort, known)
            json.list("segments", zip(segments, values)) { json, pair in
                let (segment, value) = pair
                let zone = sort.key == "heart" ? segment.zone.map(\.number) : value.map(limits.zone)
                json.field("zone", zone ?? 0)
                json.field(
                    "opacity",
                    sort.key == "heart"
                        ? segment.opacity.description
                        : Hundredths(value: UInt64(25 * (zone ?? 4))).description)
                json.field("label", value.map(sort.text) ?? nothing(sort))
            }
            if sort.key != "heart" { json.object("ramp") { write(sort, limits, to: &$0) } }
            let isWhole = sort.key != "heart" && known.count == values.count
            let named = sort.key == "heart" ? zones.legend : []
            let rows = named.enumerated().map { ($0 + 1, $1.0, $1.1) }
            json.list("legend", rows + (isWhole ? [] : [(0, nothing(sort), "")])) { json, row in
                json.field("zone", row.0)
                json.field("name", row.1)
                json.field("from", row.2)
            }
        }
    }

    private func nothing(_ sort: Sort) -> String {
        sort.key == "heart" ? "No heart rate" : "No value"
    }

    /// Consistency is how far a pace is off the mean one, in hundredths of a percent.
    private func values(_ sort: Sort) -> [Int64?] {
        let values = segments.map(sort.value)
        guard sort.key == "consistency" else { return values }
        let known = values.compactMap(\.self)
        guard !known.isEmpty, case let mean = known.reduce(0, +) / Int64(known.count), mean > 0
        else { return values.map { _ in nil } }
        return values.map { value in
            value.map { Int64(clamping: UInt128(($0 - mean).magnitude) * 10_000 / UInt128(mean)) }
        }
    }

    /// The five limits of four classes; a few strays at both ends do not stretch them.
    private func limits(_ sort: Sort, _ known: [Int64]) -> Limits {
        if sort.key == "consistency" { return Limits(values: [0, 500, 1_000, 2_000, 4_000]) }
        let sorted = known.sorted()
        let low = sorted[sorted.count * 4 / 100]
        let high = sorted[(sorted.count * 96 + 99) / 100 - 1]
        return Limits(values: (0...4).map { low + (high - low) * $0 / 4 })
    }

    private struct Limits {
        let values: [Int64]

        func zone(_ value: Int64) -> Int { 1 + values[1..<4].count { value >= $0 } }
    }

    /// One colour in four steps, from pale to strong; each limit stands once, between its steps.
    private func write(_ sort: Sort, _ limits: Limits, to json: inout JSONWriter) {
        let figures = limits.values[1..<4].map { Figure(sort.text($0)) }
        let texts = figures.indices.map { index in
            figures[..<index].contains(figures[index]) ? "" : figures[index].value
        }
        let names = sort.classes.map { $0.lowercased() }
        let (low, high) = (names[0], "\(names[3]), \(figures[0].unit)")
        let told = texts.filter { !$0.isEmpty }.joined(separator: ", ")
        json.field("label", "\(sort.name) from \(low) to \(names[3]), with limits at \(told)")
        json.field("low", low)
        json.field("high", high)
        json.field("limits", texts)
    }
}

extension Hundredths {
    fileprivate var clamped: Int64 { Int64(clamping: value) }
}

extension Zone {
    /// Its number in drawings, 1 to 4.
    package var number: Int { Int(rawValue) + 1 }
    /// Its name as a label.
    package var label: String { capitalized(name) }
}

extension Zones {
    /// Where each zone begins, in hundredths of a BPM.
    package var starts: [UInt64] {
        [0, moderateFromHundredths, vigorousFromHundredths, maximumFromHundredths]
    }

    /// The zones' names and bounds, without holes: `below 100`, `from 100`.
    var legend: [(String, String)] {
        Zone.allCases.map { zone in
            let start = starts[max(Int(zone.rawValue), 1)]
            let bound = decimal(hundredths: start)
            return (zone.label, zone == .resting ? "below \(bound)" : "from \(bound)")
        }
    }
}
