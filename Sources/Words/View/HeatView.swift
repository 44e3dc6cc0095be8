internal import JSON
public import Projections
internal import Text

/// The heat-maps of a walk's route: its segments in classes, and what each class is.
struct HeatView {
    /// What can be shown.
    private struct Sort {
        let key: String
        let name: String
        /// What the four classes of values are called; those of the heart rate are the zones.
        let classes: [String]
        /// A value of a segment as a whole number; more variability is less stress.
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

        static var all: [Sort] {
            [
                Sort("heart", "Heart rate", [], { $0.mean?.clamped }, rounded("BPM")),
                Sort(
                    "cadence", "Cadence", ["Slow", "Easy", "Brisk", "Fast"],
                    { $0.cadence?.clamped }, rounded("a minute")),
                Sort(
                    "elevation", "Elevation", ["Low", "Lower half", "Upper half", "High"],
                    { $0.altitudeMillimetres }, metres),
                Sort(
                    "pace", "Pace", ["Fast", "Brisk", "Easy", "Slow"], pace,
                    { TimeText.duration(UInt64(clamping: $0)) + " /km" }),
                Sort(
                    "consistency", "Pace consistency",
                    ["Even", "Nearly even", "Uneven", "Very uneven"], pace,
                    rounded("% off the mean")),
                Sort(
                    "stress", "Stress (HRV)", ["Calm", "Fairly calm", "Tense", "Most tense"],
                    { $0.rmssdMilliseconds.map { -$0.clamped } }, rounded("ms")),
            ]
        }
    }

    private let segments: [HeatMap.Segment]
    private let zones: Zones

    init(_ map: HeatMap, _ zones: Zones) {
        segments = map.segments
        self.zones = zones
    }

    /// Writes each heat-map, and whether there is anything to show in it.
    package func write(to json: inout JSONWriter) {
        json.list("heat", Sort.all) { json, sort in
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
                        : Hundredths(value: limits.opacity(of: value)).description)
                json.field("label", value.map(sort.text) ?? nothing(sort))
            }
            let rows = sort.key == "heart" ? zones.legend : legend(sort, limits)
            json.list("legend", rows + [(nothing(sort), "")]) { json, row in
                json.field("name", row.0)
                json.field("from", row.1)
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

        /// From 40 at a class's lower limit to 100 at its upper one.
        func opacity(of value: Int64?) -> UInt64 {
            guard let value else { return 100 }
            let (low, high) = (values[zone(value) - 1], values[zone(value)])
            guard high > low else { return 100 }
            return UInt64(min(max(40 + 60 * (value - low) / (high - low), 40), 100))
        }
    }

    private func legend(_ sort: Sort, _ limits: Limits) -> [(String, String)] {
        sort.classes.enumerated().map { index, name in
            let limit = sort.text(limits.values[max(index, 1)])
            // Less variability is more stress.
            let (first, others) = sort.key == "stress" ? ("above", "up to") : ("below", "from")
            return (name, "\(index == 0 ? first : others) \(limit)")
        }
    }
}

/// A height in whole metres.
func metres(_ millimetres: Int64) -> String {
    let metres = grouped((millimetres.magnitude + 500) / 1_000)
    return (millimetres < 0 && metres != "0" ? "−" : "") + metres + " m"
}

extension Hundredths {
    fileprivate var clamped: Int64 { Int64(clamping: value) }
}

extension Zone {
    /// Its number in drawings, 1 to 4.
    public var number: Int { Int(rawValue) + 1 }
    /// Its name as a label.
    public var label: String { capitalized(name) }
}

extension Zones {
    /// Where each zone begins, in hundredths of a BPM.
    var starts: [UInt64] {
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
