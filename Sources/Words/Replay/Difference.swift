internal import Events
internal import JSON
internal import Projections
internal import Text

extension JSONWriter {
    /// Writes figures that are other ones under other rules: what is shown, before and after in
    /// words, and by how much it is more.
    mutating func differences(_ changes: [FieldChange]) {
        list("differences", changes) { json, change in
            json.field("what", change.field)
            json.field("before", change.before.description)
            json.field("after", change.after.description)
            json.field("difference", change.difference)
        }
    }
}

extension LogState {
    /// The sessions that are shown: one, or all.
    func reports(_ session: Position?) -> [SessionReport] {
        guard let session else { return sessionReports(at: lastMoment) }
        return sessionReport(session, at: lastMoment).map { [$0] } ?? []
    }

    /// The figures that are other ones in another state, which was folded under other rules.
    func differences(from other: LogState, _ session: Position?) -> [FieldChange] {
        ShownFigures(self, of: session).changes(to: ShownFigures(other, of: session))
    }
}

/// Figures that differ, side by side and within 80 columns: each session and day with its own
/// heading.
struct DifferenceTable {
    /// The most columns of a line.
    private static let columnLimit = 80
    /// The most columns of a value.
    private static let valueLimit = 20

    private struct Row {
        let group: String
        let field: String
        let cells: [String]
    }

    private let titles: [String]
    private let rows: [Row]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - changes: What differs.
    ///   - before: What is above the values before.
    ///   - after: What is above those after.
    init(_ changes: [FieldChange], before: String, after: String) {
        titles = [before, after, "difference"]
        rows = changes.compactMap { change in
            let (group, field) = Self.parts(of: change.field)
            // Of a day that only one of them has, what is nothing says nothing.
            let values = [change.before, change.after]
            let isNothing = values.contains(.absent) && values.contains(.unsigned(0))
            if change.field.hasPrefix("days["), isNothing { return nil }
            var difference = ""
            switch change.difference {
            case .absent: break
            case .signed(let number): difference = (number < 0 ? "" : "+") + "\(number)"
            case let other: difference = "\(other)"
            }
            return Row(
                group: group, field: field,
                cells: [
                    printable("\(change.before)", limit: Self.valueLimit),
                    printable("\(change.after)", limit: Self.valueLimit), difference,
                ])
        }
    }

    /// The lines, each with its end.
    var text: String {
        let widths = titles.indices.map { index in
            rows.reduce(columns(of: titles[index])) { max($0, columns(of: $1.cells[index])) }
        }
        let room = Self.columnLimit - 2 - widths.reduce(0) { $0 + $1 + 2 }
        let width = min(room, rows.reduce(0) { max($0, columns(of: $1.field)) })
        func line(_ field: String, _ cells: [String]) -> String {
            zip(cells, widths).reduce("  " + padded(field, to: width)) {
                $0 + "  " + alignedRight($1.0, $1.1)
            }
        }
        var text = String.trimmed(line("", titles)) + "\n"
        var group = ""
        for row in rows {
            if row.group != group { text += row.group + "\n" }
            group = row.group
            guard columns(of: row.field) > width else {
                text += String.trimmed(line(row.field, row.cells)) + "\n"
                continue
            }
            text += "  \(printable(row.field, limit: Self.columnLimit - 3))\n"
            text += String.trimmed(line("", row.cells)) + "\n"
        }
        return text
    }

    /// `sessions[17].steps` is `steps` of session 17.
    private static func parts(of path: String) -> (group: String, field: String) {
        for (list, title) in [("sessions[", "Session "), ("days[", "")]
        where path.hasPrefix(list) {
            guard let end = path.firstIndex(of: "]") else { break }
            let rest = path[path.index(after: end)...].drop { $0 == "." }
            return (title + path.dropFirst(list.count).prefix { $0 != "]" }, String(rest))
        }
        return ("", path)
    }
}
