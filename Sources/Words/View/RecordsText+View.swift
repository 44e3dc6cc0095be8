internal import Events
package import JSON
internal import Projections
internal import Text

/// Records on a page: those of all time, next to them those of this year, and the longest streak.
extension RecordsText {
    /// Writes the view into an object that is open.
    package func writeView(to json: inout JSONWriter) {
        json.field("isEmpty", records.isEmpty)
        guard let best = records.last(where: { $0.kind == .longestStreak }) ?? records.first,
            let newest = records.max(by: { $0.dates.upperBound < $1.dates.upperBound })
        else { return }
        let figure = Figure(best.figure(units))
        json.field("loud", figure.value)
        json.field("unit", figure.unit)
        let goal = best.kind == .longestStreak ? " of the daily goal" : ""
        json.field("loudName", "your \(best.kind.long.lowercased())\(goal)")
        json.field("sentence", Self.sentence(of: best))
        json.field(
            "note",
            "The newest record: \(newest.kind.long.lowercased()), \(newest.dates.words()). Hidden "
                + "and simulated walks are in no record.")
        json.field("columns", ["Record", "Of all time", "In \(year)"])
        json.list("rows", records) { json, record in
            json.field("key", record.kind.rawValue)
            json.field("name", record.kind.long)
            json.object("all") { write(record, to: &$0) }
            let own = ofYear.first { $0.kind == record.kind }
            // The fold counts no more in a day: that must not be a record without a word.
            let most = Plausibility.stepsPerDay
            let isMost = record.kind == .mostSteps && [record.value, own?.value].contains(most)
            let doubt = "\(grouped(most)) is the most that a day counts: if it is wrong, correct it"
            json.field("note", isMost ? doubt : record.kind.note)
            json.object("year") { json in
                if own == record {
                    json.field("same", "the same")
                } else if let own {
                    write(own, to: &json)
                } else {
                    json.field("same", "none")
                }
            }
        }
    }

    private static func sentence(of best: Records.Record) -> String {
        let (first, last) = (best.dates.lowerBound, best.dates.upperBound)
        guard best.kind == .longestStreak else { return "It was on \(first.long)." }
        guard first < last else { return "You reached the daily goal on \(first.long)." }
        let years = (first.components.year, last.components.year)
        let year = years.0 == years.1 ? "" : " \(years.0)"
        return "You reached the daily goal on every day from \(first.dayAndMonth)\(year) to "
            + "\(last.dayAndMonth) \(years.1)."
    }

    private func write(_ record: Records.Record, to json: inout JSONWriter) {
        let isSteps = record.kind == .mostSteps
        let text = isSteps ? counted(record.value, "step") : record.figure(units)
        Figure(text).writeFields(to: &json)
        let (day, name) = (record.dates.lowerBound, printable(record.name, limit: 256))
        json.field(
            "when",
            [record.dates.words(), name].filter { !$0.isEmpty }.joined(separator: ", "))
        switch (record.walk, record.kind) {
        case (let walk?, _): json.field("to", "walks/\(walk)")
        case (nil, .mostSteps): json.field("to", "day/\(day)")
        default: json.field("to", "history/\(day.description.prefix(7))")
        }
    }
}

extension Records.Kind {
    /// What people call it where there is room.
    fileprivate var long: String { title.replacing("Fastest km,", with: "Fastest kilometre,") }
}
