package import Events
package import JSON
package import Projections
internal import Text

/// The walker's records for people: those of all time, and beside them those of a year.
package struct RecordsText {
    let records: [Records.Record]
    let ofYear: [Records.Record]
    let year: Int64
    let units: Units

    /// Shows records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - year: The year beside those of all time.
    ///   - units: The walker's.
    package init(_ records: Records, year: Int64, units: Units) {
        self.records = records.records()
        (self.year, self.units) = (year, units)
        ofYear = CivilDate.days(of: year...year).map(records.records(in:)) ?? []
    }

    /// The list.
    ///
    /// - Parameter hasNames: Whether the names of the walks are among it.
    /// - Returns: Lines, each with its end; one sentence without a record.
    package func text(withNames hasNames: Bool) -> String {
        guard !records.isEmpty else { return "There is no record yet.\n" }
        let head =
            padded("Record", to: 23) + alignedRight("Of all time", 18) + "  "
            + padded("When", to: 26) + alignedRight("In \(year)", 10)
        return ([head] + records.flatMap { rows(of: $0, hasNames) }).map { $0 + "\n" }.joined()
    }

    /// What was special about a walk: the first record that it holds, of all time or of the year;
    /// nil if it holds none.
    package func special(of walk: Position) -> String? {
        func first(_ records: [Records.Record], _ span: String) -> String? {
            records.first { $0.walk == walk }
                .map { record in
                    "Your \(record.kind.phrase) \(span): \(record.figure(units))"
                        + (record.clocks.map { ", from \($0)" } ?? "") + "."
                }
        }
        return first(records, "of all time") ?? first(ofYear, "in \(year)")
    }

    private func rows(of record: Records.Record, _ hasNames: Bool) -> [String] {
        let own = ofYear.first { $0.kind == record.kind }
        let beside =
            own.map {
                $0.dates == record.dates && $0.walk == record.walk ? "the same" : $0.figure(units)
            } ?? "–"
        let row =
            padded(record.kind.title, to: 23) + alignedRight(record.figure(units), 18) + "  "
            + padded(record.dates.words(), to: 26) + alignedRight(beside, 10)
        guard hasNames, let walk = record.walk else { return [row] }
        let name = record.name.isEmpty ? nil : shortened(record.name, to: 40)
        let which = [name, record.clocks, "position \(grouped(walk))"].compactMap(\.self)
            .joined(separator: ", ")
        let indent = min(43, max(2, 80 - Text.columns(of: which)))
        return [row, String(repeating: " ", count: indent) + which].map { cut($0, to: 80) }
    }

    /// The records as lines of JSON: of all time, then of the year.
    package var jsonLines: [[UInt8]] { lines.map(JSONWriter.line) }

    /// The same as objects.
    package var lines: [RecordLine] {
        records.map { RecordLine(record: $0, year: nil) }
            + ofYear.map { RecordLine(record: $0, year: year) }
    }
}

/// A record as JSON.
package struct RecordLine: JSONObject {
    let record: Records.Record
    let year: Int64?

    /// Writes what it is of, how much, when, and of which walk.
    package func writeFields(to json: inout JSONWriter) {
        json.field("record", record.kind.rawValue)
        json.field("year", year)
        json.field("value", record.value)
        json.field("from", record.dates.lowerBound.description)
        json.field("until", record.dates.upperBound.description)
        json.field("position", record.walk)
        json.field("startedAtMilliseconds", record.stretch?.startedAtMilliseconds)
        json.field("endedAtMilliseconds", record.stretch?.endedAtMilliseconds)
        json.field("name", record.name.isEmpty ? nil : record.name)
    }
}

extension Records.Kind {
    /// What people call it.
    package var title: String { words.title }
    /// What it is called in a sentence.
    fileprivate var phrase: String { words.phrase }
    /// What is to be known of it; may be empty.
    var note: String { words.note }

    private static let measured = "measured, not by the stride"

    private var words: (title: String, phrase: String, note: String) {
        switch self {
        case .longestDistance: ("Longest walk", "longest walk", "")
        case .longestTime: ("Longest time, active", "longest active time", "without pauses")
        case .mostClimb: ("Most climb in a walk", "highest climb", "")
        case .mostSteps: ("Most steps in a day", "most steps in a day", "corrected")
        case .furthestWeek: ("Furthest week", "furthest week", "Monday to Sunday")
        case .longestStreak:
            ("Longest streak", "longest streak", "days in a row with the goal")
        default: fastestWords ?? ("", "", "")
        }
    }

    private static let lengths = [
        ("km", "kilometre"), ("mile", "mile"), ("5 km", "5 km"), ("10 km", "10 km"),
    ]

    private var fastestWords: (title: String, phrase: String, note: String)? {
        fastest.map { length, isRun in
            let (short, long) = Self.lengths[length]
            return (
                "Fastest \(short), \(isRun ? "running" : "walking")", "fastest \(long)",
                Self.measured
            )
        }
    }
}

extension Records.Record {
    /// From when to when in its walk, `10:41 to 10:47`; nil where it is of all of it.
    var clocks: String? {
        stretch.map { stretch in
            [stretch.startedAtMilliseconds, stretch.endedAtMilliseconds]
                .map { LocalTime($0, offsetMinutes: stretch.offsetMinutes).clock }
                .joined(separator: " to ")
        }
    }

    /// How much, with its unit; the pace of a kilometre is one of it wherever it is read.
    package func figure(_ units: Units) -> String {
        switch kind {
        case .longestDistance, .furthestWeek: units.distance(value)
        case .longestTime: TimeText.duration(value)
        case .mostClimb: units.climb(value)
        case .mostSteps: grouped(value)
        case .longestStreak: counted(value, "day")
        default:
            TimeText.duration(value)
                + (kind.fastest.map { $0.length < 2 ? [" /km", " /mile"][$0.length] : "" } ?? "")
        }
    }
}
