import Events
import Interchange
import Projections
import Testing

@Suite("A health report in JSON")
struct HealthReportTests {
    private func report(_ text: String) throws(HealthReportError) -> HealthReport {
        try HealthReport(decodingJSON: Array(text.utf8)) { _ in 60 }
    }

    private let day = CivilDate("2026-03-01") ?? .epoch

    @Test("in the plain form is a total, or a list of them")
    func plain() throws {
        let total = HealthTotal(date: day, steps: 8_123)
        #expect(try report(#"{"date":"2026-03-01","steps":8123}"#).totals == [total])
        #expect(
            try report(#"{"steps":8123,"until":null,"x":[],"date":"2026-03-01"}"#).totals == [total]
        )
        #expect(try report("[]").totals.isEmpty)
        let until = try report(#"[{"date":"2026-03-01","steps":0,"until":1772355600000}]"#)
        #expect(
            until.totals == [
                HealthTotal(date: day, steps: 0, validUntilMilliseconds: 1_772_355_600_000)
            ])
        #expect(until.origin == .push)
    }

    static let refused: [(text: String, name: String)] = [
        ("", "malformed"), ("{", "malformed"), ("{}{}", "malformed"),
        (String(repeating: "[", count: 17), "malformed"),
        ("{}", "unrecognized"), ("1", "unrecognized"), ("null", "unrecognized"),
        (#"{"steps":1}"#, "unrecognized"),
    ]

    @Test("that cannot be used is refused with its reason", arguments: refused)
    func refusals(_ vector: (text: String, name: String)) {
        let error = #expect(throws: HealthReportError.self) { try report(vector.text) }
        #expect(error?.code.rawValue == vector.name)
    }

    static let leftOut: [(text: String, member: String)] = [
        (#"{"date":1,"steps":1}"#, "date"), ("[]", "date"), ("7", "date"),
        (#"{"date":"2026-3-1","steps":1}"#, "date"), (#"{"date":"2026-03-01"}"#, "steps"),
        (#"{"date":"2026-03-01","steps":2147483648}"#, "steps"),
        (#"{"date":"2026-03-01","steps":-5}"#, "steps"),
        (#"{"date":"2026-03-01","steps":"many"}"#, "steps"),
        (#"{"date":"2026-03-01","steps":1e3}"#, "steps"),
        (#"{"date":"2026-03-01","steps":-0}"#, "steps"),
        (#"{"date":"2026-03-01","steps":1,"until":9007199254740992}"#, "until"),
    ]

    @Test("leaves a total out that cannot be read, and no other", arguments: leftOut)
    func ignored(_ vector: (text: String, member: String)) throws {
        let good = #"{"date":"2026-03-01","steps":8123}"#
        let made = try report("[\(vector.text),\(good)]")
        #expect(made.totals == [HealthTotal(date: day, steps: 8_123)])
        #expect(made.ignored.map(\.reason) == [.invalid])
        let message = made.ignored.first?.message ?? ""
        #expect(message.hasPrefix("`\(vector.member)` of total 1 must be "), "\(message)")
    }

    @Test("has at most so many totals")
    func tooMany() throws {
        let total = #"{"date":"2026-03-01","steps":1}"#
        func list(_ count: Int) -> String {
            "[" + Array(repeating: total, count: count).joined(separator: ",") + "]"
        }
        #expect(try report(list(HealthReport.totalLimit)).totals.count == HealthReport.totalLimit)
        let error = #expect(throws: HealthReportError.self) {
            try report(list(HealthReport.totalLimit + 1))
        }
        #expect(error?.code == .tooMany)
    }

    @Test("says nothing of a stranger's bytes in its error")
    func harmless() throws {
        for text in ["\u{1B}", #"{"\u001b[2J":1}"#] {
            let error = #expect(throws: HealthReportError.self) { try report(text) }
            #expect(error?.description.contains("\u{1B}") == false)
        }
        for text in [#"{"date":"\u001b[2J"}"#, #"{"date":"2026-03-01","steps":"\u001b"}"#] {
            #expect(try report(text).ignored.map { $0.message?.contains("\u{1B}") } == [false])
        }
    }
}
