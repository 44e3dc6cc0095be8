internal import Events
internal import JSON
package import Projections
internal import Text

// The forms of programs on phones. Members that are not named here are passed over: these programs
// send heart rates, sleep and more besides the steps.

extension HealthReport {
    /// `{"data":{"metrics":[{"name":"step_count","data":[{"qty":80,"date":"…"}]}]}}`.
    ///
    /// Source: the wiki of Health Auto Export, "API Export - JSON Format", and its help, "REST
    /// API": a request's header field `automation-aggregation` names the interval. By days, each
    /// entry is the total of its date; by less, a sample of that length, or of none if nothing
    /// names the interval. Then entries that all stand at midnight are totals of days.
    init(
        healthAutoExport value: JSONValue, interval: ExportInterval?
    ) throws(HealthReportError) {
        self.init(origin: .healthAutoExport)
        guard case .object? = value["data"] else { throw HealthReportError.unrecognized }
        var entries: [AutoExportEntry] = []
        var count = 0
        for metric in value["data"]?["metrics"]?.elements ?? [] {
            guard case .string("step_count")? = metric["name"] else { continue }
            let data = metric["data"]?.elements ?? []
            try Self.checkCount(count + data.count)
            for element in data {
                count += 1
                let entry = usable { () throws(HealthReportError) in
                    try AutoExportEntry(element, number: count)
                }
                if let entry { entries.append(entry) }
            }
        }
        let interval = interval ?? (AutoExportEntry.areDays(entries) ? .day : .instants)
        guard interval != .unusable || entries.isEmpty else {
            throw HealthReportError(
                .invalidValue,
                "The header field automation-aggregation names no interval that can be used; "
                    + "summarize by days, hours or minutes.")
        }
        let steps = AutoExportEntry.wholeSteps(entries)
        for (index, entry) in entries.enumerated() {
            guard let length = interval.lengthMilliseconds else {
                let steps = UInt64(entry.thousandths + 500) / 1_000
                totals.append(HealthTotal(date: entry.day, steps: steps))
                continue
            }
            let time = usable { () throws(HealthReportError) in try entry.begin(of: length) }
            guard let time else { continue }
            if entry.thousandths % 1_000 != 0 { roundedSamples.append(samples.count) }
            samples.append(
                StepSample(
                    origin: interval.origin, countedBy: entry.source, beganAtMilliseconds: time,
                    endedAtMilliseconds: time + length, steps: steps[index]))
        }
        try Self.checkSources(samples)
    }

    /// `{"app_version":"…","steps":[{"count":80,"start_time":"…","end_time":"…"}]}`.
    ///
    /// Source: HC Webhook's SyncManager. A record that names nobody who counted it and is at least
    /// two hours long is the store's own total of a day, up to then; others are samples. What its
    /// test button sends is made up, and marked.
    init(
        hcWebhook value: JSONValue, offsetMinutes: (Int64) -> Int64
    ) throws(HealthReportError) {
        self.init(origin: .hcWebhook)
        if case .bool(true)? = value["test"] { return }
        let records = value["steps"]?.elements ?? []
        try Self.checkCount(records.count)
        for (index, record) in records.enumerated() {
            let read = usable { () throws(HealthReportError) in
                try StepSample(hcWebhook: record, number: index + 1)
            }
            guard let sample = read else { continue }
            let length = sample.endedAtMilliseconds - sample.beganAtMilliseconds
            if sample.countedBy.isEmpty, length >= 2 * 3_600_000 {
                // A day may begin at 23:00 or 01:00 where the clocks change.
                let middle = sample.beganAtMilliseconds + length / 2
                totals.append(
                    HealthTotal(
                        date: CivilDate(
                            wallMilliseconds: middle, zoneOffsetMinutes: offsetMinutes(middle)),
                        steps: sample.steps, validUntilMilliseconds: sample.endedAtMilliseconds))
            } else {
                samples.append(sample)
            }
        }
        try Self.checkSources(samples)
    }

    /// Adds `{"_type":"steps","steps":812,"from":1772355600,"to":1772359200}`, of OwnTracks on iOS.
    ///
    /// Source: its booklet, "JSON". It is an interval of the phone's health store.
    mutating func add(ownTracks value: JSONValue) {
        let read = usable { () throws(HealthReportError) in try StepSample(ownTracks: value) }
        if let read { samples.append(read) }
    }

    private static func checkCount(_ count: Int) throws(HealthReportError) {
        guard count <= sampleLimit else {
            throw HealthReportError(.tooMany, "There are more than \(sampleLimit) samples.")
        }
    }

    private static func checkSources(_ samples: [StepSample]) throws(HealthReportError) {
        guard Set(samples.map(\.countedBy)).count <= 32 else {
            throw HealthReportError(.tooMany, "There are more than 32 sources of samples.")
        }
    }
}

extension HealthTotal {
    /// The totals of the dates that samples touch, by the rule of ``StepRecords``.
    ///
    /// Of what an app has summarized by several intervals, first those are taken that say most:
    /// see ``Summaries``.
    ///
    /// - Parameters:
    ///   - samples: The samples, each counting once.
    ///   - offsetMinutes: Minutes east of UTC at a UTC time in milliseconds.
    /// - Returns: The totals in order of date; none if more sources counted than the rule can hold.
    package static func totals(
        of samples: [StepSample], offsetMinutes: @escaping @Sendable (Int64) -> Int64
    ) -> [HealthTotal] {
        var records = StepRecords(
            limits: StepRecords.Limits(sources: 256), offsetMinutes: offsetMinutes)
        do throws(HealthStoreError) {
            for sample in Summaries.greatest(of: samples) {
                try records.add(
                    source: sample.countedBy, from: sample.beganAtMilliseconds,
                    until: sample.endedAtMilliseconds, steps: Int64(clamping: sample.steps))
            }
            return try records.totals()
        } catch {
            return []  // The samples stay in the log; a total of so many sources says nothing.
        }
    }
}

// MARK: - Entries

/// An entry of Health Auto Export's `step_count`.
private struct AutoExportEntry {
    /// The how many-th entry it is.
    let number: Int
    /// The date that it stands at.
    let date: CivilDate
    /// The date that holds most of the 24 hours from there: where the clocks change, a day may
    /// begin at 23:00 or 01:00.
    let day: CivilDate
    /// UTC in milliseconds since 1970; nil if the entry names a date only.
    let milliseconds: Int64?
    /// By the clock on the wall.
    let timeOfDayMilliseconds: Int64
    /// Thousandths of a step.
    let thousandths: Int64
    let source: String

    private static let form = "as 2026-03-01 09:00:00 +0100 or 2026-03-01 9:00:00 am +0100"

    /// How an error names an entry, the first of which has the number 1.
    static func name(_ number: Int) -> String { "entry \(number) of step_count" }

    init(_ value: JSONValue, number: Int) throws(HealthReportError) {
        self.number = number
        let entry = Self.name(number)
        guard case .number(let quantity)? = value["qty"],
            let thousandths = quantity.whole(timesTenTo: 3),
            (0...StepRecords.greatestCount * 1_000).contains(thousandths)
        else {
            throw .invalid("qty", of: entry, "a number from 0 to \(StepRecords.greatestCount)")
        }
        self.thousandths = thousandths
        source = try value["source"].name("source", of: entry)
        guard let text = value["date"]?.text else {
            throw .invalid("date", of: entry, Self.form)
        }
        if let instant = InstantText(text) {
            guard StepRecords.validMilliseconds.contains(instant.milliseconds) else {
                throw .invalid("date", of: entry, "a time from 2000 to 2099")
            }
            date = instant.date
            day = CivilDate(
                wallMilliseconds: instant.milliseconds + 12 * 3_600_000,
                zoneOffsetMinutes: instant.offsetMinutes)
            milliseconds = instant.milliseconds
            timeOfDayMilliseconds = instant.timeOfDayMilliseconds
        } else if let date = CivilDate(text) {
            (self.date, day) = (date, date)
            milliseconds = nil
            timeOfDayMilliseconds = 0
        } else {
            throw .invalid("date", of: entry, Self.form)
        }
    }

    /// When a sample of a length begins.
    func begin(of length: Int64) throws(HealthReportError) -> Int64 {
        let name = Self.name(number)
        guard let milliseconds else {
            throw HealthReportError(
                .invalidValue,
                "`date` of \(name) must include a time of day, because the export is not by days.")
        }
        try StepRecords.check(name, from: milliseconds, for: length, thousandths: thousandths)
        return milliseconds
    }

    /// Whether entries of which nothing names the interval are days: all stand at midnight, or all
    /// but some next to it, where the clocks change, and each at a day of its own.
    static func areDays(_ entries: [AutoExportEntry]) -> Bool {
        let hour: Int64 = 3_600_000
        let midnights = entries.count { $0.timeOfDayMilliseconds == 0 }
        guard midnights < entries.count else { return true }
        return midnights > 0 && Set(entries.map(\.day)).count == entries.count
            && entries.allSatisfy { [0, hour, 23 * hour].contains($0.timeOfDayMilliseconds) }
    }

    /// Whole steps of the entries, which add up to the sum of each source and date, rounded once.
    static func wholeSteps(_ entries: [AutoExportEntry]) -> [UInt64] {
        var steps = Array(repeating: UInt64(0), count: entries.count)
        var sums: [String: [CivilDate: Int64]] = [:]
        let inOrder = entries.indices.sorted {
            (entries[$0].milliseconds ?? 0, $0) < (entries[$1].milliseconds ?? 0, $1)
        }
        for index in inOrder {
            let entry = entries[index]
            let before = sums[entry.source]?[entry.date] ?? 0
            let after = before + entry.thousandths
            sums[entry.source, default: [:]][entry.date] = after
            steps[index] = UInt64((after + 500) / 1_000 - (before + 500) / 1_000)
        }
        return steps
    }
}

extension StepSample {
    /// Reads a record of HC Webhook's `steps`.
    fileprivate init(
        hcWebhook value: JSONValue, number: Int
    ) throws(HealthReportError) {
        let record = "record \(number) of steps"
        guard let steps = value["count"]?.integer(as: Int64.self) else {
            throw .invalid("count", of: record, "a whole number up to \(StepRecords.greatestCount)")
        }
        let began = try Self.time(value, "start_time", of: record)
        let ended = try Self.time(value, "end_time", of: record)
        let metadata = value["metadata"]
        let app = try metadata?["data_origin"].name("data_origin", of: record) ?? ""
        let model = try metadata?["device"]?["model"].name("model", of: record) ?? ""
        try self.init(
            record, of: .hcWebhook, countedBy: model.isEmpty ? app : "\(app) \(model)",
            from: began, until: ended, steps: steps)
    }

    /// Reads what OwnTracks on iOS tells of steps.
    fileprivate init(ownTracks value: JSONValue) throws(HealthReportError) {
        func number(_ name: String) throws(HealthReportError) -> Int64 {
            guard let number = value[name]?.integer(as: Int64.self), (0...1 << 40).contains(number)
            else { throw .invalid(name, of: "steps", "a whole number") }
            return number
        }
        try self.init(
            "the message of steps", of: .ownTracks, from: try number("from") * 1_000,
            until: try number("to") * 1_000, steps: try number("steps"))
    }

    /// Holds a record against what one can be.
    private init(
        _ record: String, of origin: Reporter.Kind, countedBy source: String = "",
        from began: Int64, until ended: Int64, steps: Int64
    ) throws(HealthReportError) {
        try StepRecords.check(
            record, from: began, for: ended - began,
            thousandths: min(max(steps, -1), StepRecords.greatestCount + 1) * 1_000)
        self.init(
            origin: origin.rawValue, countedBy: source, beganAtMilliseconds: began,
            endedAtMilliseconds: ended, steps: UInt64(steps))
    }

    private static func time(
        _ value: JSONValue, _ name: String, of record: String
    ) throws(HealthReportError) -> Int64 {
        guard let time = value[name]?.text.flatMap({ InstantText($0) })?.milliseconds else {
            throw .invalid(name, of: record, "a time like 2026-03-01T09:00:00Z")
        }
        return time
    }
}

extension StepRecords {
    /// Holds a record against what one can be.
    fileprivate static func check(
        _ name: String, from start: Int64, for length: Int64, thousandths: Int64
    ) throws(HealthReportError) {
        guard let refusal = refusal("", start, start + length, thousandths) else { return }
        throw HealthReportError(
            refusal, name, steps: thousandths / 1_000, milliseconds: length)
    }
}

extension JSONValue? {
    /// A name of at most 120 bytes; empty if it is missing.
    fileprivate func name(
        _ name: String, of place: String
    ) throws(HealthReportError) -> String {
        switch self {
        case nil, .null?: return ""
        case .string(let text)? where text.utf8.count <= 120: return text
        default: throw .invalid(name, of: place, "a text of at most 120 bytes")
        }
    }
}
