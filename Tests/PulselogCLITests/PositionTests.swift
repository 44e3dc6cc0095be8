import Foundation
import Sensors
import TestSupport
import Testing

@Suite("Positions", .timeLimit(.minutes(5)))
struct PositionTests {
    let bench = Workbench()

    /// Lets FakeGpsd play, and ends it after `body`, however that ends.
    private func playing(
        _ arguments: [String] = [], body: (_ port: Int) async throws -> Void
    ) async throws {
        let program = try RunningProgram(
            RunningProgram.builtPrograms + "/FakeGpsd", arguments,
            environment: bench.environment())
        let ready = try await program.line { $0.contains(#""ready":true"#) }
        defer { program.signal(SIGTERM) }
        try await body(try Line(ready.text).integer("port"))
    }

    private static let isFix: @Sendable (String) -> Bool = {
        $0.contains(#""kind":"positionFixed""#)
    }

    /// The fixes of a recording's lines, of the log or of an output.
    private func fixes(_ lines: [String]) throws -> [Line] {
        try lines.filter(Self.isFix).map { try Line($0) }
    }

    @Test("of a moving receiver are recorded once each, and are the walk's distance and track")
    func moving() async throws {
        try await playing(["--interval", "250"]) { port in
            // As this machine's gpsd, unasked.
            let variables = ["PULSELOG_GPSD": "localhost:\(port)"]
            let record = try bench.start(["record", "--json"], variables)
            for _ in 0..<12 { try await record.line(where: Self.isFix) }
            let status = try await bench.object("status")
            let gps = try status.object("gps")
            #expect(try gps.text("quality") == "good")
            #expect(try gps.integer("satellites") == 9)
            #expect((481_400_000...481_600_000).contains(try gps.integer("latitudeE7")))
            #expect((115_800_000...116_000_000).contains(try gps.integer("longitudeE7")))
            #expect(try await bench.run("status").text.contains("GPS      good, 9 satellites"))
            let end = try await bench.stop(record)
            let fixes = try fixes(end.lines)
            let times = try fixes.map { try $0.integer("fixedAtMilliseconds") }
            #expect(times.count >= 12)
            #expect(times == Array(Set(times)).sorted(), "one fix for each time, in order")
            // The fullest of the two reports.
            #expect(try fixes.allSatisfy { try $0.integer("accuracyMillimetres") == 5_000 })
            #expect(try fixes.allSatisfy { try $0.integer("altitudeMillimetres") == 515_000 })
            #expect(try fixes.allSatisfy { try $0.integer("speedMillimetresPerSecond") == 1_400 })
            #expect(!fixes.contains { $0.flag("simulated") })
            let session = try await bench.object("sessions", "show", "last")
            #expect(try session.text("distanceSource") == "position")
            // By its speed of 1.4 m/s, and at most 1.4 m from each to the next.
            let distance = try session.integer("distanceMillimetres")
            #expect((1_400...1_400 * fixes.count).contains(distance))
            let replayed = try await bench.output("replay", "store", "--json")
            let digest = try Line(try #require(end.lines.last)).text("digest")
            #expect(String(decoding: replayed, as: UTF8.self).contains(digest))
        }
    }

    @Test("of a file that a logger writes are recorded as it grows")
    func file() async throws {
        func point(_ index: Int) -> String {
            // Each has a time of its own, of whole seconds.
            let moment = Date.now.addingTimeInterval(TimeInterval(2 + index))
            let time = ISO8601DateFormatter().string(from: moment)
            let latitude = "48.137\(100 + index)"
            return #"<trkpt lat="\#(latitude)" lon="11.5"><time>\#(time)</time></trkpt>"#
        }
        let old = #"<trkpt lat="1" lon="1"><time>2026-03-01T09:00:00Z</time></trkpt>"#
        let path = try bench.file("walk.gpx", "<gpx><trk><trkseg>\(old)")
        let record = try bench.start(["record", "--json", "--position", path])
        try await record.event("sessionStarted")
        for index in 0..<2 {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(point(index).utf8))
            try file.close()
            try await record.line(where: Self.isFix)
        }
        record.signal(SIGINT)
        let latitudes = try fixes(await record.end.lines).map { try $0.integer("latitudeE7") }
        #expect(latitudes == [481_371_000, 481_371_010])
    }

    @Test("of a made-up walk are not looked for, unless that is asked for")
    func simulated() async throws {
        try await playing(["--interval", "100"]) { port in
            let variables = ["PULSELOG_GPSD": "127.0.0.1:\(port)"]
            let unasked = try await bench.run(
                "record", "--simulate", "--json", "--for", "2s", variables: variables)
            #expect(try fixes(unasked.lines).isEmpty)
            let asked = try await bench.run(
                "record", "--simulate", "--json", "--for", "3s", "--position", "gpsd",
                variables: variables)
            let fixes = try fixes(asked.lines)
            #expect(!fixes.isEmpty && fixes.allSatisfy { $0.flag("simulated") })
        }
    }

    static let sources: [(String, PositionSource?)] = [
        ("gpsd", .gpsd), ("none", PositionSource.none), ("walk.gpx", .file("walk.gpx")),
        ("a/b:1.GPX", .file("a/b:1.GPX")),
        ("127.0.0.1:2947", .address(host: "127.0.0.1", port: 2_947)),
        ("pi.local:1", .address(host: "pi.local", port: 1)),
        ("[::1]:65535", .address(host: "::1", port: 65_535)),
        ("", nil), ("pi.local", nil), (":2947", nil), ("pi:0", nil), ("pi:65536", nil),
        ("pi:2947x", nil), ("::1:2947", nil), ("[]:1", nil), ("walk.fit", nil),
        ("http://pi:2947", nil),
    ]

    @Test("come from where the option says, which is refused if it says nothing")
    func options() async throws {
        for (text, expected) in Self.sources {
            #expect(PositionSource(text) == expected, "\(text)")
        }
        try await bench.expect(
            "record", "--position", "pi.local", "--for", "1s", status: 64, says: "--position")
    }

    @Test("of a gpsd that is not there are missed only where that is asked for")
    func absent() async throws {
        let variables = ["PULSELOG_GPSD": "127.0.0.1:1"]
        let unasked = try await bench.run("record", "--for", "1s", variables: variables)
        #expect(unasked.status == 0 && !(unasked.text + unasked.messages).contains("gpsd"))
        let asked = try bench.start(["record", "--position", "gpsd"], variables)
        try await asked.line { $0.contains("gpsd at 127.0.0.1:1 cannot be reached") }
        await asked.finish()
    }
}
