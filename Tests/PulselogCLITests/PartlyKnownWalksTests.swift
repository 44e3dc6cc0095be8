import TestSupport
import Testing

@Suite("pulselog import of a file of which a part is a walk, and new")
struct PartlyKnownWalksTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A track of a minute, from a minute of 2026-03-01 on.
    private static func track(_ minute: Int, _ type: String = "walking") -> String {
        var text = "<trk><type>\(type)</type><trkseg>"
        for second in 10..<60 {
            text += "<trkpt lat=\"48.\(1_000 + second)\" lon=\"11\">"
            text += "<time>2026-03-01T09:\(minute):\(second)Z</time>"
            text += "<extensions><hr>\(90 + minute + second % 3)</hr></extensions></trkpt>"
        }
        return text + "</trkseg></trk>"
    }

    private func file(_ name: String, _ tracks: String...) throws -> String {
        try bench.file(name, Array("<gpx>\(tracks.joined())</gpx>".utf8))
    }

    private func starts() async throws -> [Int] {
        try await bench.run("sessions", "--json").lines.map {
            try Int(Line($0).text("startedAt").dropFirst(14).prefix(2)) ?? -1
        }.sorted()
    }

    @Test("brings the walks that are new, and names the known ones")
    func several() async throws {
        let one = try file("one.gpx", Self.track(20))
        #expect(try await bench.run("import", one).status == 0)
        let three = try file("three.gpx", Self.track(10), Self.track(20), Self.track(30))
        let dry = try await bench.run("import", three, "--dry-run")
        #expect(dry.text.contains("It would become 2 sessions"), "\(dry.text)")
        let end = try await bench.run("import", three)
        #expect(end.status == 0 && end.text.contains("They are the sessions"), "\(end.text)")
        #expect(end.text.contains("Left out: what looks like a copy of session "), "\(end.text)")
        #expect(try await starts() == [10, 20, 30])
        // It is known now, and what was left out of it comes if that is wanted: once.
        let again = try await bench.run("import", three)
        #expect(again.text.contains("already imported"), "\(again.text)")
        let anyway = try await bench.run("import", three, "--anyway")
        #expect(anyway.text.contains("They are session "), "\(anyway.text)")
        #expect(try await starts() == [10, 20, 20, 30])
        let last = try await bench.run("import", three, "--anyway")
        #expect(last.text.contains("already imported"), "\(last.text)")
        #expect(try await starts() == [10, 20, 20, 30])
    }

    @Test("leaves out what was not on foot, in one sentence, unless that is wanted")
    func sports() async throws {
        let mixed = try file("a.gpx", Self.track(10), Self.track(20, "cycling"))
        let ride = try file("b.gpx", Self.track(30, "Ride"))
        let swim = try file("c.gpx", Self.track(40, "swimming"))
        let unknown = try file("d.gpx", Self.track(50, "Spaziergang"))
        let end = try await bench.run("import", mixed, ride, swim, unknown)
        #expect(end.status == 0, "\(end.messages)")
        #expect(
            end.text.contains(
                "2 walks imported.\n2 rides and 1 swim left out, because this is for walks; "
                    + "--anyway imports them.\n"), "\(end.text)")
        #expect(try await starts() == [10, 50])
        let json = try await bench.run("import", ride, "--json")
        let line = try Line(try #require(json.lines.first))
        #expect(try line.integer("notOnFoot") == 1 && json.text.contains("\"leftOut\""))
        let anyway = try await bench.run("import", mixed, ride, swim, unknown, "--anyway")
        #expect(anyway.status == 0 && anyway.text.contains("3 walks imported"), "\(anyway.text)")
        #expect(try await starts() == [10, 20, 30, 40, 50])
    }
}
