import Foundation
import TestSupport
import Testing

/// Walks, days and records as pictures and lists.
@Suite("Charts and records")
struct ChartCommandTests {
    let bench = Workbench()

    private func text(_ arguments: String...) async throws -> String {
        let end = try await bench.expect(arguments, variables: ["LC_ALL": "C.UTF-8"])
        for line in end.text.split(separator: "\n") {
            #expect(line.unicodeScalars.count <= 80, "\(line)")
        }
        return end.text
    }

    @Test("a walk has its figures, its trace with the pause, its zones and its kilometres")
    func walk() async throws {
        try await bench.load("ordinary-walk")
        _ = try await text("sessions", "name", "last", "Park loop")
        let chart = try await text("sessions", "show", "last", "--chart")
        let lines = chart.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasPrefix("Park loop") && lines[0].hasSuffix("Sunday 1 March 2026, 10:00"))
        #expect(lines[1].hasPrefix("Walk  ") && lines[1].hasSuffix("position 17"))
        #expect(lines[3] == "  0.16 km     2:00 active     12:17 /km     219 steps")
        #expect(
            lines[4] == "  109 BPM mean over time, 109.32 of the values; highest, supported, 144")
        #expect(chart.contains("└10:00") && chart.contains("paused"))
        #expect(chart.contains("  Moderate      1:01  █████████████████████████████████"))
        #expect(chart.contains("\n   0.16   12:17   109    219\n"), "\(chart)")
        #expect(chart.contains("No height was recorded"))
    }

    @Test("a walk without a strap, and one without a distance, say so")
    func missing() async throws {
        try await bench.load("mute-strap")
        let mute = try await text("sessions", "show", "last", "--chart")
        #expect(mute.contains("distance unknown") && mute.contains("steps unknown"), "\(mute)")
    }

    @Test("a day is a staircase up to its last count")
    func day() async throws {
        try await bench.load("late-health-total")
        let chart = try await text("steps", "show", "--day", "2026-03-01", "--chart")
        #expect(chart.hasPrefix("Sunday 1 March 2026"))
        #expect(chart.contains(" ┤") && chart.contains("◆") && chart.contains("└00:00"))
        #expect(chart.contains("It never fell."))
        let plain = try await bench.start(
            ["steps", "show", "--day", "2026-03-01", "--chart"], ["LC_ALL": "C"]
        ).end.text
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        try await bench.expect("steps", "--chart", "--days", "3", status: 64)
    }

    @Test("records are kept, and the same after the kept file is damaged, old or gone")
    func records() async throws {
        try await bench.load("ordinary-walk")
        try await bench.load("track")
        let first = try await text("records", "--year", "2026", "--walks")
        #expect(first.hasPrefix("Record                        Of all time  When"))
        #expect(first.contains("Longest walk") && first.contains("the same"))
        let file = URL(filePath: bench.store + "/outlines")
        let kept = try Data(contentsOf: file)
        #expect(try await text("records", "--year", "2026", "--walks") == first)
        #expect(try Data(contentsOf: file) == kept)
        try await bench.expect("log", "verify")
        var damaged = kept
        damaged[kept.count / 2] ^= 0x20
        try damaged.write(to: file)
        #expect(try await text("records", "--year", "2026", "--walks") == first)
        try FileManager.default.removeItem(at: file)
        #expect(try await text("records", "--year", "2026", "--walks") == first)
        _ = try await text("sessions", "hide", "last")
        let lines = try await bench.objects("records")
        #expect(try lines.allSatisfy { try $0.text("record") != "" })
        try await bench.expect("records", "--year", "0", status: 64)
    }
}
