import Foundation
import TestSupport
import Testing

/// `steps` and `audit`, on walks whose numbers are worked out in `Replays/README.md`.
@Suite("The audit of a store")
struct AuditTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func open(_ name: String) async throws {
        _ = try await bench.output("import", GoldenReplayTests.Case(name: name).capture)
    }

    private func lines(_ arguments: String...) async throws -> [Line] {
        try await bench.start(arguments + ["--json"]).end.lines.map { try Line($0) }
    }

    @Test("gives each change as one object with the contract's keys in their order")
    func staircase() async throws {
        try await open("late-health-total")
        let text = try await bench.run("audit", "steps", "--day", "2026-03-01", "--json").text
        #expect(
            text.contains(
                #"{"position":11,"at":"2026-03-01T09:01:30.000Z","cause":"observer","health":5000,"#
                    + #""baselinePlusDelta":400,"persisted":400,"winner":"health","before":400,"#
                    + #""after":5000,"corrected":5000,"reportedBy":"phone","countedBy":null}"#))
        #expect(
            text.contains(
                #"{"position":12,"at":"2026-03-01T09:02:00.000Z","cause":"pedometer","#
                    + #""health":null,"baselinePlusDelta":null,"persisted":null,"winner":null,"#
                    + #""before":5000,"after":5100,"corrected":5100,"reportedBy":null,"#
                    + #""countedBy":"C4:00:00:00:00:02"}"#))
        let changes = try await lines("audit", "steps", "--day", "2026-03-01")
        #expect(
            try changes.map { try $0.integer("after") }
                == [0, 400, 5_000, 5_100, 5_100, 5_200, 5_200, 5_300, 5_300, 5_300])
        #expect(try changes.last?.integer("corrected") == 5_260)
        #expect(try changes.last?.text("cause") == "correction")
    }

    @Test(
        "draws a staircase that a person can read within 80 columns",
        arguments: [
            "late-health-total", "pedometer-restart", "midnight", "ordinary-walk",
        ])
    func text(_ name: String) async throws {
        try await open(name)
        let days = try await lines("steps", "--day", "2026-03-02", "--days", "9")
            .filter { $0.fields["firstPosition"] is Int }
        for day in days {
            let date = try day.text("date")
            let changes = try await lines("audit", "steps", "--day", date)
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

    @Test("is the same in every zone: the log says where the walker was")
    func zones() async throws {
        try await open("midnight")
        for command in ["audit steps", "audit explain --at 100", "audit check", "steps"] {
            var arguments = command.split(separator: " ").map(String.init)
            if !command.contains("--at") { arguments += ["--day", "2026-03-01"] }
            var texts: Set<String> = []
            for zone in ["UTC", "Pacific/Kiritimati", "America/St_Johns"] {
                texts.insert(try await bench.start(arguments, ["TZ": zone]).end.text)
            }
            #expect(texts.count == 1, "\(command)")
        }
    }

    @Test("explains at a position and at a time what `audit steps` shows there")
    func explaining() async throws {
        try await open("late-health-total")
        for change in try await lines("audit", "steps", "--day", "2026-03-01") {
            let position = "\(try change.integer("position"))"
            let number = try #require(try await lines("audit", "explain", "--at", position).first)
            #expect(try number.integer("displayed") == change.integer("after"), "\(position)")
            #expect(try number.integer("corrected") == change.integer("corrected"))
        }
        // 10:01:59 in the walker's zone; the next reading came a second later.
        let earlier = try await lines(
            "audit", "explain", "--day", "2026-03-01", "--at", "10:01:59")
        #expect(try earlier.first?.integer("position") == 11)
        #expect(try earlier.first?.integer("displayed") == 5_000)
        #expect(try earlier.first?.object("baseline").integer("healthPosition") == 10)
        let instant = try await lines("audit", "explain", "--at", "2026-03-01T09:01:59.999Z")
        #expect(
            instant.map { $0.fields as NSDictionary } == earlier.map { $0.fields as NSDictionary })
        let text = try await bench.run("audit", "explain", "--at", "12").text
        #expect(
            text.contains("5,100 steps displayed at position 12, 2026-03-01 10:02:00 +01:00\n"))
        #expect(text.contains("baseline 5,000 + delta 100 = 5,100"))
        #expect(text.contains("100 = 1500 (12) - 1400 (9)"))
    }

    @Test("explains each moment at which a clock that was set back showed a time")
    func setBack() async throws {
        // One minute; after 40 s the clock is set 30 s back.
        let capture = try GoldenReplayTests.Case(name: "clock-step").bytes(of: "capture.jsonl")
        var text = ""
        var walls: [Int] = []
        for line in String(decoding: capture, as: UTF8.self).split(separator: "\n") {
            let event = try Line(String(line))
            let elapsed = try event.integer("bootMilliseconds") - 3_600_000
            let wall = 1_772_355_600_000 + elapsed - (elapsed > 40_250 ? 30_000 : 0)
            walls.append(wall)
            text += line.replacing(
                "\"wallMilliseconds\":\(try event.integer("wallMilliseconds"))",
                with: "\"wallMilliseconds\":\(wall)", maxReplacements: 1)
            text += "\n"
        }
        let path = bench.folder + "/set-back.jsonl"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        _ = try await bench.output("import", path)
        let back = try #require(walls.indices.dropFirst().first { walls[$0] < walls[$0 - 1] })
        let limit = 1_772_355_620_999
        let first = try #require(walls[..<back].lastIndex { $0 <= limit })
        let second = try #require(walls.lastIndex { $0 <= limit })
        let both = try await lines("audit", "explain", "--at", "2026-03-01T09:00:20Z")
        #expect(try both.map { try $0.integer("position") } == [first, second])
        let told = try await bench.run("audit", "explain", "--at", "2026-03-01T09:00:20Z").text
        #expect(told.contains("The clock showed this time twice, at positions \(first), \(second)"))
        #expect(told.contains("displayed at position \(first)"))
        #expect(told.contains("displayed at position \(second)"))
        let once = try await lines("audit", "explain", "--at", "2026-03-01T09:00:35Z")
        #expect(once.count == 1)
    }

    @Test("says so before the zone is known")
    func unknownZone() async throws {
        try await open("late-health-total")
        let first = try await bench.run("audit", "explain", "--at", "0").text
        #expect(first.contains("No event had set the zone yet"))
        let later = try await bench.run("audit", "explain", "--at", "2").text
        #expect(!later.contains("No event had set the zone yet"))
    }

    @Test("certifies every day of every replay", arguments: GoldenReplayTests.Case.all)
    func certifying(_ replay: GoldenReplayTests.Case) async throws {
        _ = try await bench.output("import", replay.capture)
        let end = try await bench.run("audit", "check", "--json")
        #expect(end.status == 0, "\(end.text)\(end.messages)")
        let days =
            try Line(
                String(decoding: try replay.bytes(of: "expected.json"), as: UTF8.self)
            ).fields["days"] as? [[String: Any]]
        let displayed = try end.lines.map { try Line($0).integer("displayed") }
        #expect(displayed == days?.map { $0["displayed"] as? Int ?? -1 })
    }

    @Test("shows the totals of days, today also if nothing is known of it")
    func totals() async throws {
        try await open("late-health-total")
        let day = try #require(try await lines("steps", "--day", "2026-03-01").first)
        #expect(try day.integer("displayed") == 5_300)
        #expect(try day.integer("corrected") == 5_260)
        #expect(try day.integer("pedometerSteps") == 700)
        #expect(try day.integer("healthTotal") == 5_100)
        #expect(try day.integer("dailyGoal") == 8_000)
        let today = try await lines("steps")
        #expect(today.count == 1)
        #expect(today.first?.fields["displayed"] is NSNull)
        let text = try await bench.run("steps", "--day", "2026-03-01").text
        #expect(text.contains("5,300") && text.contains("5,260"))
    }

    @Test("corrects a day by an event of its own, and shows both figures")
    func correcting() async throws {
        try await open("late-health-total")
        let end = try await bench.run(
            "steps", "correct", "--day", "2026-03-01", "--by", "-500", "--reason", "shaken",
            "--author", "walker")
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.text.contains("5,300") && end.text.contains("4,760"))
        let day = try #require(try await lines("steps", "--day", "2026-03-01").first)
        #expect(try day.integer("displayed") == 5_300)
        #expect(try day.integer("corrected") == 4_760)
        #expect(try await bench.run("audit", "check").status == 0)
        let log = try await bench.run("log", "cat", "--json").lines.last
        #expect(log?.contains(#""kind":"stepsCorrected""#) == true)
        #expect(log?.contains(#""reason":"shaken","author":"walker""#) == true)
    }

    @Test("T6: names an earlier program's value and why it was taken over, once")
    func legacy() async throws {
        try await open("late-health-total")
        for _ in 0..<2 {
            let end = try await bench.run(
                "steps", "legacy", "9000", "--day", "2026-03-01", "--reason", "new phone")
            #expect(end.text.contains("9,000 steps displayed"), "\(end.messages)")
        }
        let kinds = try await bench.run("log", "cat", "--kind", "legacyValueImported", "--json")
        #expect(kinds.lines.count == 1)
        for command in ["steps", "explain", "check"] {
            let end = try await bench.run("audit", command, "--day", "2026-03-01", "--json")
            #expect(end.text.contains("an earlier program (new phone)"), "\(command)")
        }
    }

    /// Arguments, exit code, and a word of what is said, on a store that knows 2026-03-01.
    static let complaints: [(String, Int32, String)] = [
        ("steps --day yesterday", 64, "2026-03-01"),
        ("steps --days 0", 64, "1 to 100000"),
        ("steps --day 2026-04-01", 66, "only 2026-03-01"),
        ("audit steps --day 2026-04-01", 66, "only 2026-03-01"),
        ("audit explain --day 2026-04-01", 66, "only 2026-03-01"),
        ("audit check --day 2026-04-01", 66, "only 2026-03-01"),
        ("audit explain --at 900", 66, "the last event is 21"),
        ("audit explain --at noon", 64, "--at"),
        ("audit explain --at 24:00", 64, "--at"),
        ("audit explain --at 10:00:00.", 64, "--at"),
        ("audit explain --at 2026-02-29T10:00:00Z", 64, "--at"),
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
            "steps legacy 9000 --day 2026-03-01 --reason " + String(repeating: "x", count: 513), 64,
            "reason"
        ),
    ]

    @Test("says what is wrong with a request, and what to do")
    func complaining() async throws {
        try await open("late-health-total")
        for (arguments, status, words) in Self.complaints {
            let end = try await bench.start(arguments.split(separator: " ").map(String.init)).end
            #expect(end.status == status, "\(arguments): \(end.messages)")
            #expect(end.messages.contains(words), "\(arguments): \(end.messages)")
            #expect(end.output.isEmpty, "\(arguments)")
        }
    }

    @Test("certifies no damaged log, and says how far it is good")
    func damagedLog() async throws {
        try await open("late-health-total")
        let file = URL(filePath: bench.store + "/data.mdb")
        var bytes = try Data(contentsOf: file)
        let word = try #require(bytes.range(of: Data("shaken".utf8)))
        bytes[word.lowerBound] ^= 1
        try bytes.write(to: file)
        for command in ["audit check", "audit steps", "audit explain", "steps"] {
            let end = try await bench.start(command.split(separator: " ").map(String.init)).end
            #expect(end.status == 65, "\(command): \(end.messages)")
            #expect(end.messages.contains("pulselog log verify"), "\(end.messages)")
            #expect(end.output.isEmpty)
        }
    }

    @Test("says of a store without steps that there are none")
    func empty() async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        let staircase = try await bench.run("audit", "steps")
        #expect(staircase.status == 66)
        #expect(staircase.messages.contains("pulselog health"))
        #expect(try await bench.run("audit", "check").text.contains("nothing to certify"))
        #expect(try await bench.run("audit", "explain").text.contains("0 steps displayed"))
        #expect(try await bench.run("steps").text.contains("Displayed  0"))
    }
}
