package import Projections
internal import Text

/// A day's changes as lines for people, within 80 columns.
///
/// Readings of the pedometer that follow each other become one row: a day has tens of thousands of
/// them. No more than that row is kept.
package struct StaircaseText {
    private var row: AuditRow?
    /// The date and the offset of the row before.
    private var day = ""

    /// What is above the columns.
    package static let heading = head("position", "time", "steps") + "why\n"

    /// Makes lines of no change yet.
    package init() {}

    /// Takes a change.
    ///
    /// - Returns: The lines that are whole now, each with its end.
    package mutating func add(_ change: StepsChange) -> String {
        if row?.take(change) == true { return "" }
        let next = AuditRow(change, after: row?.corrected)
        defer { row = next }
        return flush()
    }

    /// The row that still waits for more of its kind, or nothing.
    package mutating func flush() -> String {
        guard let row else { return "" }
        self.row = nil
        let heading = row.time.day == day ? "" : row.time.day + "\n"
        day = row.time.day
        let head = Self.head("\(row.position)", row.time.seconds, grouped(row.count))
        return heading + labelled(head, to: 34, indent: 0, "\(row.title). \(row.words)")
    }

    private static func head(_ position: String, _ time: String, _ steps: String) -> String {
        alignedRight(position, 10) + "  " + padded(time, to: 8) + alignedRight(steps, 12) + "  "
    }
}
