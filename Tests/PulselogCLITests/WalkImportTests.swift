import Compression
import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("pulselog import of walks")
struct WalkImportTests {
    let bench = Workbench()

    @Test("refuses what was exported of a simulated walk", arguments: ["fit", "tcx", "gpx"])
    func simulated(_ format: String) async throws {
        let other = Workbench()
        try await other.load(
            ReplayCase("track").lines.map {
                $0.replacing("\"simulated\":false", with: "\"simulated\":true")
            })
        let path = "\(bench.folder)/walk.\(format)"
        try await other.expect("export", "last", "--format", format, "--out", path)
        try await bench.expect("import", path, status: 65, says: "nobody walked this")
        #expect(try await bench.objects("sessions").isEmpty)
    }

    @Test("takes no more memory for more values")
    func memory() async throws {
        let text = String(repeating: "800\n", count: 600_000)
        let path = try bench.file("a.rr", Array(text.utf8))
        // In KiB; most of it is what the stacks of threads may take.
        let script = "ulimit -d 250000 && exec \"$0\" \"$@\""
        let end = try await bench.shell(script, ["import", path, "--begin", "2026-03-01T09:00"]).end
        #expect(end.text.contains("600,000 heart rates"), "\(end.messages)")
    }

    @Test("records a session of what the file says, once")
    func once() async throws {
        let path = try bench.file("walk.csv", WalkFiles.csv())
        try await bench.expect("import", path, says: "60 heart rates")
        let session = try #require(try await bench.objects("sessions").first)
        #expect(try session.integer("source") == 1)
        #expect(try session.object("heartRate").integer("samples") == 60)
        #expect(try session.object("steps").integer("session") == 118)
        #expect(try session.integer("distanceMillimetres") == 118_000)
        let packed = try bench.file("b.csv.gz", try #require(Gzip.compressed(WalkFiles.csv())))
        for again in [path, packed] {
            try await bench.expect("import", again, says: "already imported, as session")
        }
        #expect(try await bench.objects("sessions").count == 1)
        // As a spreadsheet saves it.
        let saved = try bench.file("saved.csv", [0xEF, 0xBB, 0xBF] + WalkFiles.csv())
        try await bench.expect("import", saved, says: "already imported")
        #expect(try await bench.run("steps", "--json").text.contains("118") == false)
    }

    @Test("leaves out and names what is dated after tomorrow, if that is all of a file, too")
    func strayDates() async throws {
        let row = "time,bpm\n2107-03-01T09:00:00Z,100\n"
        try await bench.expect(
            "import", bench.file("all.csv", row), status: 65,
            says: "no walk in it. Left out: values dated after tomorrow by", "2107-03-01 (1).")
        // A workout without an end is not around those that follow.
        let walks = ["2 ", "3 "].map {
            WalkFiles.workout("Walking", "03-0\($0)09:00", "03-0\($0)09:30", "+0000")
        }
        let endless = walks[0].replacing("endDate=\"2026", with: "endDate=\"2107") + walks[1]
        let health = try bench.file("export.xml", "<HealthData>\(endless)</HealthData>")
        try await bench.expect("import", health, says: "1 new walk", "2107-03-02 (1).")
    }

    @Test("names a likely copy in another format, and imports it only if that is wanted")
    func copies() async throws {
        let first = try bench.file("a.csv", WalkFiles.csv())
        let copy = try bench.file("b.gpx", WalkFiles.gpx())
        let other = try bench.file("c.gpx", WalkFiles.gpx(0, from: 120))
        let later = try bench.file("d.gpx", WalkFiles.gpx(5))
        try await bench.expect(
            "import", first, copy, other, later, says: "like a copy of session", "3 walks imported")
        #expect(try await bench.objects("sessions").count == 3)
        try await bench.expect("import", copy, "--anyway", says: "They are session")
        #expect(try await bench.objects("sessions").count == 4)
    }

    @Test("goes through folders and archives in them, and counts what is no walk")
    func folder() async throws {
        let folder = bench.folder + "/archive"
        let packed = try #require(Gzip.compressed(WalkFiles.gpx(10)))
        let inner = WalkFiles.zip([
            ("walks/c.gpx", WalkFiles.gpx(20)), ("photo.jpg", [0xFF, 0xD8, 0xFF]),
        ])
        let outside = ("../../f.gpx", WalkFiles.gpx(50))
        let files: [(String, [UInt8])] = [
            ("activities/a.csv", WalkFiles.csv()), ("activities/b.gpx.gz", packed),
            ("activities/notes.txt", Array("nothing\n".utf8)), (".hidden/d.gpx", WalkFiles.gpx(30)),
            ("activities/.e.gpx", WalkFiles.gpx(40)),
            ("activities/page.html", Array("<html>".utf8)),
            ("more.zip", WalkFiles.zip([("inner.zip", inner), outside])),
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
        let cut = try bench.file("a.gpx", Array(WalkFiles.gpx(10).prefix(2_000)))
        let none = try bench.file("b.gpx", "<gpx></gpx>")
        let whole = try bench.file("c.csv", WalkFiles.csv())
        let end = try await bench.expect(
            "import", cut, none, whole, bench.folder + "/missing", status: 66,
            says: "ends too early", "no walk")
        #expect(end.text.contains("2 walks imported"), "\(end.text)")
        #expect(try await bench.objects("sessions").count == 2)
        try await bench.expect("import", cut, status: 65)
        var archive = WalkFiles.zip([("a.csv", WalkFiles.csv(40))])
        archive[60] ^= 1
        let damaged = try await bench.expect("import", try bench.file("d.zip", archive), status: 65)
        #expect(damaged.text.contains("checksum"), "\(damaged.text)")
    }

    @Test("refuses archives that mean harm, with a sentence", .slow)
    func bombs() async throws {
        let zeros = try #require(
            Gzip.compressed(
                Array("time,bpm\n".utf8) + [UInt8](repeating: 0x0A, count: 40 << 20)))
        let deep = ["a.gpx", "b.zip", "c.zip"].reduce(WalkFiles.gpx()) { bytes, name in
            WalkFiles.zip([(name, bytes)])
        }
        var overlapping = WalkFiles.zip([("a.gpx", WalkFiles.gpx()), ("b.gpx", WalkFiles.gpx())])
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
        let path = try bench.file("a.csv", WalkFiles.csv())
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
