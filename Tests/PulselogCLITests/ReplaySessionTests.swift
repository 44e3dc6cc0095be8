import Foundation
import TestSupport
import Testing

/// `replay session:P` and `sessions show P` tell one session by one path.
@Suite("A session that is looked back at")
struct ReplaySessionTests {
    let bench = Workbench()

    /// Expects the same bytes of both commands, for each session, as text and as JSON.
    private func expectSameBytes() async throws {
        let sessions = try await bench.run("sessions", "list", "--json").lines
        for session in try sessions.map({ try Line($0).integer("position") }) {
            for json in [[], ["--json"]] {
                let show = try await bench.start(["sessions", "show", "\(session)"] + json).end
                let replay = try await bench.start(
                    ["replay", "session:\(session)"] + json, ["TZ": "Asia/Tokyo"]
                ).end
                #expect(show.status == 0 && !show.output.isEmpty)
                #expect(replay.output == show.output, "\(replay.text)\n\(show.text)")
                #expect(replay.status == 0)
            }
            try await expectWholeSeries(of: session)
        }
    }

    /// Expects each sample and each point that a session counts, and segments from end to end.
    private func expectWholeSeries(of session: Int) async throws {
        let line = try await bench.object("sessions", "show", "\(session)")
        let samples = try line.objects("samples")
        let rates = try line.object("heartRate")
        #expect(samples.count == (try rates.integer("samples")))
        #expect(try samples.reduce(0) { try $0 + $1.integer("bpm") } == rates.integer("sum"))
        let track = try line.objects("track")
        let segments = try line.objects("heatMap")
        guard !track.isEmpty else { return #expect(segments.isEmpty) }
        #expect(track.count == (try line.object("route").integer("fixes")))
        #expect(segments.first.map { try? $0.integer("firstPoint") } == 0)
        #expect(try segments.last?.integer("lastPoint") == track.count - 1)
    }

    @Test(
        "is the same bytes by `replay` and by `sessions show`",
        arguments: ReplayCase.tested)
    func ended(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        try await expectSameBytes()
    }

    @Test("is the same bytes while it is open: as of the log's last event, not of now")
    func open() async throws {
        let capture = ReplayCase("ordinary-walk")
        let lines = try capture.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        let path = try bench.file("open.jsonl", Array(lines[..<150].joined(separator: [10]) + [10]))
        _ = try await bench.output("import", path)
        try await expectSameBytes()
        let text = try await bench.run("sessions", "show").text
        #expect(text.hasPrefix("Session 17, 2026-03-01 10:00:00 +01:00 (running, as of 10:01:34)"))
    }

    @Test("is told in the zone in which it began, wherever the walker went afterwards")
    func zones() async throws {
        let capture = ReplayCase("ordinary-walk")
        let lines = try capture.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        var text = String(decoding: Data(lines.joined(separator: [10]) + [10]), as: UTF8.self)
        let moved =
            try #require(lines.last).isEmpty ? "" : String(decoding: lines[2], as: UTF8.self)
        text +=
            moved.replacing("\"position\":2,", with: "\"position\":\(lines.count),")
            .replacing("\"zoneOffsetMinutes\":60", with: "\"zoneOffsetMinutes\":-300") + "\n"
        _ = try await bench.output("import", try bench.file("moved.jsonl", text))
        try await expectSameBytes()
        let list = try await bench.run("sessions").lines
        #expect(list.count == 4)
        #expect(list[1].contains("Sun  1 Mar 10:00 "), "\(list)")
        let log = try await bench.run("log", "tail", "-n", "2", variables: ["TZ": "Asia/Tokyo"])
            .lines
        #expect(
            log.map { $0.prefix(24) }
                == [
                    "  position  time      eve", "2026-03-01 +01:00", "       265  10:02:35  re",
                    "2026-03-01 -05:00", "       266  04:00:00  re",
                ].map { $0.prefix(24) }, "\(log)")
    }

    @Test("tells what another rule changes in it, and nothing of other sessions")
    func whatIf() async throws {
        let capture = ReplayCase("drop-outside-grace")
        try await bench.load(capture.name)
        let session = try await bench.object("sessions", "list")
        let position = try session.integer("position")
        let end = try await bench.run(
            "replay", "session:\(position)", "--what-if", "graceMilliseconds=5000", "--json")
        let line = try Line(end.text)
        #expect(try line.integer("position") == position)
        let held = try line.object("whatIf").object("accounting").integer("heldMilliseconds")
        #expect(held == 5_000)
        let differences = try #require(line.fields["differences"] as? [[String: Any]])
        #expect(differences.count == 2)
    }

    @Test("is folded with what stands before it: the digests are those of the whole log")
    func digests() async throws {
        try await bench.load("ordinary-walk")
        let all = try await bench.run("replay", "store", "--digests").lines
        let session = try await bench.run("replay", "session:17", "--digests").lines
        #expect(session.first == all[17])
        #expect(Array(session.prefix(248)) == Array(all[17..<265]))
    }

    /// `--until`, and the position of the last event that is folded.
    static let limits = [
        ("100", 99), ("10:01", 138), ("10:01:00", 138), ("2026-03-01T09:01:00Z", 138),
        ("2026-03-01T10:01:00.000+01:00", 137), ("1772355660000", 137), ("23:59", 265),
    ]

    @Test("stops at a position or after a time", arguments: limits)
    func until(_ limit: String, _ last: Int) async throws {
        let capture = ReplayCase("ordinary-walk").capture
        let end = try await bench.run("replay", capture, "--until", limit, "--json")
        #expect(try Line(end.text).integer("head") == last, "\(end.text)\(end.messages)")
    }
}
