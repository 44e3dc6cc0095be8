package import Events
package import JSON
package import Projections
internal import Text

/// What became of a health store's totals that were imported.
package struct HealthImportText: Answer, JSONObject {
    private let file: String
    private let format: String
    private let origin: Reporter
    private let days: [HealthTotal]
    /// What became of the totals.
    package var receipts: [HealthReceipt] = []
    /// How many of its records and totals made no sense.
    package var uselessCount: UInt64 = 0
    /// What else the walker should know of it, in sentences.
    package var remarks: [String] = []
    /// Whether only a part of it could be read.
    package var isPartial = false
    /// Whether nothing was reported, and nobody asked which totals are news.
    package var isDry = false
    /// How many walks came of it, or would.
    package var walks: UInt64 = 0
    /// What of it was left out because it was not on foot.
    package var sports: [Sport] = []

    /// Tells an import of which nothing has become yet.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - format: The name of its form, for scripts.
    ///   - origin: Whose totals they are.
    ///   - days: The totals that it holds, in order.
    package init(file: String, format: String, origin: Reporter, days: [HealthTotal]) {
        (self.file, self.format, self.origin, self.days) = (file, format, origin, days)
    }

    /// How many totals were news.
    package var reportedCount: Int { receipts.count { $0.outcome == .taken } }

    private var refusedCount: UInt64 { uselessCount + UInt64(receipts.count(where: \.isRefused)) }

    /// The remarks, with what was left out, and the first totals that were refused, and why.
    private var sentences: [String] {
        let refusals: [String] = receipts.compactMap { receipt in
            guard case .refused(let refusal) = receipt.outcome else { return nil }
            return refusal.sentence(on: receipt.total.date, receipt.total.steps)
        }
        return remarks + [sports.sentence].compactMap(\.self) + refusals.prefix(8)
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("file", file)
        json.field("format", format)
        json.field("days", days.count)
        json.field("reported", reportedCount)
        json.field("workouts", walks)
        json.field("notOnFoot", sports.count)
        json.field("refused", refusedCount)
        json.field("remarks", sentences)
        json.field("partial", isPartial)
    }

    /// A line.
    package var text: String {
        var line =
            "\(printable(file)): \(origin.words), "
            + counted(UInt64(days.count), "day")
        if let first = days.first, let last = days.last {
            line += ", \(first.date) to \(last.date)"
        }
        line +=
            isDry
            ? "; of these, those that are greater than in the log would be reported."
            : reportedCount == 0
                ? "; nothing new." : "; \(counted(UInt64(reportedCount), "new total"))."
        if refusedCount > 0 {
            line +=
                " \(grouped(refusedCount)) "
                + (refusedCount == 1 ? "record or total was" : "records or totals were")
                + " left out as invalid."
        }
        return ([line] + sentences.map { printable($0, limit: 400) }).joined(separator: "\n") + "\n"
    }
}

extension Refusal {
    /// Which total was refused, why, and what can be done.
    ///
    /// - Parameters:
    ///   - date: The total's date.
    ///   - steps: The total.
    /// - Returns: The sentences.
    package func sentence(on date: CivilDate, _ steps: UInt64) -> String {
        "\(date): \(grouped(steps)) steps were left out. \(description)"
    }
}
