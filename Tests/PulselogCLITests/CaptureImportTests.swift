import Foundation
import TestSupport
import Testing

@Suite("pulselog import of Bluetooth captures")
struct CaptureImportTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A heart rate on each line.
    private func values(_ name: String, _ rates: [Int]) throws -> String {
        try bench.file(name, Array(rates.map { "[0, \($0)]\n" }.joined().utf8))
    }

    /// The sessions of the store.
    private func sessions() async throws -> [Line] {
        let lines = try await bench.run("sessions", "--json").lines
        return try lines.map { try Line($0) }
    }

    @Test("records the session that replay shows, with the same figures")
    func session() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        let end = try await bench.run("import", path)
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.text.contains("2 heart rates, 2026-02-11"))
        let replayed = try Line(await bench.run("replay", path, "--json").text)
        let before = try #require(try replayed.objects("sessions").first).fields
        let after = try #require(try await sessions().first).fields
        #expect(after["source"] as? Int == 1 && before.count == after.count)
        let places = ["position", "source"]
        for (name, value) in before where !places.contains(name) {
            // The positions in it are others.
            if name == "heartRate" { continue }
            #expect((value as? NSObject) == (after[name] as? NSObject), "\(name)")
        }
        let rates = try Line(await bench.run("sessions", "--json").text).object("heartRate")
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
            let end = try await bench.run("import", path)
            #expect(end.status == 65 && end.messages.contains(words), "\(end.messages)")
            let shown = try await bench.run("replay", path)
            #expect(shown.status == 0 && shown.messages.contains(words), "\(shown.messages)")
        }
        for zone in ["+01:00", "Europe/Berlin"] {
            let end = try await bench.run(
                "import", local, "--zone", zone, "--store", "\(bench.folder)/\(zone.count)")
            #expect(end.text.contains("2026-02-28 23:30:00"), "\(end.text)\(end.messages)")
        }
        let end = try await bench.run("import", timed, "--begin", "2026-03-01T00:00+01:00")
        #expect(end.text.contains("2026-02-28 23:30:00"), "\(end.text)\(end.messages)")
        #expect(try await bench.run("import", timed, "--zone", "Nowhere/City").status == 64)
    }

    @Test("refuses intervals between beats in a replay, as lines too, and names the import")
    func intervals() async throws {
        let path = try bench.file("rr.txt", Array("1666\n1660\n1671\n1659\n".utf8))
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
        #expect(
            try await bench.run("import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
                .status == 0)
        let events = try await bench.output("log", "cat", "--json")
        for path in [path, copy] {
            let again = try await bench.run(
                "import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
            #expect(again.status == 0 && again.text.contains("already imported, as session"))
            #expect(try await bench.output("log", "cat", "--json") == events)
        }
        let both = try await bench.run(
            "import", copy, other, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
        #expect(both.status == 0 && both.lines.count == 3, "\(both.messages)")
        #expect(try await sessions().map { try $0.integer("source") } == [1, 2])
    }

    @Test("records a capture once, whatever its form")
    func otherForm() async throws {
        let bytes = CaptureReplayTests.btsnoop(isDiscovered: true)
        let path = try bench.file("walk.btsnoop", bytes)
        #expect(try await bench.run("import", path).status == 0)
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
        let again = try await bench.run("import", try bench.file("a.pcap", pcap(after: 0)))
        #expect(again.text.contains("already imported, as session"), "\(again.messages)")
        let later = try await bench.run("import", try bench.file("b.pcap", pcap(after: 5_000)))
        #expect(later.text.contains("2 heart rates"), "\(later.text)\(later.messages)")
        #expect(try await sessions().count == 2)
    }

    @Test("records it once if several processes import it at the same time")
    func atOnce() async throws {
        let path = try values("a.txt", Array(60..<160))
        let programs = try (0..<4).map { _ in
            try bench.start(["import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z"])
        }
        var texts: [String] = []
        for program in programs {
            let end = await program.end
            #expect(end.status == 0, "\(end.messages)")
            texts.append(end.text)
        }
        #expect(texts.count { $0.contains("100 heart rates") } == 1)
        #expect(texts.count { $0.contains("already imported") } == 3)
        #expect(try await bench.run("log", "verify").status == 0)
    }

    @Test("changes nothing of the walk that is being recorded")
    func live() async throws {
        let path = try values("a.txt", [70, 71])
        let capture = RecordTests.capture("one-minute")
        try await bench.playing("--capture", capture, "--speed", "30") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(5)
            let end = try await bench.run(
                "import", path, "--as", "lines", "--begin", "1970-01-01T00:00:00Z")
            #expect(end.status == 0, "\(end.messages)")
            // Those of the import are not told.
            try await record.waitForHeartRates(70)
            _ = try await bench.output("stop")
            #expect(await record.end.status == 0)
        }
        let sessions = try await sessions()
        #expect(try sessions.map { try $0.integer("source") }.sorted() == [0, 1])
        for session in sessions {
            let samples = try session.object("heartRate").integer("samples")
            #expect(try samples == (session.integer("source") == 0 ? 75 : 2))
        }
        #expect(try await bench.run("status").text.contains("imported") == false)
        #expect(try await bench.run("audit", "check").status == 0)
    }

    @Test("gives the same digest at every position where the log is exported to")
    func exported() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        #expect(try await bench.run("import", path).status == 0)
        let events = try bench.file("log.jsonl", try await bench.output("export"))
        let copy = "\(bench.folder)/copy"
        let end = try await bench.run("import", events, "--store", copy)
        #expect(end.status == 0, "\(end.messages)")
        let digests = try await bench.output("replay", "store", "--digests")
        #expect(try await bench.output("replay", "store", "--digests", "--store", copy) == digests)
        #expect(try await bench.run("log", "rebuild").status == 0)
    }

    @Test("makes no store for a file without a value, and says what is missing")
    func nothing() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: false))
        let end = try await bench.run("import", path)
        #expect(end.status == 65)
        #expect(end.messages.contains("--handle 0x10=2a37"), "\(end.messages)")
        #expect(try await bench.run("import", "\(bench.folder)/none", "--as", "pcap").status == 66)
        #expect(try await bench.run("status").status == 66)
        let given = try await bench.run("import", path, "--handle", "0x10=2a37")
        #expect(given.status == 0 && given.text.contains("2 heart rates"), "\(given.messages)")
    }

    @Test("imports a cut capture as far as it goes, and says that it is a part")
    func cut() async throws {
        let whole = CaptureReplayTests.btsnoop(isDiscovered: true)
        let path = try bench.file("cut.btsnoop", Array(whole.dropLast(3)))
        let end = try await bench.run("import", path, "--json")
        #expect(end.status == 65)
        #expect(end.messages.contains("in part: byte"), "\(end.messages)")
        let line = try Line(end.text)
        #expect(try line.integer("heartRates") == 1 && line.flag("partial"))
    }

    @Test("reads a pipe, whose format it finds by itself")
    func pipe() async throws {
        let path = try bench.file("walk.btsnoop", CaptureReplayTests.btsnoop(isDiscovered: true))
        let program = "'\(RunningProgram.builtPrograms)/pulselog'"
        let piped = try RunningProgram(
            "/bin/sh", ["-c", "\(program) import - < '\(path)'"],
            environment: bench.environment())
        let end = await piped.end
        #expect(end.status == 0 && end.text.contains("2 heart rates"), "\(end.messages)")
        let again = try await bench.run("import", path)
        #expect(again.text.contains("already imported"))
    }

    @Test("names a file that is none", arguments: CaptureReplayTests.strangers)
    func named(_ stranger: (name: String, bytes: [UInt8], words: String)) async throws {
        let path = try bench.file(stranger.name, stranger.bytes)
        let end = try await bench.run("import", path)
        #expect([64, 65].contains(end.status) && end.output.isEmpty)
        // These look like health stores or archives, of which other sentences tell.
        let isPerhapsStore = ["sqlite", "gzip", "zip", "noise"].contains(stranger.name)
        #expect(end.messages.contains(stranger.words) || isPerhapsStore, "\(end.messages)")
        #expect(end.messages.contains("UTF-8") == false, "\(end.messages)")
    }
}
