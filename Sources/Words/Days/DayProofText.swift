package import Certification
internal import Events
internal import Interchange
package import JSON
internal import Text

/// What a proof of a day's steps proves, for people and for scripts.
package struct DayProofText: Answer, JSONObject {
    private let record: DayRecord
    private let events: DayEvents?
    private let since: (size: UInt64, of: UInt64)?
    private let key: String

    private var day: DayRecorded { record.day }

    /// Tells what was proven.
    ///
    /// - Parameters:
    ///   - record: The record of the day.
    ///   - events: The events next to it; nil if none are laid open.
    ///   - since: How many of the log's blocks an older proof, which was compared, is over; nil if
    ///     none was.
    ///   - key: The vkey that vouches for it.
    package init(
        _ record: DayRecord, _ events: DayEvents?, since: (size: UInt64, of: UInt64)? = nil,
        key: String
    ) {
        (self.record, self.events, self.since, self.key) = (record, events, since, key)
    }

    /// A few lines within 80 columns, but for the key.
    package var text: String {
        var sentences = [figures, made]
        if let events { sentences += addition(events) }
        if let since {
            sentences.append(
                "The first \(grouped(since.size)) of the log's \(counted(since.of, "block")) are "
                    + "those of the older checkpoint: nothing before it changed.")
        }
        // Apart from each other: what others chose may go on in a line, and begins none.
        let lines = sentences.map { labelled("-", to: 2, indent: 4, $0) }.joined()
        return "\(day.date)  proven\n" + lines + "    signed by \(key)\n"
    }

    /// What is displayed, and what of it was walked.
    private var figures: String {
        guard !record.isFormer else {
            return "\(grouped(day.displayed)) steps were displayed when the day ended"
                + (day.corrected == day.displayed
                    ? "." : ", \(grouped(day.corrected)) with corrections.")
        }
        var text: String
        switch day.displayedAtEnd {
        case nil:
            text =
                "\(grouped(day.displayed)) steps, a total that was reported: no pedometer counted "
                + "on this day."
        case day.displayed:
            text =
                "\(grouped(day.displayed)) steps were displayed when the day ended, "
                + "\(grouped(day.walked)) of them walked by its pedometer."
        case let end?:
            text =
                "\(grouped(end)) steps were displayed when the day ended; a later total made it "
                + "\(grouped(day.displayed)). \(grouped(day.walked)) were walked by its pedometer."
        }
        if day.corrections > 0 {
            text +=
                " With \(counted(day.corrections, "correction")) it is \(grouped(day.corrected))."
        }
        return text
    }

    /// When the record was made, and by which rule.
    private var made: String {
        "Recorded \(local(record.madeAtMilliseconds))"
            + (record.isFormer
                ? ", by the rule of an earlier version: what came later is not in it." : ".")
    }

    /// A time where the walker was on that day.
    private func local(_ milliseconds: Int64) -> String {
        LocalTime(milliseconds, offsetMinutes: day.offsetMinutes ?? 0).whole
    }

    /// What the events add up to, and who said what.
    private func addition(_ events: DayEvents) -> [String] {
        [sum(events)]
            + events.reports.map { report in
                "\(grouped(report.total)) steps reported\(byWhom(report.reporter)) on "
                    + "\(local(report.atMilliseconds))."
            }
            + events.corrections.map { correction in
                "Corrected by \(signed(correction.correction)), by "
                    + "\(quoted(correction.author, limit: 40)): "
                    + "\(quoted(correction.reason, limit: 200))."
            }
    }

    private func sum(_ events: DayEvents) -> String {
        var text = "The proof discloses the day's \(counted(events.count, "steps event")); "
        switch events.sum {
        case day.displayed: text += "they add up to the same"
        case let sum?: text += "by themselves they add up to \(grouped(sum))"
        case nil: return text + "they do not name their day."
        }
        guard events.sum ?? 0 <= day.displayed else {
            return text + ": more than was displayed. What only other events show, a recorder that "
                + "stopped or a date that counted twice, is not in the proof."
        }
        if let certificate = events.certificate, !certificate.walkedBy.isEmpty {
            text += ": walked " + certificate.counters
        }
        if let setAside = events.certificate?.setAsideWords {
            text += "; " + setAside
        }
        text += "."
        if events.sum ?? 0 < day.displayed {
            text += " The rest came before the day began, or over midnight."
        }
        if events.simulatedCount > 0 {
            text += " Not counted: \(counted(events.simulatedCount, "made-up event"))."
        }
        return text
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("date", day.date.description)
        line.field("proven", true)
        line.field("offsetMinutes", day.offsetMinutes)
        line.field("displayed", day.displayed)
        line.field("corrected", day.corrected)
        line.field("corrections", record.isFormer ? nil : day.corrections)
        line.field("displayedAtEnd", day.displayedAtEnd)
        line.field("walked", record.isFormer ? nil : day.walked)
        line.field("recordedAt", TimeText.utc(record.madeAtMilliseconds))
        line.field("formerRule", record.isFormer)
        line.field("stepsEvents", events?.count)
        line.field("stepsSum", events?.sum)
        line.field("simulatedEvents", events?.simulatedCount)
        line.field("setAside", events?.certificate?.setAside)
        if let events { write(events, to: &line) }
        if let since {
            line.object("since") { line in
                line.field("size", since.size)
                line.field("consistent", true)
            }
        }
        line.field("key", key)
    }

    private func write(_ events: DayEvents, to line: inout JSONWriter) {
        line.field("walkedBy", events.certificate?.walkedBy ?? [])
        line.list("reports", events.reports) { line, report in
            line.field("reportedBy", report.reporter)
            line.field("total", report.total)
            line.field("at", TimeText.utc(report.atMilliseconds))
        }
        line.list("correctionList", events.corrections) { line, correction in
            line.field("correction", correction.correction)
            line.field("author", correction.author)
            line.field("reason", correction.reason)
        }
    }
}
