public import Events
internal import Interchange
public import JSON
public import Projections
internal import Text

/// What became of a health store's totals that were imported.
public struct HealthImportText: Answer, JSONObject {
    private let file: String
    private let format: String
    private let origin: String
    private let days: [HealthTotal]
    /// How many totals were news.
    public let reportedCount: Int
    private let refusedCount: UInt64
    private let remarks: [String]
    private let isPartial: Bool
    private let isDry: Bool
    /// How many walks came of it, or would.
    public let walks: UInt64
    /// What of it was left out because it was not on foot.
    public let sports: SportCounts

    /// Tells an import.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - format: The name of its form, for scripts.
    ///   - origin: Whose file it is, for people.
    ///   - days: The totals that it holds, in order.
    ///   - receipts: What became of them.
    ///   - refusedCount: How many of its records and totals made no sense.
    ///   - remarks: What else the walker should know of it, in sentences.
    ///   - isPartial: Whether only a part of it could be read.
    ///   - walks: How many walks came of it, or would.
    ///   - sports: What of it was left out because it was not on foot.
    ///   - isDry: Whether nothing was reported, and nobody asked which totals are news.
    public init(
        file: String, format: String, origin: String, days: [HealthTotal],
        receipts: [HealthReceipt], refusedCount: UInt64, remarks: [String], isPartial: Bool,
        walks: UInt64 = 0, sports: SportCounts = SportCounts(), isDry: Bool = false
    ) {
        self.file = file
        self.format = format
        self.origin = origin
        self.days = days
        reportedCount = receipts.count { $0.outcome == .taken }
        self.refusedCount = refusedCount + UInt64(receipts.count(where: \.isRefused))
        self.remarks = remarks + [sports.sentence].compactMap(\.self) + Self.refusals(receipts)
        (self.walks, self.sports) = (walks, sports)
        self.isPartial = isPartial
        self.isDry = isDry
    }

    /// The first totals that were refused, and why.
    private static func refusals(_ receipts: [HealthReceipt]) -> [String] {
        let sentences: [String] = receipts.compactMap { receipt in
            guard case .refused(let refusal) = receipt.outcome else { return nil }
            return refusal.sentence(on: receipt.total.date, receipt.total.steps)
        }
        return Array(sentences.prefix(8))
    }

    /// Writes the fields into an object that is open.
    public func writeFields(to json: inout JSONWriter) {
        json.field("file", file)
        json.field("format", format)
        json.field("days", days.count)
        json.field("reported", reportedCount)
        json.field("workouts", walks)
        json.field("notOnFoot", sports.total)
        json.field("refused", refusedCount)
        json.field("remarks", remarks)
        json.field("partial", isPartial)
    }

    /// A line.
    public var text: String {
        var line =
            "\(printable(file)): \(printable(origin, limit: 40)), "
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
        return ([line] + remarks.map { printable($0, limit: 400) }).joined(separator: "\n") + "\n"
    }
}

extension Refusal {
    /// Which total was refused, why, and what can be done.
    ///
    /// - Parameters:
    ///   - date: The total's date.
    ///   - steps: The total.
    /// - Returns: The sentences.
    public func sentence(on date: CivilDate, _ steps: UInt64) -> String {
        "\(date): \(grouped(steps)) steps were left out. \(description)"
    }
}
