import Foundation
import Sensors
import Synchronization
import TestSupport
import Testing

@testable import PulselogCLI

@Suite("Positions", .timeLimit(.minutes(5)))
struct PositionTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

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
            let variables = ["PULSELOG_GPSD": "127.0.0.1:\(port)"]
            let record = try bench.start(["record", "--json"], variables)
            for _ in 0..<12 { try await record.line(where: Self.isFix) }
            let status = try Line(await bench.run("status", "--json").text)
            let gps = try status.object("gps")
            #expect(try gps.text("quality") == "good")
            #expect(try gps.integer("satellites") == 9)
            #expect((481_400_000...481_600_000).contains(try gps.integer("latitudeE7")))
            #expect((115_800_000...116_000_000).contains(try gps.integer("longitudeE7")))
            #expect(try await bench.run("status").text.contains("GPS      good, 9 satellites"))
            _ = try await bench.output("stop")
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
            let fixes = try fixes(end.lines)
            let times = try fixes.map { try $0.integer("fixedAtMilliseconds") }
            #expect(times.count >= 12)
            #expect(times == Array(Set(times)).sorted(), "one fix for each time, in order")
            // The fullest of the two reports.
            #expect(try fixes.allSatisfy { try $0.integer("accuracyMillimetres") == 5_000 })
            #expect(try fixes.allSatisfy { try $0.integer("altitudeMillimetres") == 515_000 })
            #expect(try fixes.allSatisfy { try $0.integer("speedMillimetresPerSecond") == 1_400 })
            #expect(!fixes.contains { $0.flag("simulated") })
            let session = try Line(await bench.run("sessions", "show", "last", "--json").text)
            #expect(try session.text("distanceSource") == "position")
            // 1.4 m from each to the next; the last stretch is still to count.
            let distance = try session.integer("distanceMillimetres")
            #expect((1_400 * (fixes.count - 6)...1_400 * fixes.count).contains(distance))
            let replayed = try await bench.output("replay", "store", "--json")
            let digest = try Line(try #require(end.lines.last)).text("digest")
            #expect(String(decoding: replayed, as: UTF8.self).contains(digest))
        }
    }

    @Test("are not taken in a pause, and again after it")
    func pause() async throws {
        try await playing(["--interval", "100"]) { port in
            let record = try bench.start(
                ["record", "--json", "--position", "127.0.0.1:\(port)"])
            for _ in 0..<5 { try await record.line(where: Self.isFix) }
            _ = try await bench.output("pause")
            try await record.line { $0.contains(#""kind":"sessionPaused""#) }
            let status = { try Line(await bench.run("status", "--json").text).object("gps") }
            // Within ten seconds the last fix is old, if no other one comes.
            while try await status().text("quality") != "none" {
                try await Task.sleep(for: .milliseconds(100))
            }
            _ = try await bench.output("resume")
            for _ in 0..<5 { try await record.line(where: Self.isFix) }
            _ = try await bench.output("stop")
            let kinds = await record.end.lines.compactMap { line -> String? in
                ["sessionPaused", "sessionResumed", "positionFixed"].first {
                    line.contains("\"kind\":\"\($0)\"")
                }
            }
            let paused = try #require(kinds.firstIndex(of: "sessionPaused"))
            let resumed = try #require(kinds.firstIndex(of: "sessionResumed"))
            // What was on its way when the pause began, of a hundred that could have come.
            #expect(resumed - paused <= 20)
        }
    }

    @Test("of a gpsd that hangs up go on when it is back, which is said")
    func hangsUp() async throws {
        let count = Mutex(0)
        let place = GpsdLines.Place(latitudeE7: 481_371_500, longitudeE7: 115_754_000)
        let server = try LoopbackServer { client in
            let number = count.withLock { count in
                count += 1
                return count
            }
            client.send(GpsdLines.version)
            _ = client.receive()
            client.send(
                GpsdLines.watched + GpsdLines.empty
                    + GpsdLines.epoch("2026-03-01T09:00:0\(number)Z", at: place))
            if number > 1 { client.waitForEnd() }
        }
        let record = try bench.start(["record", "--json", "--position", "localhost:\(server.port)"])
        // The name of this machine has an address of IPv6, too, where nobody listens.
        try await record.line(where: Self.isFix)
        try await record.message(
            containing: "gpsd at localhost:\(server.port) is gone; there are no positions.")
        try await record.line(where: Self.isFix)
        try await record.message(containing: "sends positions again.")
        record.signal(SIGINT)
        #expect(await record.end.status == 0)
    }

    @Test("a gpsd that is not there is said once if it was named, and else not at all")
    func absent() async throws {
        var server: LoopbackServer? = try LoopbackServer { _ in }
        let port = try #require(server?.port)
        server = nil
        let address = "127.0.0.1:\(port)"
        let named = try await bench.run("record", "--for", "2s", "--position", address)
        #expect(named.status == 0)
        #expect(named.text.contains("gpsd at \(address) cannot be reached: Connection refused"))
        let variables = ["PULSELOG_GPSD": address]
        let unnamed = try await bench.run("record", "--for", "2s", variables: variables)
        #expect(unnamed.status == 0)
        #expect(!unnamed.messages.contains("gpsd") && !unnamed.text.contains("gpsd"))
        let asked = try await bench.run(
            "record", "--for", "2s", "--position", "gpsd", variables: variables)
        #expect(asked.text.contains("gpsd at \(address) cannot be reached"))
    }

    @Test("what is no gpsd harms nothing, and holds up neither a recording nor its end")
    func hostile() async throws {
        let server = try LoopbackServer { client in
            client.send(GpsdLines.version + String(repeating: "x", count: 1 << 20))
            client.send(
                "\n{\"class\":\"TPV\",\"mode\":3,\"lat\":1e999,\"lon\":nan}\n[[[[[[[[[[[[[\n")
            client.waitForEnd()
        }
        let end = try await bench.run(
            "record", "--json", "--for", "3s", "--position", "127.0.0.1:\(server.port)")
        #expect(end.status == 0, "\(end.messages)")
        #expect(try fixes(end.lines).isEmpty)
        let silent = try LoopbackServer { client in client.waitForEnd() }
        let held = try bench.start(["record", "--position", "127.0.0.1:\(silent.port)"])
        try await held.line { $0.contains("The walk begins") || $0.contains("begin") }
        held.signal(SIGINT)
        #expect(await held.end.status == 0)
    }

    @Test("of a file that a logger writes are recorded as it grows")
    func file() async throws {
        func point(_ index: Int) -> String {
            let time = ISO8601DateFormatter().string(from: .now.addingTimeInterval(2))
            let latitude = "48.137\(100 + index)"
            return #"<trkpt lat="\#(latitude)" lon="11.5"><time>\#(time)</time></trkpt>"#
        }
        let old = #"<trkpt lat="1" lon="1"><time>2026-03-01T09:00:00Z</time></trkpt>"#
        let path = try bench.file("walk.gpx", Array("<gpx><trk><trkseg>\(old)".utf8))
        let record = try bench.start(["record", "--json", "--position", path])
        try await record.line { $0.contains(#""kind":"sessionStarted""#) }
        for index in 0..<2 {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(point(index).utf8))
            try file.close()
            try await record.line(where: Self.isFix)
            // Its times are whole seconds.
            try await Task.sleep(for: .milliseconds(1_100))
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
        let end = try await bench.run("record", "--position", "pi.local", "--for", "1s")
        #expect(end.status == 64)
        #expect(end.messages.contains("--position"))
    }
}
