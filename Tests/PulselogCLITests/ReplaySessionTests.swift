import Foundation
import TestSupport
import Testing

/// `replay session:P` and `sessions show P` tell one session by one path.
@Suite("A session that is looked back at")
struct ReplaySessionTests {
    let bench = Workbench()

    /// Expects the same bytes of both commands, for each session, as text and as JSON.
    private func expectSameBytes() async throws {
        for session in try await bench.objects("sessions", "list") {
            let session = try session.integer("position")
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
        try await bench.load(ReplayCase("ordinary-walk").lines[..<150])
        try await expectSameBytes()
        let text = try await bench.run("sessions", "show").text
        #expect(text.hasPrefix("Session 17, 2026-03-01 10:00:00 +01:00 (running, as of 10:01:34)"))
    }

    @Test("is told in the zone in which it began, wherever the walker went afterwards")
    func zones() async throws {
        let lines = try ReplayCase("ordinary-walk").lines
        try await bench.load(lines + [lines[2].setting("zoneOffsetMinutes", to: -300)])
        try await expectSameBytes()
        let list = try await bench.run("sessions").lines
        #expect(list.count == 4)
        #expect(list[1].contains("Sun  1 Mar 10:00 "), "\(list)")
    }

    @Test("tells what another rule changes in it, and nothing of other sessions")
    func whatIf() async throws {
        try await bench.load("drop-outside-grace")
        let position = try await bench.object("sessions", "list").integer("position")
        let line = try await bench.object(
            "replay", "session:\(position)", "--what-if", "graceMilliseconds=5000")
        #expect(try line.integer("position") == position)
        let held = try line.object("whatIf").object("accounting").integer("heldMilliseconds")
        #expect(held == 5_000)
        #expect(try line.objects("differences").count == 2)
    }

    @Test("is folded with what stands before it: the digests are those of the whole log")
    func digests() async throws {
        try await bench.load("ordinary-walk")
        let all = try await bench.run("replay", "store", "--digests").lines
        let session = try await bench.run("replay", "session:17", "--digests").lines
        #expect(session.first == all[17])
        #expect(Array(session.prefix(248)) == Array(all[17..<265]))
    }
}
