import Compression
import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("pulselog import of walks")
struct WalkImportTests {
    let bench = Workbench()

    /// A minute of heart rates, one a second, from a minute of 2026-03-01 on.
    private static func csv(_ minute: Int = 0, from bpm: Int = 100, steps: Int = 2) -> [UInt8] {
        var text = "time,bpm,distance_m,steps\n"
        for second in 0..<60 {
            let time = String(format: "2026-03-01T09:%02d:%02dZ", minute, second)
            text += "\(time),\(bpm + second % 5),\(second * 2),\(second * steps)\n"
        }
        return Array(text.utf8)
    }

    private static func gpx(_ minute: Int = 0, from bpm: Int = 100) -> [UInt8] {
        var text = "<gpx><trk><trkseg>"
        for second in 0..<60 {
            let time = String(format: "2026-03-01T09:%02d:%02dZ", minute, second)
            text += "<trkpt lat=\"48.\(1_000 + second)\" lon=\"11\"><time>\(time)</time>"
            text += "<extensions><hr>\(bpm + second % 3 + 1)</hr></extensions></trkpt>"
        }
        return Array((text + "</trkseg></trk></gpx>").utf8)
    }

    /// A zip archive of stored files.
    static func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(number >> (8 * $0) & 255) }
        }
        var (archive, list): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            var checksum = CRC32()
            checksum.take(bytes)
            let fields =
                little(20, 2) + little(0, 8) + little(Int(checksum.value), 4)
                + little(bytes.count, 4) + little(bytes.count, 4) + little(name.utf8.count, 2)
                + little(0, 2)
            list += [0x50, 0x4B, 1, 2] + little(20, 2) + fields + little(0, 10)
            list += little(archive.count, 4) + Array(name.utf8)
            archive += [0x50, 0x4B, 3, 4] + fields + Array(name.utf8) + bytes
        }
        return archive + list + [0x50, 0x4B, 5, 6] + little(0, 4) + little(files.count, 2)
            + little(files.count, 2) + little(list.count, 4) + little(archive.count, 4)
            + little(0, 2)
    }

    @Test("refuses what was exported of a simulated walk", arguments: ["fit", "tcx", "gpx"])
    func simulated(_ format: String) async throws {
        var lines = try ReplayCase("track").bytes(of: "capture.jsonl")
        lines = Array(
            String(decoding: lines, as: UTF8.self)
                .replacing("\"simulated\":false", with: "\"simulated\":true").utf8)
        let other = Workbench()
        _ = try await other.output("import", try other.file("log.jsonl", lines))
        let path = "\(bench.folder)/walk.\(format)"
        try await other.expect("export", "last", "--format", format, "--out", path)
        try await bench.expect("import", path, status: 65, says: "nobody walked this")
        #expect(try await bench.objects("sessions").isEmpty)
    }

    @Test("records a session of what the file says, once")
    func once() async throws {
        let path = try bench.file("walk.csv", Self.csv())
        try await bench.expect("import", path, says: "60 heart rates")
        let session = try #require(try await bench.objects("sessions").first)
        #expect(try session.integer("source") == 1)
        #expect(try session.object("heartRate").integer("samples") == 60)
        #expect(try session.object("steps").integer("session") == 118)
        #expect(try session.integer("distanceMillimetres") == 118_000)
        let packed = try bench.file("b.csv.gz", try #require(Gzip.compressed(Self.csv())))
        for again in [path, packed] {
            try await bench.expect("import", again, says: "already imported, as session")
        }
        #expect(try await bench.objects("sessions").count == 1)
        // As a spreadsheet saves it.
        let saved = try bench.file("saved.csv", [0xEF, 0xBB, 0xBF] + Self.csv())
        try await bench.expect("import", saved, says: "already imported")
        #expect(try await bench.run("steps", "--json").text.contains("118") == false)
    }

    @Test("names a likely copy in another format, and imports it only if that is wanted")
    func copies() async throws {
        let first = try bench.file("a.csv", Self.csv())
        let copy = try bench.file("b.gpx", Self.gpx())
        let other = try bench.file("c.gpx", Self.gpx(0, from: 120))
        let later = try bench.file("d.gpx", Self.gpx(5))
        try await bench.expect(
            "import", first, copy, other, later, says: "like a copy of session", "3 walks imported")
        #expect(try await bench.objects("sessions").count == 3)
        try await bench.expect("import", copy, "--anyway", says: "They are session")
        #expect(try await bench.objects("sessions").count == 4)
    }

    @Test("goes through folders and archives in them, and counts what is no walk")
    func folder() async throws {
        let folder = bench.folder + "/archive"
        for name in ["activities", ".hidden"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        let packed = try #require(Gzip.compressed(Self.gpx(10)))
        let inner = Self.zip([("walks/c.gpx", Self.gpx(20)), ("photo.jpg", [0xFF, 0xD8, 0xFF])])
        let files: [(String, [UInt8])] = [
            ("activities/a.csv", Self.csv()), ("activities/b.gpx.gz", packed),
            ("activities/notes.txt", Array("nothing\n".utf8)), (".hidden/d.gpx", Self.gpx(30)),
            ("activities/.e.gpx", Self.gpx(40)), ("activities/page.html", Array("<html>".utf8)),
            ("more.zip", Self.zip([("inner.zip", inner), ("../../f.gpx", Self.gpx(50))])),
        ]
        for (name, bytes) in files { _ = try bench.file("archive/" + name, bytes) }
        let dry = try await bench.expect("import", folder, "--dry-run", "--json")
        #expect(!FileManager.default.fileExists(atPath: bench.store))
        let end = try await bench.expect("import", folder, "--json")
        for lines in [dry.lines, end.lines] {
            let summary = try Line(try #require(lines.last)).object("summary")
            #expect(try summary.integer("walks") == 4 && summary.integer("noWalk") == 3)
            #expect(lines.count == 5)
        }
        #expect(try await bench.objects("sessions").count == 4)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/f.gpx"))
        try await bench.expect("import", folder, says: "0 walks imported", "4 files")
        // What is said by hand is not for every file.
        _ = try bench.file("archive/0.xml", "<HealthData></HealthData>")
        let zoned = try await bench.expect("import", folder, "--zone", "+01:00", status: 65)
        #expect(zoned.text.contains("4 files"), "\(zoned.text)")
        try await bench.expect("import", folder + "/activities/notes.txt", status: 65)
    }

    @Test("imports what is whole if one of several files is not, and ends with 65")
    func damaged() async throws {
        let cut = try bench.file("a.gpx", Array(Self.gpx(10).prefix(2_000)))
        let none = try bench.file("b.gpx", "<gpx></gpx>")
        let whole = try bench.file("c.csv", Self.csv())
        let end = try await bench.expect(
            "import", cut, none, whole, bench.folder + "/missing", status: 66,
            says: "ends too early", "no walk")
        #expect(end.text.contains("2 walks imported"), "\(end.text)")
        #expect(try await bench.objects("sessions").count == 2)
        try await bench.expect("import", cut, status: 65)
        var archive = Self.zip([("a.csv", Self.csv(40))])
        archive[60] ^= 1
        let damaged = try await bench.expect("import", try bench.file("d.zip", archive), status: 65)
        #expect(damaged.text.contains("checksum"), "\(damaged.text)")
    }

    @Test("refuses archives that mean harm, with a sentence", .slow)
    func bombs() async throws {
        let zeros = try #require(
            Gzip.compressed(
                Array("time,bpm\n".utf8) + [UInt8](repeating: 0x0A, count: 40 << 20)))
        let deep = Self.zip([("b.zip", Self.zip([("c.zip", Self.zip([("d.gpx", Self.gpx())]))]))])
        var overlapping = Self.zip([("a.gpx", Self.gpx()), ("b.gpx", Self.gpx())])
        let size = overlapping.count
        overlapping.replaceSubrange(
            (size - 22 - 51 + 20)..<(size - 22 - 51 + 24), with: [0xFF, 0xFF, 0x0F, 0])
        for (name, bytes, words) in [
            ("zeros.gz", zeros, "far more comes out"), ("deep.zip", deep, "too many archives"),
            ("overlapping.zip", overlapping, "lie over each other"),
            ("cut.zip", Array(overlapping.dropLast(4)), "it has no list of its files"),
        ] {
            let end = try await bench.expect("import", try bench.file(name, bytes), status: 65)
            #expect((end.messages + end.text).contains(words), "\(end.messages)\(end.text)")
        }
        #expect(try await bench.objects("sessions").isEmpty)
    }

    @Test("records it once if several processes import it at the same time")
    func atOnce() async throws {
        let path = try bench.file("a.csv", Self.csv())
        let programs = try (0..<4).map { _ in try bench.start(["import", path]) }
        var texts: [String] = []
        for program in programs {
            let end = await program.end
            #expect(end.status == 0, "\(end.messages)")
            texts.append(end.text)
        }
        #expect(texts.count { $0.contains("They are session") } == 1, "\(texts)")
        #expect(try await bench.objects("sessions").count == 1)
    }

    @Test("takes the times that a list of intervals does not say from options, also from a pipe")
    func intervals() async throws {
        let path = try bench.file("rr.txt", "800\n810\n790\n805\n")
        try await bench.expect("import", path, status: 65, says: "--begin 2026")
        #expect(!FileManager.default.fileExists(atPath: bench.store))
        let given = try await bench.shell(
            "\"$0\" import - --begin 2026-03-01T10:00+01:00 < '\(path)'"
        ).end
        #expect(given.status == 0 && given.text.contains("2026-03-01 10:00:00"), "\(given)")
        #expect(try await bench.objects("sessions").first?.object("rr").integer("count") == 4)
    }
}
