import Foundation
import TestSelection
import TestSupport
import Testing

/// `steps` and `audit`, on walks whose numbers are worked out in `Replays/README.md`.
@Suite("The audit of a store")
struct AuditTests {
    let bench = Workbench()

    @Test(
        "draws a staircase that a person can read within 80 columns",
        arguments: sample(
            ["pedometer-restart", "late-health-total", "midnight", "ordinary-walk"]))
    func text(_ name: String) async throws {
        try await bench.load(name)
        let days = try await bench.objects("steps", "--day", "2026-03-02", "--days", "9")
            .filter { $0.fields["firstPosition"] is Int }
        for day in days {
            let date = try day.text("date")
            let changes = try await bench.objects("audit", "steps", "--day", date)
            let staircase = try await bench.run("audit", "steps", "--day", date)
            #expect(staircase.lines.allSatisfy { $0.count <= 80 }, "\(staircase.text)")
            let runs = try changes.filter { try $0.text("cause") != "pedometer" }.count + 1
            // A change takes three lines at most, a run of the pedometer's two.
            #expect(staircase.lines.count <= 3 + 5 * runs, "\(staircase.text)")
            #expect(staircase.text.hasPrefix("\(date): "))
            let explanation = try await bench.run("audit", "explain", "--day", date)
            #expect(explanation.lines.allSatisfy { $0.count <= 80 }, "\(explanation.text)")
            let check = try await bench.run("audit", "check", "--day", date)
            #expect(check.lines.allSatisfy { $0.count <= 80 }, "\(check.text)")
        }
    }

    @Test("explains at a position and at a time what `audit steps` shows there")
    func explaining() async throws {
        try await bench.load("late-health-total")
        for change in try await bench.objects("audit", "steps", "--day", "2026-03-01") {
            let position = "\(try change.integer("position"))"
            let number = try #require(
                try await bench.objects("audit", "explain", "--at", position).first)
            #expect(try number.integer("displayed") == change.integer("after"), "\(position)")
            #expect(try number.integer("corrected") == change.integer("corrected"))
        }
        // 10:01:59 in the walker's zone; the next reading came a second later.
        let earlier = try await bench.objects(
            "audit", "explain", "--day", "2026-03-01", "--at", "10:01:59")
        #expect(try earlier.first?.integer("position") == 11)
        #expect(try earlier.first?.integer("displayed") == 5_000)
        #expect(try earlier.first?.object("baseline").integer("healthPosition") == 10)
        let instant = try await bench.objects(
            "audit", "explain", "--at", "2026-03-01T09:01:59.999Z")
        #expect(
            instant.map { $0.fields as NSDictionary } == earlier.map { $0.fields as NSDictionary })
        let text = try await bench.run("audit", "explain", "--at", "12").text
        #expect(
            text.contains("5,100 steps displayed at position 12, 2026-03-01 10:02:00 +01:00\n"))
        #expect(text.contains("baseline 5,000 + delta 100 = 5,100"))
        #expect(text.contains("100 = 1500 (12) - 1400 (9)"))
        #expect(!text.contains("No event had set the zone yet"))
    }

    @Test("explains each moment at which a clock that was set back showed a time")
    func setBack() async throws {
        try await bench.load("winter-time")
        let explain = ["audit", "explain", "--day", "2026-10-25", "--at"]
        try await bench.expect(
            explain + ["02:00:30"],
            says: "The clock showed this time twice, at positions 0, 79",
            "displayed at position 0", "No event had set the zone yet", "displayed at position 79")
        let both = try await bench.objects(
            "audit", "explain", "--day", "2026-10-25", "--at", "02:00:30")
        #expect(try both.map { try $0.integer("position") } == [0, 79])
        let once = try await bench.expect(explain + ["01:00:30"])
        #expect(!once.text.contains("twice"))
    }

    @Test("corrects a day by an event of its own, and shows both figures")
    func correcting() async throws {
        try await bench.load("late-health-total")
        try await bench.expect(
            "steps", "--day", "2026-03-01", says: "Displayed  5,300 of 8,000", "Corrected  5,260")
        try await bench.expect(
            "steps", "correct", "--day", "2026-03-01", "--by", "-500", "--reason", "shaken",
            "--author", "walker", says: "5,300", "4,760")
        let day = try #require(try await bench.objects("steps", "--day", "2026-03-01").first)
        for (figure, steps) in [
            ("displayed", 5_300), ("corrected", 4_760), ("pedometerSteps", 700),
            ("healthTotal", 5_100), ("dailyGoal", 8_000),
        ] {
            #expect(try day.integer(figure) == steps, "\(figure)")
        }
        try await bench.expect("audit", "check")
        let log = try await bench.run("log", "cat", "--json").lines.last
        #expect(log?.contains(#""kind":"stepsCorrected""#) == true)
        #expect(log?.contains(#""reason":"shaken","author":"walker""#) == true)
    }

    @Test("T6: names an earlier program's value and why it was taken over, once")
    func legacy() async throws {
        try await bench.load("late-health-total")
        for _ in 0..<2 {
            try await bench.expect(
                "steps", "legacy", "9000", "--day", "2026-03-01", "--reason", "new phone",
                says: "9,000 steps displayed")
        }
        let kinds = try await bench.run("log", "cat", "--kind", "legacyValueImported", "--json")
        #expect(kinds.lines.count == 1)
        for command in ["steps", "explain", "check"] {
            try await bench.expect(
                "audit", command, "--day", "2026-03-01", "--json",
                says: "eportedBy\":\"new phone", "eportedByKind\":\"earlierProgram")
        }
    }

    @Test("says what is wrong with a request, and what to do")
    func complaining() async throws {
        try await bench.load("late-health-total")
        try await bench.expectComplaints([
            ("steps --day someday", 64, "write 2026-03-01, 1 Mar, 1 Mar 2026, today"),
            ("steps --days 0", 64, "1 to 100000"),
            ("steps --day 2026-04-01", 66, "only 2026-03-01"),
            ("steps --day Yesterday", 66, "only 2026-03-01"),
            ("audit steps --day 2026-04-01", 66, "only 2026-03-01"),
            ("audit explain --day 2026-04-01", 66, "only 2026-03-01"),
            ("audit check --day 2026-04-01", 66, "only 2026-03-01"),
            ("audit explain --at 900", 66, "the last event is 21"),
            ("audit explain --at noon", 64, "--at"),
            ("audit explain --at 2026-02-01T10:00:00Z", 66, "begins later"),
            ("audit explain --day 2026-03-01 --at 00:00", 66, "begins later"),
            ("steps correct --day 2026-03-01 --by 0 --reason x", 64, "other than 0"),
            ("steps correct --day 2026-04-01 --by 5 --reason x", 66, "only 2026-03-01"),
            ("steps correct --day 2026-03-01 --by 5", 64, "--reason"),
            ("steps legacy 100 --day 2026-03-01 --reason x", 64, "nothing would change"),
            ("steps legacy 200001 --day 2026-03-01 --reason x", 64, "check the value"),
            ("steps legacy 100 --day 2999-03-01 --reason x", 64, "in the future"),
            ("steps legacy 9000 --day 2026-03-01", 64, "--reason"),
            (
                "steps legacy 9000 --day 2026-03-01 --reason \(String(repeating: "x", count: 513))",
                64, "reason"
            ),
        ])
    }

    @Test("says of a store without steps that there are none")
    func empty() async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        try await bench.expect("audit", "steps", status: 66, says: "pulselog health")
        #expect(try await bench.run("audit", "check").text.contains("nothing to certify"))
        #expect(try await bench.run("audit", "explain").text.contains("0 steps displayed"))
        #expect(try await bench.run("steps").text.contains("none: nothing counted steps"))
        #expect(try await bench.run("steps", "--json").text.contains(#""displayed":null"#))
    }
}
