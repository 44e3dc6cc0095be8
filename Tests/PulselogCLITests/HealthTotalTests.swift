import Foundation
import TestSupport
import Testing

/// `pulselog health`: a total that somebody types.
@Suite("A health total that is typed")
struct HealthTotalTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    @Test("is refused where nobody walks that many steps, unless it is meant")
    func notCredible() async throws {
        let refused = try await bench.run("health", "536876864")
        #expect(refused.status == 64)
        #expect(refused.messages.contains("--anyway"), "\(refused.messages)")
        #expect(try await bench.run("health", "8000").text.contains("8,000 steps."))
        let meant = try await bench.run("health", "250000", "--anyway")
        #expect(meant.status == 0, "\(meant.messages)")
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
        let capture = GoldenReplayTests.Case(name: "midnight").capture
        _ = try await bench.output("import", capture)
        let days = try await bench.run("steps", "--days", "7")
        let rows = days.lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows == ["2026-03-02 54 54", "2026-03-01 54 54"], "\(days.text)")
        #expect(try await !bench.run("steps").text.contains("2026-03"))
        let today = try Line(await bench.run("steps", "--json").text).fields
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
        let told = try await bench.run("import", path)
        #expect(told.status == 0, "\(told.messages)")
        #expect(told.text.contains("2026-03-01: 210,000 steps were left out."), "\(told.text)")
        #expect(told.text.contains("pulselog health TOTAL --anyway"), "\(told.text)")
    }

    @Test("that is less than what is displayed is answered by what can be done")
    func less() async throws {
        let first = try await bench.run("health", "120000")
        #expect(!first.text.contains("correct"))
        let second = try await bench.run("health", "8000")
        #expect(second.status == 0)
        #expect(second.text.contains("120,000 steps."), "\(second.text)")
        #expect(second.text.contains("pulselog steps correct --day"), "\(second.text)")
    }
}
