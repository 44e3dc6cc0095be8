import Foundation
import TestSupport
import Testing

/// `pulselog health`: a total that somebody types.
@Suite("A health total that is typed")
struct HealthTotalTests {
    let bench = Workbench()

    @Test("is refused where nobody walks that many steps, unless it is meant")
    func notCredible() async throws {
        try await bench.expect("health", "536876864", status: 64, says: "--anyway")
        #expect(try await bench.run("health", "8000").text.contains("8,000 steps."))
        try await bench.expect("health", "250000", "--anyway")
        for command in [["steps"], ["steps", "--days", "2"], ["audit", "explain"]] {
            let told = try await bench.start(command).end
            let text = told.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("pulselog steps correct --day"), "\(told.text)")
            #expect(told.lines.allSatisfy { $0.count <= 80 }, "\(told.text)")
        }
        let date = try Line(try await bench.run("steps", "--json").lines[0]).text("date")
        _ = try await bench.output(
            "steps", "correct", "--day", date, "--by", "-242000", "--reason", "a slip")
        #expect(try await !bench.run("steps").text.contains("Nobody walks"))
    }

    @Test("is among the last days, of a log of last spring too, and not today's")
    func lastDays() async throws {
        try await bench.load("midnight")
        let days = try await bench.run("steps", "--days", "7")
        let rows = days.lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows == ["2026-03-02 55 55", "2026-03-01 54 54"], "\(days.text)")
        #expect(try await !bench.run("steps").text.contains("2026-03"))
        let today = try await bench.object("steps").fields
        for name in ["displayed", "corrected", "baseline", "reconciliations", "offsetMinutes"] {
            #expect(today[name] is NSNull, "\(name)")
        }
    }

    @Test("is refused of a file as well, by its date and with what can be done")
    func file() async throws {
        let record =
            #"<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" "#
            + #"startDate="2026-03-01 01:00:00 +0000" endDate="2026-03-01 15:00:00 +0000" "#
            + #"value="210000"/>"#
        let path = bench.folder + "/export.xml"
        try #"<?xml version="1.0"?><HealthData locale="en_US">\#(record)</HealthData>"#
            .write(toFile: path, atomically: true, encoding: .utf8)
        try await bench.expect(
            "import", path, says: "2026-03-01: 210,000 steps were left out.",
            "pulselog health TOTAL --anyway")
    }

    @Test("that is less than what is displayed is answered by what can be done")
    func less() async throws {
        let first = try await bench.run("health", "120000")
        #expect(!first.text.contains("correct"))
        try await bench.expect(
            "health", "8000", says: "120,000 steps.", "pulselog steps correct --day")
    }
}
