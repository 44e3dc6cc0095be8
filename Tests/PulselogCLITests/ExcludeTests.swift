import TestSupport
import Testing

@Suite("pulselog sessions exclude")
struct ExcludeTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// The session of the store, as it is shown.
    private func session() async throws -> Line {
        try Line(await bench.run("sessions", "show", "--json").text)
    }

    @Test("leaves a strap out by an event, takes it in again, and is in an export of the walk")
    func exclude() async throws {
        let capture = GoldenReplayTests.Case(name: "two-straps").capture
        _ = try await bench.output("import", capture)
        let before = try await session()
        let straps = try before.objects("straps")
        #expect(straps.count == 2)
        let (own, other) = (try straps[0].integer("samples"), try straps[1].integer("samples"))
        #expect(try await bench.run("sessions", "show").text.contains("Straps     C4:"))
        let address = try straps[1].text("device")
        let end = try await bench.run("sessions", "exclude", address)
        #expect(end.text.hasPrefix("Its values are left out: \(own) samples"), "\(end.messages)")
        let without = try await session()
        #expect(try without.object("heartRate").integer("samples") == own)
        let times = try without.object("accounting")
        #expect(
            try times.integer("freshMilliseconds")
                < before.object("accounting").integer("freshMilliseconds"))
        let shown = try await bench.run("sessions", "show").text
        #expect(shown.contains("\(address): \(other) samples, left out"), "\(shown)")
        for anonymous in [[], ["--anonymous"]] {
            let path = "\(bench.folder)/walk\(anonymous.count).jsonl"
            let export = try await bench.start(["export", "last", "--out", path] + anonymous).end
            #expect(export.status == 0, "\(export.messages)")
            let replayed = try Line(await bench.run("replay", path, "--json").text)
            let walk = try replayed.objects("sessions")[0]
            #expect(try walk.object("heartRate").integer("samples") == own)
        }
        let again = try await bench.run("sessions", "exclude", address, "--json")
        #expect(again.status == 0 && again.lines.isEmpty)
        let undone = try await bench.run("sessions", "exclude", address, "last", "--undo", "--json")
        #expect(try undone.lines.last.map { try Line($0).text("kind") } == "deviceExcluded")
        #expect(try await session().object("heartRate").integer("samples") == own + other)
        #expect(try await bench.run("sessions", "exclude", "C4:00:00:00:00:77").status == 66)
        #expect(try await bench.run("sessions", "exclude", address, "strap").status == 64)
        #expect(try await bench.run("log", "verify").status == 0)
    }
}
