import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("pulselog import of Bluetooth captures")
struct CaptureImportTests {
    let bench = Workbench()

    /// A heart rate on each line.
    private func values(_ name: String, _ rates: [Int]) throws -> String {
        try bench.file(name, rates.map { "[0, \($0)]\n" }.joined())
    }

    /// A capture of two heart rates.
    private func capture() throws -> String {
        try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
    }

    /// Imports files of values, which say no time.
    @discardableResult
    private func importLines(_ arguments: String...) async throws -> RunningProgram.End {
        let options = ["--as", "lines", "--begin", "1970-01-01T00:00:00Z"]
        return try await bench.expect(["import"] + arguments + options)
    }

    @Test("records the session that replay shows, with the same figures")
    func session() async throws {
        let path = try capture()
        try await bench.expect("import", path, says: "2 heart rates, 2026-02-11")
        let before = try await bench.object("replay", path).objects("sessions")[0].fields
        let session = try await bench.object("sessions")
        let after = session.fields
        #expect(after["source"] as? Int == 1 && before.count == after.count)
        // The positions in the heart rate are others.
        let others = ["position", "source", "heartRate"]
        for (name, value) in before where !others.contains(name) {
            #expect((value as? NSObject) == (after[name] as? NSObject), "\(name)")
        }
        let rates = try session.object("heartRate")
        #expect(try rates.integer("samples") == 2 && rates.integer("sum") == 145)
        try await bench.expect("sessions", says: "(import 1)")
    }

    @Test("is replayed up to a time of its own, and from one")
    func times() async throws {
        let path = try values("a.txt", [70, 71, 72, 73, 74])
        let imported = try Line(await importLines(path, "--json").text)
        let session = "session:\(try imported.integer("session"))"
        for time in ["00:00:03", "1970-01-01T00:00:03Z"] {
            let until = try await bench.object("replay", session, "--until", time)
            #expect(try until.object("heartRate").integer("samples") == 3, "\(until)")
            let from = try await bench.run("replay", session, "--from", time, "--events")
            #expect(from.text.contains("72 BPM") && !from.text.contains("71 BPM"), "\(from.text)")
        }
    }

    @Test("refuses times of which date or zone is not known, and takes them from options")
    func gaps() async throws {
        let value = " 00002a37-0000-1000-8000-00805f9b34fb: b'\\x16<\\x84\\x03'\n"
        let local = try bench.file("local.log", "2026-03-01 00:30:00,250" + value)
        let timed = try bench.file("timed.log", "00:30:00.250" + value)
        for (path, words) in [(local, "--zone +01:00"), (timed, "--begin 2026-03-01T09:00")] {
            try await bench.expect("import", path, status: 65, says: words)
            try await bench.expect("replay", path, warns: words)
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
        for options in [[], ["--as", "lines"]] {
            let end = try await bench.expect(
                ["replay", path] + options, status: 65, says: "intervals between heart beats")
            #expect(!end.messages.contains("--as"))
        }
    }

    @Test("records a file once, whatever its name")
    func once() async throws {
        let path = try values("a.txt", [70, 71])
        let copy = try values("b.txt", [70, 71])
        let other = try values("c.txt", [70, 72])
        try await importLines(path)
        let events = try await bench.output("log", "cat", "--json")
        for path in [path, copy] {
            let again = try await importLines(path)
            #expect(again.text.contains("already imported, as session"))
            #expect(try await bench.output("log", "cat", "--json") == events)
        }
        let both = try await importLines(copy, other)
        #expect(both.lines.count == 3, "\(both.messages)")
        #expect(try await bench.objects("sessions").map { try $0.integer("source") } == [1, 2])
    }

    @Test("records a capture once, whatever its form")
    func otherForm() async throws {
        try await bench.expect("import", capture())
        func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
        /// The same packets in a file of libpcap, so many milliseconds later.
        func pcap(after milliseconds: Int) -> [UInt8] {
            var file = big(0xA1B2_C3D4) + [0, 2, 0, 4] + big(0) + big(0) + big(65_535) + big(201)
            for (index, packet) in CaptureReplayTests.packets(isDiscovered: true).enumerated() {
                let time = 1_770_778_472_251_392 + index * 1_048_576 + milliseconds * 1_000
                let packet = big(1) + bytes(packet)
                file += big(time / 1_000_000) + big(time % 1_000_000)
                file += big(packet.count) + big(packet.count) + packet
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
        let capture = ReplayCase("one-minute").capture
        try await bench.playing("--capture", capture, "--speed", "30") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(5)
            try await importLines(path)
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
        try await bench.expect("import", capture())
        let events = try bench.file("log.jsonl", try await bench.output("export"))
        let copy = "\(bench.folder)/copy"
        try await bench.expect("import", events, "--store", copy)
        let digests = try await bench.output("replay", "store", "--digests")
        #expect(try await bench.output("replay", "store", "--digests", "--store", copy) == digests)
        try await bench.expect("log", "rebuild")
    }

    @Test("reads a pipe, whose format it finds by itself")
    func pipe() async throws {
        let path = try capture()
        let end = try await bench.shell("\"$0\" import - < '\(path)'").end
        #expect(end.status == 0 && end.text.contains("2 heart rates"), "\(end.messages)")
        try await bench.expect("import", path, says: "already imported")
    }
}
