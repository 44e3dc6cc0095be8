import TestSupport
import Testing

@Suite("pulselog import of a file of which a part is a walk, and new")
struct PartlyKnownWalksTests {
    let bench = Workbench()

    private func file(_ name: String, _ tracks: String...) throws -> String {
        try bench.file(name, "<gpx>\(tracks.joined())</gpx>")
    }

    private func starts() async throws -> [Int] {
        try await bench.objects("sessions").map {
            try Int($0.text("startedAt").dropFirst(14).prefix(2)) ?? -1
        }.sorted()
    }

    @Test("brings the walks that are new, and names the known ones")
    func several() async throws {
        let one = try file("one.gpx", WalkFiles.track(20))
        try await bench.expect("import", one)
        let tracks = [10, 20, 30].map { WalkFiles.track($0) }
        let three = try file("three.gpx", tracks.joined())
        try await bench.expect("import", three, "--dry-run", says: "It would become 2 sessions")
        try await bench.expect(
            "import", three, says: "They are the sessions",
            "Left out: what looks like a copy of session ")
        #expect(try await starts() == [10, 20, 30])
        // It is known now, and what was left out of it comes if that is wanted: once.
        try await bench.expect("import", three, says: "already imported")
        try await bench.expect("import", three, "--anyway", says: "They are session ")
        #expect(try await starts() == [10, 20, 20, 30])
        try await bench.expect("import", three, "--anyway", says: "already imported")
        #expect(try await starts() == [10, 20, 20, 30])
    }

    @Test("leaves out what was not on foot, in one sentence, unless that is wanted")
    func sports() async throws {
        let mixed = try file("a.gpx", WalkFiles.track(10), WalkFiles.track(20, type: "cycling"))
        let ride = try file("b.gpx", WalkFiles.track(30, type: "Ride"))
        let swim = try file("c.gpx", WalkFiles.track(40, type: "swimming"))
        let unknown = try file("d.gpx", WalkFiles.track(50, type: "Spaziergang"))
        try await bench.expect(
            "import", mixed, ride, swim, unknown,
            says: "2 walks imported.\n2 rides and 1 swim left out, because this is for walks; "
                + "--anyway imports them.\n")
        #expect(try await starts() == [10, 50])
        let json = try await bench.run("import", ride, "--json")
        let line = try Line(try #require(json.lines.first))
        #expect(try line.integer("notOnFoot") == 1 && json.text.contains("\"leftOut\""))
        try await bench.expect(
            "import", mixed, ride, swim, unknown, "--anyway", says: "3 walks imported")
        #expect(try await starts() == [10, 20, 30, 40, 50])
    }
}
