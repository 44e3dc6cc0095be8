import Foundation
import TestSelection
import TestSupport
import Testing

/// A replay as a debugger: where it begins and ends, event by event, stopped at any moment.
@Suite("A replay, event by event")
struct ReplayStepTests {
    static let walk = ReplayCase("ordinary-walk").capture
    static let totals = ReplayCase("late-health-total").capture

    let bench = Workbench()

    /// Runs `pulselog replay` with lines at its standard input.
    private func replay(_ arguments: String, input: String) async throws -> RunningProgram.End {
        try await bench.shell("printf '\(input)' | \"$0\" replay \(arguments)").end
    }

    /// `--from`, `--until`, and the first and last event that is shown.
    static let ranges: [(from: String, until: String, first: Int, last: Int)] = [
        ("100", "103", 100, 102), ("10:01", "10:01:01", 138, 138),
        ("2026-03-01T09:01:00Z", "140", 138, 139), ("1772355660000", "139", 138, 138),
        ("10:00:59.5", "10:01", 136, 138), ("0", "2", 0, 1),
        ("135", "2026-03-01T09:01:00Z", 135, 138), ("135", "1772355660000", 135, 137),
        ("135", "2026-03-01T10:01:00.000+01:00", 135, 137), ("260", "23:59", 260, 265),
    ]

    @Test("shows what lies between two positions or times", arguments: ranges)
    func between(_ range: (from: String, until: String, first: Int, last: Int)) async throws {
        let end = try await bench.expect(
            "replay", Self.walk, "--events", "--json", "--from", range.from, "--until", range.until)
        let lines = try end.lines.map { try Line($0) }
        let shown = lines.dropLast().compactMap { $0.fields["position"] as? Int }
        #expect(shown == Array(range.first...range.last))
        let totals = try #require(lines.last)
        #expect(totals.fields["stoppedAfter"] == nil)
        #expect(try totals.integer("head") == range.last)
    }

    @Test("takes each event apart: bytes, meaning, view, and the fields that change")
    func apart() async throws {
        let end = try await bench.run("replay", Self.totals, "--step", "--json", "--digests")
        let lines = try end.lines.map { try Line($0) }
        #expect(lines.count == 23, "22 events and the totals")
        let reading = lines[9]
        #expect(try reading.text("bytes") == "78050000")
        #expect(try reading.text("words") == "1400 steps")
        #expect(try reading.object("decoded").integer("steps") == 1_400)
        #expect(try reading.object("view").integer("stepsToday") == 400)
        #expect(try reading.object("event").text("value") == "78050000")
        let changes = try reading.objects("changes")
        let delta = try #require(changes.first { $0.fields["field"] as? String == Self.delta })
        #expect(try (delta.integer("before"), delta.integer("after")) == (0, 400))

        // What changes is all that changes: a field goes on from where it was left.
        var last: [String: String] = [:]
        for line in lines.dropLast() {
            for change in try line.objects("changes") {
                let field = try change.text("field")
                if let before = last[field] { #expect("\(change.fields["before"]!)" == before) }
                last[field] = "\(change.fields["after"]!)"
            }
        }
        #expect(try lines[21].text("digest") == lines[22].text("digest"))
    }

    private static let delta = "live.steps.current.delta"

    /// What is answered, and the positions that are shown; nil where the end is reached.
    static let answers: [(input: String, shown: Range<Int>, stoppedAfter: Int?)] = [
        ("", 0..<1, 0), ("q\\n", 0..<1, 0), ("\\n\\n", 0..<3, 2), ("5\\n", 0..<6, 5),
        ("2\\nq\\n", 0..<3, 2), ("what\\n\\n", 0..<2, 1), ("3", 0..<4, 3), ("100\\n", 0..<22, nil),
        ("21\\n", 0..<22, nil), ("0\\n1\\n", 0..<2, 1), (" 2 \\r\\n", 0..<3, 2),
        ("1 0\\n", 0..<1, 0),
    ]

    @Test(
        "goes on by what is answered, and ends cleanly at the end of the input",
        arguments: sample(answers, 6))
    func goesOn(
        _ answer: (input: String, shown: Range<Int>, stoppedAfter: Int?)
    ) async throws {
        let end = try await replay("\(Self.totals) --step", input: answer.input)
        #expect(end.status == 0)
        let shown = end.lines.compactMap { Int($0.prefix(10).filter { $0 != " " }) }
        #expect(shown == Array(answer.shown))
        let stop = end.lines.last { $0.hasPrefix("Stopped") }
        let expected = answer.stoppedAfter.map { "Stopped after position \($0): " }
        #expect(expected.map { stop?.hasPrefix($0) == true } ?? (stop == nil), "\(end.text)")
        #expect(end.messages.contains("what is not an answer") == answer.input.hasPrefix("what"))
        for line in end.lines where line.hasPrefix("            ") {
            #expect(line.unicodeScalars.count <= 80, "\(line)")
        }
    }

    @Test("shows a person the figures that change, and every field where that is asked for")
    func figures() async throws {
        let figures = try await replay("\(Self.totals) --step", input: "100\\n").text
        #expect(figures.contains("days[2026-03-01].displayed: 0 -> 400"), "\(figures)")
        #expect(!figures.contains("clock.") && !figures.contains(Self.delta))
        let fields = try await replay("\(Self.totals) --step --all", input: "100\\n").text
        #expect(fields.contains("\(Self.delta): 0 -> 400"))
        try await bench.expect("replay", Self.totals, "--all", status: 64)
    }

    @Test("does not ask at the input that the capture comes from")
    func capture() async throws {
        try await bench.expect("replay", "-", "--step", status: 64)
        let json = try await replay("- --step --json < \(Self.totals)", input: "")
        #expect(json.lines.count == 23, "\(json.messages)")
    }

    @Test(
        "is stopped at any moment, with the totals of what was shown",
        arguments: sample([SIGINT, SIGTERM]))
    func stopped(_ signal: Int32) async throws {
        for json in [[], ["--json"]] {
            let program = try bench.start(
                ["replay", Self.walk, "--rate", "0.001", "--from", "31"] + json)
            // The next one is due in a quarter of an hour.
            _ = try await program.line { $0.contains(json.isEmpty ? " 31  " : #""position":31,"#) }
            program.signal(signal)
            let end = await program.end
            #expect(end.status == -signal, "\(end.messages)")
            let last = try #require(end.lines.last)
            #expect(end.messages.contains("Interrupted."))
            guard !json.isEmpty else {
                #expect(last == "Stopped after position 31: the totals are those up to it.")
                continue
            }
            let totals = try Line(last)
            #expect(try totals.integer("stoppedAfter") == 31)
            let expected = try await bench.object("replay", Self.walk, "--until", "32")
            #expect(try expected.integer("head") == 31)
            #expect(try totals.text("digest") == expected.text("digest"))
        }
    }

    @Test("is stopped while it waits for an answer, and in a loop")
    func stoppedWaiting() async throws {
        let asking = try bench.start(["replay", Self.totals, "--step", "--all"])
        _ = try await asking.line { $0.contains("head: none -> 0") }
        asking.signal(SIGINT)
        let end = await asking.end
        #expect(end.status == -SIGINT)
        #expect(end.lines.last?.hasPrefix("Stopped after position 0:") == true, "\(end.text)")

        let looping = try bench.start(["replay", Self.totals, "--loop", "--json"])
        _ = try await looping.line { $0.hasPrefix(#"{"events":22,"#) }
        _ = try await looping.line { $0.hasPrefix(#"{"events":22,"#) }
        looping.signal(SIGINT)
        let loops = await looping.end
        #expect(loops.status == -SIGINT)
        for line in loops.lines { _ = try Line(line) }
    }

    @Test("of what a recorder recorded shows its events and comes to its state and its session")
    func recorded() async throws {
        let own = try await bench.expect("record", "--simulate", "--for", "3s", "--json")
        let lines = try own.lines.map { try Line($0) }
        let end = try #require(lines.last)
        let steps = try await bench.run("replay", "store", "--step", "--digests", "--json").lines
        let replayed = try steps.dropLast().map { try Line($0) }
        let first = try lines.first { $0.fields["kind"] != nil }?.integer("position") ?? 0
        // Each event at its own position, as it was recorded.
        let recorded = lines.filter { $0.fields["kind"] != nil }
        #expect(recorded.count > 5)
        for (event, step) in zip(recorded, replayed.dropFirst(first)) {
            #expect(NSDictionary(dictionary: event.fields) == step.fields["event"] as? NSDictionary)
        }
        // What came after the last line that was told is the end of the recording.
        #expect(try replayed.contains { try $0.text("digest") == end.text("digest") })
        let session = try end.object("session")
        let position = try session.integer("position")
        let again = try await bench.object("replay", "session:\(position)")
        for (name, value) in session.fields where name != "state" {
            let other = try #require(again.fields[name] as? NSObject, "\(name)")
            #expect(other == value as? NSObject, "\(name)")
        }
    }
}
