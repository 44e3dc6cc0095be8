import Compression
import Foundation
import TestSupport
import Testing

/// What a health store says goes into the log once, whatever the store and however often.
@Suite("pulselog import")
struct ImportTests {
    let bench = Workbench()

    /// Writes a made-up file of a health store, and gives its path and its right totals by date.
    private func write(
        _ arguments: String...
    ) async throws -> (path: String, totals: [String: Int]) {
        let path = "\(bench.folder)/\(arguments[0])"
        let end = try await RunningProgram(
            RunningProgram.builtPrograms + "/HealthFiles",
            [arguments[0], path, "--totals", path + ".totals"] + arguments.dropFirst(),
            environment: bench.environment()
        ).end
        #expect(end.status == 0, "\(end.messages)")
        let lines = try String(contentsOf: URL(filePath: path + ".totals"), encoding: .utf8)
            .split(separator: "\n")
        let pairs = try lines.map { line in
            let words = line.arguments
            return (words[0], try #require(Int(words[1])))
        }
        return (path, Dictionary(uniqueKeysWithValues: pairs))
    }

    /// The displayed steps of every date, as a replay of the store finds them.
    private func days() async throws -> [String: Int] {
        let days = try await bench.object("replay", "store").objects("days").map { day in
            (try day.text("date"), day.fields["displayed"] as? Int ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: days).filter { $0.value > 0 }
    }

    @Test(
        "reports each day's right total once, and nothing the second time",
        arguments: ["apple", "gadgetbridge"])
    func twice(_ kind: String) async throws {
        let file = try await write(kind, "--days", "12")
        #expect(file.totals.count == 12)
        let first = try await bench.object("import", file.path)
        #expect(try first.integer("days") == 12)
        #expect(try first.integer("reported") == 12)
        #expect(try first.integer("refused") == 0)
        #expect(try await days() == file.totals)

        let before = try await bench.output("export")
        try await bench.expect("import", file.path, says: "nothing new")
        #expect(try await bench.output("export") == before)
    }

    @Test("reports only what is greater than what the log knows")
    func onlyNews() async throws {
        let file = try await write("apple", "--days", "3")
        _ = try await bench.output("health", "199999", "--day", "2026-02-28")
        _ = try await bench.output("health", "1", "--day", "2026-02-27")
        let result = try await bench.object("import", file.path)
        #expect(try result.integer("reported") == 2)
        let days = try await days()
        #expect(days["2026-02-28"] == 199_999)
        #expect(days["2026-02-27"] == file.totals["2026-02-27"])
    }

    @Test("reconciles today, and only notes the other days")
    func today() async throws {
        let noon = Noon()
        let file = try await write("apple", "--days", "3", "--until", noon.date)
        _ = try await bench.output("import", file.path, variables: noon.variables)
        let events = try await bench.run("export").lines
        #expect(events.filter { $0.contains(#""kind":"healthTotalObserved""#) }.count == 3)
        let reconciliations = events.filter { $0.contains(#""trigger":"observer""#) }
        #expect(reconciliations.count == 1 && reconciliations[0].contains(noon.date))
    }

    @Test("takes several files at once, of different stores")
    func severalFiles() async throws {
        let apple = try await write("apple", "--days", "2")
        let band = try await write("gadgetbridge", "--days", "2", "--seed", "2")
        _ = try await bench.output("import", apple.path, band.path)
        #expect(try await days() == apple.totals.merging(band.totals) { max($0, $1) })
    }

    @Test("says what it passed over")
    func remarks() async throws {
        let apple = try await write("apple", "--days", "2")
        let damaged = try String(contentsOfFile: apple.path, encoding: .utf8)
            .replacing("</HealthData>", with: " <Record a=\"&\"/>\n</HealthData>")
        try await bench.expect(
            "import", try bench.file("damaged.xml", damaged), says: "with the next record")
        #expect(try await days() == apple.totals)
    }

    /// Makes a table of a minute of 100 steps, with two more of them in the log beside it.
    private func makeDatabase(_ name: String) throws -> [String] {
        let rows = "INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES "
        let sql = """
            PRAGMA journal_mode = WAL;
            CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP, DEVICE_ID, STEPS);
            \(rows) (1772355600, 1, 100); PRAGMA wal_checkpoint(TRUNCATE);
            \(rows) (1772355660, 1, 100), (1772355720, 1, 100)
            """
        let files = ["", "-wal"].map { "\(bench.folder)/\(name)\($0)" }
        _ = try TemporaryDirectory().database("a.db", sql) { original in
            for (file, suffix) in zip(files, ["", "-wal"]) {
                try FileManager.default.copyItem(atPath: original + suffix, toPath: file)
            }
        }
        return files
    }

    @Test(
        "reads a database with the rows in its log, and leaves both as they are",
        arguments: ["temporary", "für Läufe"])
    func writeAheadLog(_ name: String) async throws {
        let temporary = try bench.folder(name)
        let files = try makeDatabase("band.db")
        let before = try files.map { try Data(contentsOf: URL(filePath: $0)) }
        let end = try await bench.expect("import", files[0], variables: ["TMPDIR": temporary])
        #expect(!end.text.contains("Newer rows"), "\(end.text)\(end.messages)")
        #expect(try await days() == ["2026-03-01": 300])
        #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } == before)
        let names = try bench.names()
        #expect(!names.contains { $0.hasSuffix("-shm") }, "\(names)")
        #expect(try bench.names(in: temporary).isEmpty)
    }

    @Test("reads the log of a database that is named by a link")
    func linkedDatabase() async throws {
        try bench.folder("synchronized")
        let files = try makeDatabase("synchronized/band.db")
        let link = bench.folder + "/link.db"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: files[0])
        _ = try await bench.output("import", link)
        #expect(try await days() == ["2026-03-01": 300])
    }

    @Test("reads a database alone where the log cannot be read with it, and says so")
    func foreignLog() async throws {
        let files = try makeDatabase("band.db")
        // No folder for a copy.
        try await bench.expect(
            "import", files[0], says: "Newer rows may be in", "No such file",
            variables: ["TMPDIR": bench.folder + "/none"])
        #expect(try await days() == ["2026-03-01": 100])
    }

    @Test(
        "says what it cannot read, and makes no store",
        arguments: [
            ("PK\u{3}\u{4}rest", "unzip it"), ("<kmz></kmz>", "nor an Apple Health export"),
            ("<gpx></gpx>", "there is no walk in it"),
            (
                "<HealthData><Record type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" "
                    + "startDate=\"20260301080000+0000\" endDate=\"20260301080500+0000\" "
                    + "value=\"500\"/></HealthData>",
                "none of 1 step record can be read. The first has startDate \"20260301080000+0000\""
            ),
            ("SQLite format 3\u{0}and then nothing more", "SQLite database"),
            (
                "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>",
                "its points have no times, as those of a route that was planned"
            ), ("time,bpm\nnoon,75\n", "its times cannot be read"),
            ("<", "this is nothing that can be imported"), ("", "is empty"),
            ("RR\nnone\n", "or a head that names the column"),
        ])
    func unreadable(_ text: String, _ words: String) async throws {
        try await bench.expect(
            "import", try bench.file("file", text), status: 65, says: words)
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    private static let foreign: [(text: String, words: String)] = [
        ("[Params]\r\nVersion=106\r\n", "a .hrm file of Polar. Polar Flow gives the walk"),
        ("com.samsung.shealth.exercise,1\n", "a table of Samsung Health"),
        ("\u{FEFF}sep=,\nKubios HRV Scientific (ver. 4.1.0),\n", "a report of Kubios. Export the"),
        ("time,seconds_elapsed,z,y,x\n1772355600123000000,0.1,1,2,3\n", "a table of Sensor Logger"),
        ("Phone timestamp;sensor timestamp [ns];ecg [uV]\n", "a table of Polar Sensor Logger"),
        ("[{\n \"dateTime\" : \"03/01/26 09:00:05\",\n", "a JSON file of Fitbit or Google Fit."),
        ("<?xml version=\"1.0\"?>\n<kml xmlns=\"x\"></kml>", "a KML file. Export the track as GPX"),
    ]

    @Test("says whose walks it cannot read, also in archives and folders", arguments: foreign)
    func foreignPrograms(_ row: (text: String, words: String)) async throws {
        let bytes = Array(row.text.utf8)
        try await refuse(bytes, "is \(row.words)")
        try await refuse(try #require(Gzip.compressed(bytes)), "is \(row.words)")
        try await refuse(WalkFiles.zip([("a", bytes)]), "Not read: 1 file, \(row.words)")
        try await refuse(WalkFiles.zip([("a", bytes), ("b", bytes)]), "2 files, each \(row.words)")
    }

    @Test("says that a database is Health Connect's, also in its archive")
    func healthConnect() async throws {
        let (folder, sql) = (try TemporaryDirectory(), "CREATE TABLE steps_record_table (count)")
        let file = try [UInt8](Data(contentsOf: URL(filePath: folder.database("made.db", sql))))
        try await refuse(file, "Health Connect's database. Export")
        try await refuse(WalkFiles.zip([("a.db", file)]), "Health Connect's database. Export")
    }

    /// Imports a file of which nothing is read, and expects what is said of it.
    private func refuse(_ bytes: [UInt8], _ words: String) async throws {
        let end = try await bench.run("import", bench.file("file", bytes))
        #expect(end.status == 65 && (end.text + end.messages).contains(words), "\(end)")
    }
}

@Suite("pulselog record --health")
struct RecordHealthTests {
    let bench = Workbench()
    private let noon = Noon()

    private func record() throws -> RunningProgram {
        try bench.start(
            ["record", "--simulate", "--json", "--health", bench.folder + "/health"],
            noon.variables)
    }

    /// Puts a file in place of the watched one, at once.
    private func replace(_ text: String) throws {
        let new = try bench.file("new", text)
        #expect(rename(new, bench.folder + "/health") == 0)
    }

    @Test("waits for a file, takes each change of it, and outlives what is no file")
    func changes() async throws {
        let record = try record()
        try await record.message(containing: "No such file")
        try replace("4321")
        try await record.line { $0.contains(#""total":4321"#) }
        try replace("{\"date\":\"\(noon.date)\",\"ste")
        try await record.message(containing: "too early")
        #expect(
            unlink(bench.folder + "/health") == 0 && mkfifo(bench.folder + "/health", 0o600) == 0)
        try await record.message(containing: "not a regular file")
        try replace("{\"date\":\"\(noon.date)\",\"steps\":5432}")
        try await record.line { $0.contains(#""total":5432"#) }
        await record.finish()
    }

    @Test("reads an export of Apple Health beside the recording, and once")
    func appleHealth() async throws {
        let end = try await RunningProgram(
            RunningProgram.builtPrograms + "/HealthFiles",
            ["apple", bench.folder + "/health", "--days", "3"], environment: bench.environment()
        ).end
        #expect(end.status == 0, "\(end.messages)")
        let record = try record()
        for _ in 0..<3 {
            try await record.line { $0.contains(#""origin":"Apple Health/""#) }
        }
        // The same without its end is read to there, and nothing of it is new.
        let whole = try String(contentsOfFile: bench.folder + "/health", encoding: .utf8)
        try replace(whole.replacing("</HealthData>", with: ""))
        try await record.message(containing: "in part")
        try replace("1")
        try await record.line { $0.contains(#""origin":"file/""#) }
        record.signal(SIGINT)
        let lines = await record.end.lines
        #expect(lines.filter { $0.contains(#""origin":"Apple Health/""#) }.count == 3)
    }
}
