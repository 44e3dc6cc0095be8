import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("pulselog import of Bluetooth captures")
struct CaptureImportTests {
    let bench = Workbench()

    /// A heart rate on each line.
    private func values(_ name: String, _ rates: [Int]) throws -> String {
        try bench.file(name, Array(rates.map { "[0, \($0)]\n" }.joined().utf8))
    }

    @Test("records the session that replay shows, with the same figures")
    func session() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        try await bench.expect("import", path, says: "2 heart rates, 2026-02-11")
        let replayed = try await bench.object("replay", path)
        let before = try #require(try replayed.objects("sessions").first).fields
        let after = try #require(try await bench.objects("sessions").first).fields
        #expect(after["source"] as? Int == 1 && before.count == after.count)
        let places = ["position", "source"]
        for (name, value) in before where !places.contains(name) {
            // The positions in it are others.
            if name == "heartRate" { continue }
            #expect((value as? NSObject) == (after[name] as? NSObject), "\(name)")
        }
        let rates = try await bench.object("sessions").object("heartRate")
        #expect(try rates.integer("samples") == 2 && rates.integer("sum") == 145)
        let list = try await bench.output("sessions")
        #expect(String(decoding: list, as: UTF8.self).contains("(import 1)"))
    }

    @Test("is replayed up to a time of its own, and from one")
    func times() async throws {
        let path = try values("a.txt", [70, 71, 72, 73, 74])
        let imported = try await bench.run(
            "import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z", "--json")
        let session = try Line(imported.text).integer("session")
        for time in ["00:00:03", "1970-01-01T00:00:03Z"] {
            let until = try await bench.run(
                "replay", "session:\(session)", "--until", time, "--json")
            let rates = try Line(until.text).object("heartRate")
            #expect(try rates.integer("samples") == 3, "\(until.text)\(until.messages)")
            let from = try await bench.run(
                "replay", "session:\(session)", "--from", time, "--events")
            #expect(from.text.contains("72 BPM") && !from.text.contains("71 BPM"), "\(from.text)")
        }
    }

    @Test("refuses times of which date or zone is not known, and takes them from options")
    func gaps() async throws {
        let value = " 00002a37-0000-1000-8000-00805f9b34fb: b'\\x16<\\x84\\x03'\n"
        let local = try bench.file("local.log", Array(("2026-03-01 00:30:00,250" + value).utf8))
        let timed = try bench.file("timed.log", Array(("00:30:00.250" + value).utf8))
        for (path, words) in [(local, "--zone +01:00"), (timed, "--begin 2026-03-01T09:00")] {
            try await bench.expect("import", path, status: 65, says: words)
            let shown = try await bench.expect("replay", path)
            #expect(shown.messages.contains(words), "\(shown.messages)")
        }
        for zone in ["+01:00", "Europe/Berlin"] {
            try await bench.expect(
                "import", local, "--zone", zone, "--store", "\(bench.folder)/\(zone.count)",
                says: "2026-02-28 23:30:00")
        }
        try await bench.expect(
            "import", timed, "--begin", "2026-03-01T00:00+01:00", says: "2026-02-28 23:30:00")
        try await bench.expect("import", timed, "--zone", "Nowhere/City", status: 64)
    }

    @Test("refuses intervals between beats in a replay, as lines too, and names the import")
    func intervals() async throws {
        let path = try bench.file("rr.txt", "1666\n1660\n1671\n1659\n")
        for end in [
            try await bench.run("replay", path),
            try await bench.run("replay", path, "--as", "lines"),
        ] {
            #expect(end.status == 65 && end.messages.contains("intervals between heart beats"))
            #expect(!end.messages.contains("--as"))
        }
    }

    @Test("records a file once, whatever its name")
    func once() async throws {
        let path = try values("a.txt", [70, 71])
        let copy = try values("b.txt", [70, 71])
        let other = try values("c.txt", [70, 72])
        try await bench.expect("import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
        let events = try await bench.output("log", "cat", "--json")
        for path in [path, copy] {
            try await bench.expect(
                "import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z",
                says: "already imported, as session")
            #expect(try await bench.output("log", "cat", "--json") == events)
        }
        let both = try await bench.expect(
            "import", copy, other, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
        #expect(both.lines.count == 3, "\(both.messages)")
        #expect(try await bench.objects("sessions").map { try $0.integer("source") } == [1, 2])
    }

    @Test("records a capture once, whatever its form")
    func otherForm() async throws {
        let bytes = CaptureReplayTests.btsnoop(isDiscovered: true)
        let path = try bench.file("walk.btsnoop", bytes)
        try await bench.expect("import", path)
        func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
        /// The same packets in a file of libpcap, so many milliseconds later.
        func pcap(after milliseconds: Int) -> [UInt8] {
            var file = big(0xA1B2_C3D4) + [0, 2, 0, 4] + big(0) + big(0) + big(65_535) + big(201)
            var rest = bytes.dropFirst(16)
            while !rest.isEmpty {
                let head = Array(rest.prefix(24))
                let count = Int(head[3])
                let microseconds = head[16..<24].reduce(0) { $0 << 8 | Int($1) }
                let time = microseconds - 0x00DC_DDB3_0F2F_8000 + milliseconds * 1_000
                file += big(time / 1_000_000) + big(time % 1_000_000) + big(count + 4)
                file += big(count + 4) + big(Int(head[11]) & 1)
                file += rest.dropFirst(24).prefix(count)
                rest = rest.dropFirst(24 + count)
            }
            return file
        }
        try await bench.expect(
            "import", try bench.file("a.pcap", pcap(after: 0)), says: "already imported, as session"
        )
        try await bench.expect(
            "import", try bench.file("b.pcap", pcap(after: 5_000)), says: "2 heart rates")
        #expect(try await bench.objects("sessions").count == 2)
    }

    @Test("changes nothing of the walk that is being recorded", .slow)
    func live() async throws {
        let path = try values("a.txt", [70, 71])
        let capture = RecordTests.capture("one-minute")
        try await bench.playing("--capture", capture, "--speed", "30") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(5)
            try await bench.expect(
                "import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
            // Those of the import are not told.
            try await record.waitForHeartRates(70)
            _ = try await bench.output("stop")
            #expect(await record.end.status == 0)
        }
        let sessions = try await bench.objects("sessions")
        #expect(try sessions.map { try $0.integer("source") }.sorted() == [0, 1])
        for session in sessions {
            let samples = try session.object("heartRate").integer("samples")
            #expect(try samples == (session.integer("source") == 0 ? 75 : 2))
        }
        #expect(try await bench.run("status").text.contains("imported") == false)
        try await bench.expect("audit", "check")
    }

    @Test("gives the same digest at every position where the log is exported to")
    func exported() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        try await bench.expect("import", path)
        let events = try bench.file("log.jsonl", try await bench.output("export"))
        let copy = "\(bench.folder)/copy"
        try await bench.expect("import", events, "--store", copy)
        let digests = try await bench.output("replay", "store", "--digests")
        #expect(try await bench.output("replay", "store", "--digests", "--store", copy) == digests)
        try await bench.expect("log", "rebuild")
    }

    @Test("reads a pipe, whose format it finds by itself")
    func pipe() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        let end = try await bench.shell("\"$0\" import - < '\(path)'").end
        #expect(end.status == 0 && end.text.contains("2 heart rates"), "\(end.messages)")
        try await bench.expect("import", path, says: "already imported")
    }
}
