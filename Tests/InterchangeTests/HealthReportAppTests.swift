import Events
import Projections
import Testing

@testable import Interchange

@Suite("A health report of a phone's program")
struct HealthReportAppTests {
    private let day = CivilDate("2026-03-01") ?? .epoch
    private let dayBefore = CivilDate("2026-02-28") ?? .epoch
    /// 2026-03-01T00:00:00Z.
    private let midnight: Int64 = 1_772_323_200_000
    private let hour: Int64 = 3_600_000

    private func report(
        _ text: String, by interval: String? = nil
    ) throws(HealthReportError) -> HealthReport {
        try HealthReport(decodingJSON: Array(text.utf8), interval: interval) { _ in 60 }
    }

    private func autoExport(_ entries: String, by interval: String? = nil) throws -> HealthReport {
        try report(
            #"{"data":{"metrics":[{"name":"heart_rate","data":[{"Avg":80}]},"#
                + #"{"name":"step_count","units":"count","data":[\#(entries)]}],"workouts":[]}}"#,
            by: interval)
    }

    private func webhook(_ records: String, _ rest: String = "") throws -> HealthReport {
        try report(
            #"{"timestamp":"2026-03-01T12:00:00Z","app_version":"1.2","#
                + #""heart_rate":[{"bpm":80}],"steps":[\#(records)]\#(rest)}"#)
    }

    private func sample(
        _ began: Int64, _ ended: Int64, _ steps: UInt64, by source: String, of origin: String
    ) -> StepSample {
        StepSample(
            origin: origin, countedBy: source, beganAtMilliseconds: midnight + began,
            endedAtMilliseconds: midnight + ended, steps: steps)
    }

    @Test("of Health Auto Export, by days, is totals of dates")
    func autoExportDays() throws {
        let made = try autoExport(
            """
            {"qty":7000.4,"date":"2026-02-28 00:00:00 +0100","source":"iPhone|Watch"},
            {"qty":8122.5,"date":"2026-03-01"}
            """)
        #expect(made.origin == .healthAutoExport)
        #expect(
            made.totals == [
                HealthTotal(date: dayBefore, steps: 7_000), HealthTotal(date: day, steps: 8_123),
            ])
        #expect(made.samples.isEmpty)
    }

    @Test("of Health Auto Export, by hours, is samples")
    func autoExportHours() throws {
        let made = try autoExport(
            """
            {"qty":12,"date":"2026-03-01 00:00:00 +0100","source":"iPhone"},
            {"qty":1.2e2,"date":"2026-03-01 09:00:00 +0100"}
            """)
        #expect(made.totals.isEmpty)
        let origin = "Health Auto Export"
        #expect(
            made.samples == [
                sample(-hour, -hour, 12, by: "iPhone", of: origin),
                sample(8 * hour, 8 * hour, 120, by: "", of: origin),
            ])
    }

    @Test("of Health Auto Export is by the interval that its request names")
    func autoExportInterval() throws {
        let entry = #"{"qty":30,"date":"2026-03-01 00:00:00 +0100"}"#
        let app = "Health Auto Export"
        for (name, length, origin) in [
            ("Hours", hour, "\(app), hours"), ("minutes", 60_000, "\(app), minutes"),
            ("Seconds", 1_000, "\(app), seconds"), ("None", 0, app), ("Default", 0, app),
        ] {
            let made = try autoExport(entry, by: name)
            #expect(made.origin == .healthAutoExport)
            #expect(made.totals.isEmpty)
            #expect(made.samples == [sample(-hour, -hour + length, 30, by: "", of: origin)])
        }
        // A day begins at one o'clock where clocks go forward at midnight.
        let late = #"{"qty":70,"date":"2026-03-01 01:00:00 +0100"}"#
        for (text, steps) in [(entry, 30 as UInt64), (late, 70)] {
            let made = try autoExport(text, by: "Days")
            #expect(made.totals == [HealthTotal(date: day, steps: steps)])
            #expect(made.samples.isEmpty)
        }
        for name in ["Weeks", "Months", "Years", "Fortnights", "Days, Weeks", ""] {
            let error = #expect(throws: HealthReportError.self) { try autoExport(entry, by: name) }
            #expect(error?.code == .invalidValue)
            #expect(throws: Never.self) { try autoExport("", by: name) }
        }
    }

    @Test("of Health Auto Export with a time of day anywhere is no totals, if nothing names it")
    func autoExportPastMidnight() throws {
        let made = try autoExport(
            """
            {"qty":12,"date":"2026-02-28 23:00:00 +0100"},
            {"qty":30,"date":"2026-03-01 00:00:00 +0100"}
            """)
        #expect(made.totals.isEmpty)
        #expect(made.samples.map(\.steps) == [12, 30])
        let days = try autoExport(
            """
            {"qty":7000,"date":"2026-02-28 00:00:00 +0100"},
            {"qty":30,"date":"2026-03-01 00:00:00 +0100"}
            """)
        #expect(days.samples.isEmpty && days.totals.count == 2)
    }

    @Test("of Health Auto Export, by less than days, has no entry that names a date only")
    func autoExportMixed() throws {
        let dateOnly = #"{"qty":7000,"date":"2026-02-28"}"#
        let timed = #"{"qty":12,"date":"2026-03-01 09:00:00 +0100"}"#
        for (entries, interval) in [
            (dateOnly, "Hours"), ("\(timed),\(dateOnly)", "Minutes"), ("\(dateOnly),\(timed)", nil),
        ] {
            let made = try autoExport(entries, by: interval)
            #expect(made.totals.isEmpty && made.samples.count == (entries == dateOnly ? 0 : 1))
            #expect(made.ignored.map(\.reason) == [.invalid])
        }
        #expect(try autoExport("\(dateOnly),\(timed)", by: "Days").totals.count == 2)
    }

    @Test(
        "of a phone set to twelve hours is the same report",
        arguments: ["\u{202F}", " ", "\u{A0}"])
    func twelveHours(_ space: String) throws {
        let days = try autoExport(
            """
            {"qty":7000,"date":"2026-02-28 12:00:00\(space)am +0100"},
            {"qty":8122,"date":"2026-03-01 12:00:00\(space)AM +0100"}
            """)
        #expect(
            days.totals == [
                HealthTotal(date: dayBefore, steps: 7_000), HealthTotal(date: day, steps: 8_122),
            ])
        let hours = try autoExport(
            """
            {"qty":12,"date":"2026-03-01 12:00:00\(space)am +0100"},
            {"qty":120,"date":"2026-03-01 9:00:00\(space)am +0100"},
            {"qty":7,"date":"2026-03-01 12:30:00\(space)pm +0100"},
            {"qty":8,"date":"2026-03-01 11:59:59\(space)p.m. +0100"}
            """)
        #expect(hours.totals.isEmpty)
        #expect(
            hours.samples.map(\.beganAtMilliseconds) == [
                midnight - hour, midnight + 8 * hour, midnight + 11 * hour + hour / 2,
                midnight + 23 * hour - 1_000,
            ])
    }

    @Test("of HC Webhook, by days, is totals up to the end of each record")
    func webhookDays() throws {
        let made = try webhook(
            """
            {"count":7000,"start_time":"2026-02-27T23:00:00Z","end_time":"2026-02-28T23:00:00Z"},
            {"count":8123,"start_time":"2026-02-28T23:00:00Z","end_time":"2026-03-01T12:00:00.5Z"}
            """)
        #expect(made.origin == .hcWebhook)
        #expect(
            made.totals == [
                HealthTotal(
                    date: dayBefore, steps: 7_000, validUntilMilliseconds: midnight - hour),
                HealthTotal(
                    date: day, steps: 8_123, validUntilMilliseconds: midnight + 12 * hour + 500),
            ])
        #expect(made.samples.isEmpty)
    }

    @Test("of HC Webhook, in full, is samples of who counted")
    func webhookRecords() throws {
        let made = try webhook(
            """
            {"count":80,"start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T09:01:00Z",
             "metadata":{"data_origin":"com.app","device":{"model":"Watch","type":1}}},
            {"count":0,"start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T12:00:00Z",
             "metadata":{"data_origin":"com.app","device":null}}
            """)
        let nine = 9 * hour
        #expect(
            made.samples == [
                sample(nine, nine + 60_000, 80, by: "com.app Watch", of: "HC Webhook"),
                sample(nine, 12 * hour, 0, by: "com.app", of: "HC Webhook"),
            ])
        #expect(made.totals.isEmpty)
    }

    @Test("without steps, or sent for a test, is empty")
    func empty() throws {
        for text in [
            #"{"data":{}}"#, #"{"data":{"metrics":[]}}"#, #"{"data":{"workouts":[]}}"#,
            #"{"app_version":"1.2"}"#,
        ] {
            let made = try report(text)
            #expect(made.totals.isEmpty && made.samples.isEmpty)
        }
        let record =
            #"{"count":1,"start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T09:01:00Z"}"#
        #expect(try webhook(record).samples.count == 1)
        #expect(try webhook(record, #","test":false"#).samples.count == 1)
        #expect(try webhook(record, #","test":true"#).samples.isEmpty)
    }

    static let wrongEntries = [
        "1", "{}", "null", #"{"qty":1}"#, #"{"qty":"1","date":"2026-03-01"}"#,
        #"{"qty":null,"date":"2026-03-01"}"#, #"{"qty":-1,"date":"2026-03-01"}"#,
        #"{"qty":1000001,"date":"2026-03-01"}"#,
        #"{"qty":1,"date":"2026-03-01 "}"#, #"{"qty":1,"date":"2026-03-01 09:00:00"}"#,
        #"{"qty":1,"date":"2026-03-01 24:00:00 +0100"}"#, #"{"qty":1,"date":7}"#,
        #"{"qty":1,"date":"2026-03-01 13:00:00 pm +0100"}"#,
        #"{"qty":1,"date":"2026-03-01 0:30:00 am +0100"}"#,
        #"{"qty":1,"date":"2026-03-01","source":["x"]}"#,
        #"{"qty":1,"date":"1999-12-31 23:59:59 +0000"}"#,
        #"{"qty":1,"date":"2100-01-01 00:00:01 +0000"}"#,
    ]

    private static func record(_ count: String, _ start: String, _ end: String) -> String {
        #"{"count":\#(count),"start_time":"\#(start)Z","end_time":"\#(end)Z"}"#
    }

    static let wrongRecords: [(String, IgnoredSamples.Reason)] = [
        ("1", .invalid), ("{}", .invalid),
        (#"{"count":1,"start_time":"2026-03-01T09:00:00Z"}"#, .invalid),
        (record("1.5", "2026-03-01T09:00:00", "2026-03-01T09:00:00"), .invalid),
        (record(#""70""#, "2026-03-01T09:00:00", "2026-03-01T09:00:00"), .invalid),
        (record("null", "2026-03-01T09:00:00", "2026-03-01T09:00:00"), .invalid),
        (
            #"{"count":1,"start_time":"2026-03-01T09:00:00","end_time":"2026-03-01T09:00:00Z"}"#,
            .invalid
        ),
        (record("-7", "2026-03-01T09:00:00", "2026-03-01T09:00:00"), .countOutOfRange),
        (
            record("9223372036854775807", "2026-03-01T09:00:00", "2026-03-01T09:00:00"),
            .countOutOfRange
        ),
        (record("1", "2026-03-01T09:00:01", "2026-03-01T09:00:00"), .reversed),
        (record("1", "2026-03-01T09:00:00", "2026-03-02T11:00:00"), .tooLong),
        (record("1", "1926-03-01T09:00:00", "1926-03-01T09:00:00"), .dateOutOfRange),
        (record("60000", "2026-03-01T14:00:00", "2026-03-01T14:10:00"), .tooFast),
        (record("36001", "2026-03-01T14:00:00", "2026-03-01T16:00:00"), .tooFast),
    ]

    @Test("leaves a record out that cannot be read or walked, and no other")
    func wrong() throws {
        let good = #"{"qty":70,"date":"2026-03-01"}"#
        for entry in Self.wrongEntries {
            let made = try autoExport("\(entry),\(good)")
            #expect(made.totals == [HealthTotal(date: day, steps: 70)], "\(entry)")
            #expect(made.ignored.map(\.reason) == [.invalid], "\(entry)")
            #expect(made.ignored.first?.message?.contains("entry 1 of step_count") ?? false)
        }
        let fast = #"{"qty":18001,"date":"2026-03-01 09:00:00 +0000"}"#
        let timed = #"{"qty":70,"date":"2026-03-01 10:00:00 +0000"}"#
        let hours = try autoExport("\(fast),\(timed)", by: "Hours")
        #expect(hours.samples.map(\.steps) == [70])
        #expect(hours.ignored.map(\.reason) == [.tooFast])
        let next = Self.record("70", "2026-03-01T15:00:00", "2026-03-01T15:10:00")
        for (record, reason) in Self.wrongRecords {
            let made = try webhook("\(record),\(next)")
            #expect(made.samples.map(\.steps) == [70] && made.totals.isEmpty, "\(record)")
            #expect(made.ignored.map(\.reason) == [reason], "\(record)")
            #expect(made.ignored.first?.message?.contains("ecord 1 of steps") ?? false)
        }
        let told = try webhook(Self.record("60000", "2026-03-01T14:00:00", "2026-03-01T14:10:00"))
        #expect(
            told.ignored.first?.message
                == "Record 1 of steps is too fast: nobody walks 60,000 steps in 600 seconds.")
    }

    @Test("has at most so many samples and sources")
    func tooMany() {
        func entries(_ count: Int, source: (Int) -> Int) -> String {
            (0..<count).map {
                #"{"qty":1,"date":"2026-03-01 09:00:00 +0100","source":"\#(source($0))"}"#
            }.joined(separator: ",")
        }
        for (count, sources) in [(HealthReport.sampleLimit + 1, 1), (33, 33)] {
            let error = #expect(throws: HealthReportError.self) {
                try autoExport(entries(count) { $0 % sources })
            }
            #expect(error?.code == .tooMany)
        }
        #expect(throws: Never.self) { try autoExport(entries(64) { $0 % 32 }) }
    }

    @Test("adds fractions exactly, and rounds the sum of each source and date once")
    func fractions() throws {
        for (quantity, sum) in [("0.4", 24), ("0.5", 30), ("0.0004", 0), ("1e-1", 6)] {
            let entries = (0..<60).map { second in
                let text = second < 10 ? "0\(second)" : "\(second)"
                return #"{"qty":\#(quantity),"date":"2026-03-01 09:00:\#(text) +0100"}"#
            }
            let steps = try autoExport(entries.joined(separator: ","), by: "Seconds").samples
            #expect(steps.map(\.steps).reduce(0, +) == UInt64(sum), "\(quantity)")
        }
    }

    @Test("takes a day that begins at 23:00 or 01:00 for the date that holds most of it")
    func clockChange() throws {
        let entries = """
            {"qty":100,"date":"2026-03-28 00:00:00 +0100"},
            {"qty":200,"date":"2026-03-28 23:00:00 +0100"},
            {"qty":300,"date":"2026-03-30 01:00:00 +0200"}
            """
        for interval in ["Days", nil] {
            let made = try autoExport(entries, by: interval)
            #expect(
                made.totals.map { "\($0.date) \($0.steps)" }
                    == ["2026-03-28 100", "2026-03-29 200", "2026-03-30 300"])
        }
    }
}
