import Foundation
import TestSupport
import Testing

/// What files that were found, or that somebody interrupts, do to an import as a whole.
@Suite("pulselog import of what lies in folders and archives", .timeLimit(.minutes(5)))
struct FoundFilesTests {
    let bench = Workbench()

    private static func heart(_ time: String, _ bpm: Int) -> String {
        """
        <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" sourceName="W"
        startDate="2026-\(time) +0000" endDate="2026-\(time) +0000" value="\(bpm)"/>
        """
    }

    private static func walking(_ begin: String, _ end: String, _ zone: String) -> String {
        WalkFiles.workout("Walking", begin, end, zone)
    }

    private static let export = """
        <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone"
        unit="count" startDate="2026-03-01 10:00:00 +0100" endDate="2026-03-01 10:10:00 +0100"
        value="900"/>\(walking("03-01 10:00", "03-01 10:30", "+0100"))</HealthData>
        """

    private func folder(_ files: [(String, [UInt8])]) throws -> String {
        let path = try bench.folder("found")
        for (name, bytes) in files { _ = try bench.file("found/\(name)", bytes) }
        return path
    }

    @Test("counts a file without a walk once, and passes a capture without a value over")
    func withoutWalk() async throws {
        let empty = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let path = try folder([("a.csv", WalkFiles.csv()), ("empty.log", empty)])
        try await bench.expect("import", path, says: "Without a walk: 1 file:")
        let none = try bench.file("none.gpx", "<gpx></gpx>")
        let named = try await bench.expect(
            "import", none, "\(path)/a.csv", "--json", status: 65, says: "no walk")
        let summary = try Line(try #require(named.lines.last)).object("summary")
        #expect(try summary.integer("noWalk") == 1 && summary.integer("failed") == 0)
    }

    @Test("tells of a damaged health store in a folder like of any other file there")
    func damagedStore() async throws {
        let cut = Array(Self.export.utf8.dropLast(20))
        let path = try folder([("0.xml", cut), ("a.csv", WalkFiles.csv())])
        let end = try await bench.expect(
            "import", path, status: 65, says: "Some files could not be read")
        #expect(end.text.contains("in part"), "\(end.text)")
        #expect(try await bench.run("steps", "--day", "2026-03-01").text.contains("900"))
        let named = try await bench.expect(
            "import", path + "/0.xml", "--json", status: 65, says: "in part", "ends too early")
        #expect(try Line(named.text).flag("partial"))
    }

    @Test("takes an archive for what it was said to be")
    func archiveAs() async throws {
        let archive = WalkFiles.zip([
            ("apple_health_export/export.xml", Array(Self.export.utf8)), ("a.csv", WalkFiles.csv()),
        ])
        let path = try bench.file("export.zip", archive)
        try await bench.expect(
            "import", "--as", "apple-health", path, says: "1 new walk, as import 1")
        #expect(try await bench.objects("sessions").count == 1)
        let walks = try await bench.run("import", "--as", "csv", path)
        #expect(walks.text.contains("1 walk imported"), "\(walks)")
    }

    @Test("goes on with the next workout where one is known by its heart rates")
    func knownHeartRates() async throws {
        // The same heart rates in a walk that took longer.
        let rows = (0..<3).map { "2026-03-01T09:0\($0):00Z,\(101 + $0),\($0 * 2)\n" }
        let csv = "time,bpm,steps\n\(rows.joined())2026-03-01T12:00:00Z,,9\n"
        _ = try await bench.output("import", bench.file("a.csv", csv))
        let hearts = (0..<3).map { Self.heart("03-01 09:0\($0):00", 101 + $0) }.joined()
        let other = Self.heart("06-01 09:05:00", 95)
        let path = try bench.file(
            "export.xml",
            """
            <HealthData>\(hearts)\(other)\(Self.walking("03-01 10:00", "03-01 10:30", "+0100"))
            \(Self.walking("06-01 11:00", "06-01 11:30", "+0200"))</HealthData>
            """)
        try await bench.expect("import", path, says: "1 new walk")
        #expect(try await bench.objects("sessions").count == 2)
    }

    @Test("keeps nothing in TMPDIR after it was killed")
    func killed() async throws {
        let kept = try bench.folder("kept")
        let slow = "\(bench.folder)/slow.zip"
        try #require(mkfifo(slow, 0o600) == 0)
        let run = try bench.start(["import", slow], ["TMPDIR": kept])
        let pipe = open(slow, O_WRONLY)
        defer { close(pipe) }
        // When it is written, the program has read far more than what tells the format.
        let part =
            WalkFiles.zip([("a.csv", WalkFiles.csv())]) + [UInt8](repeating: 0, count: 1 << 20)
        try FileHandle(fileDescriptor: pipe).write(contentsOf: Data(part))
        let files = try bench.names(in: "/proc/\(run.processID)/fd")
        #expect(
            files.contains { file in
                let link = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(run.processID)/fd/\(file)")
                return link?.hasPrefix(kept) ?? false
            })
        run.signal(SIGKILL)
        _ = await run.end
        #expect(try bench.names(in: kept).isEmpty)
    }
}
