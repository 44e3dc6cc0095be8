internal import JSON
public import Projections
internal import Text

/// The heat-maps of a walk's route: its segments in classes, and what each class is.
struct HeatView {
    /// What can be shown.
    private enum Sort: String, CaseIterable {
        case heart
        case cadence
        case elevation
        case pace
        case consistency
        case stress

        var name: String {
            switch self {
            case .heart: "Heart rate"
            case .cadence: "Cadence"
            case .elevation: "Elevation"
            case .pace: "Pace"
            case .consistency: "Pace consistency"
            case .stress: "Stress (HRV)"
            }
        }

        /// What the four classes of values are called; those of the heart rate are the zones.
        var classes: [String] {
            switch self {
            case .heart: []
            case .cadence: ["Slow", "Easy", "Brisk", "Fast"]
            case .elevation: ["Low", "Lower half", "Upper half", "High"]
            case .pace: ["Fast", "Brisk", "Easy", "Slow"]
            case .consistency: ["Even", "Nearly even", "Uneven", "Very uneven"]
            case .stress: ["Calm", "Fairly calm", "Tense", "Most tense"]
            }
        }

        /// A value of a segment as a whole number; more variability is less stress.
        func value(_ segment: HeatMap.Segment) -> Int64? {
            let limit: Int64 = 1 << 53
            let value: Int64? =
                switch self {
                case .heart: segment.mean.map { Int64(clamping: $0.value) }
                case .cadence: segment.cadence.map { Int64(clamping: $0.value) }
                case .elevation: segment.altitudeMillimetres
                case .pace, .consistency: segment.paceMilliseconds.map { Int64(clamping: $0) }
                case .stress: segment.rmssdMilliseconds.map { -Int64(clamping: $0.value) }
                }
            return value.map { min(max($0, -limit), limit) }
        }

        func text(_ value: Int64) -> String {
            let rounded = grouped(whole(hundredths: value.magnitude))
            switch self {
            case .heart: return "\(rounded) BPM"
            case .cadence: return "\(rounded) a minute"
            case .elevation:
                let metres = grouped((value.magnitude + 500) / 1_000)
                return (value < 0 && metres != "0" ? "−" : "") + metres + " m"
            case .pace: return TimeText.duration(UInt64(clamping: value)) + " /km"
            case .consistency: return "\(rounded) % off the mean"
            case .stress: return "\(rounded) ms"
            }
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
        json.list("heat", Sort.allCases) { json, sort in
            let values = values(sort)
            let known = values.compactMap(\.self)
            json.field("key", sort.rawValue)
            json.field("name", sort.name)
            json.field("isKnown", !known.isEmpty)
            guard !known.isEmpty else { return }
            let limits = limits(sort, known)
            json.list("segments", zip(segments, values)) { json, pair in
                let (segment, value) = pair
                let zone = sort == .heart ? segment.zone.map(\.number) : value.map(limits.zone)
                json.field("zone", zone ?? 0)
                json.field(
                    "opacity",
                    sort == .heart
                        ? segment.opacity.description
                        : Hundredths(value: limits.opacity(of: value)).description)
                json.field("label", value.map(sort.text) ?? nothing(sort))
            }
            let rows = sort == .heart ? zones.legend : legend(sort, limits)
            json.list("legend", rows + [(nothing(sort), "")]) { json, row in
                json.field("name", row.0)
                json.field("from", row.1)
            }
        }
    }

    private func nothing(_ sort: Sort) -> String {
        sort == .heart ? "No heart rate" : "No value"
    }

    /// Consistency is how far a pace is off the mean one, in hundredths of a percent.
    private func values(_ sort: Sort) -> [Int64?] {
        let values = segments.map(sort.value)
        guard sort == .consistency else { return values }
        let known = values.compactMap(\.self)
        guard !known.isEmpty, case let mean = known.reduce(0, +) / Int64(known.count), mean > 0
        else { return values.map { _ in nil } }
        return values.map { value in
            value.map { Int64(clamping: UInt128(($0 - mean).magnitude) * 10_000 / UInt128(mean)) }
        }
    }

    /// The five limits of four classes; a few strays at both ends do not stretch them.
    private func limits(_ sort: Sort, _ known: [Int64]) -> Limits {
        guard sort != .consistency else { return Limits(values: [0, 500, 1_000, 2_000, 4_000]) }
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
            let (first, others) = sort == .stress ? ("above", "up to") : ("below", "from")
            return (name, "\(index == 0 ? first : others) \(limit)")
        }
    }
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
