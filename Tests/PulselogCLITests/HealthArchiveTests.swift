import Compression
import Foundation
import TestSupport
import Testing

@Suite("pulselog import of a health store's folder or archive")
struct HealthArchiveTests {
    let bench = Workbench()

    private typealias File = (name: String, bytes: [UInt8])

    private static func workout(_ kind: String, _ hour: Int, route: String) -> String {
        WalkFiles.workout(
            kind, "03-01 \(hour):00", "03-01 \(hour):30", "+0100",
            "<WorkoutRoute><FileReference path=\"\(route)\"/></WorkoutRoute>")
    }

    private static let export = Array(
        """
        <?xml version="1.0"?><!DOCTYPE HealthData [<!ELEMENT HealthData (A)>]><HealthData>
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count"
        startDate="2026-03-01 10:00:00 +0100" endDate="2026-03-01 10:10:00 +0100" value="900"/>
        <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min"
        startDate="2026-03-01 10:05:00 +0100" endDate="2026-03-01 10:05:00 +0100" value="101"/>
        \(workout("Walking", 10, route: "/workout-routes/route_1.gpx"))
        \(workout("Cycling", 12, route: "/workout-routes/route_2.gpx"))
        \(workout("Hiking", 14, route: "../../../outside.gpx"))
        </HealthData>
        """.utf8)

    /// A track of ten seconds from an hour of UTC on.
    private static func route(_ hour: Int) -> [UInt8] {
        let points = (0..<10).map { second in
            """
            <trkpt lat="48.000\(second)" lon="11"><time>2026-03-01T\(hour):00:0\(second)Z</time>
            <extensions><speed>1.2</speed><hAcc>3.25</hAcc></extensions></trkpt>
            """
        }
        let text = points.joined().replacing("T9:", with: "T09:")
        return Array("<gpx><trk><trkseg>\(text)</trkseg></trk></gpx>".utf8)
    }

    private static let apple: [File] = [
        ("apple_health_export/electrocardiograms/ecg.csv", Array("Name,Anna\n".utf8)),
        ("apple_health_export/export.xml", export),
        ("apple_health_export/export_cda.xml", Array("<ClinicalDocument></ClinicalDocument>".utf8)),
        ("apple_health_export/workout-routes/route_1.gpx", route(9)),
        ("apple_health_export/workout-routes/route_2.gpx", route(11)),
        ("outside.gpx", route(13)),
    ]

    /// A database of a walk with a heart rate, and the track that it names.
    private func gadgetbridge() throws -> [UInt8] {
        let start = 1_772_355_600
        let sql = """
            CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER,
                USER_ID INTEGER, STEPS INTEGER, HEART_RATE INTEGER);
            INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (\(start + 60), 1, 1, 80, 101);
            CREATE TABLE BASE_ACTIVITY_SUMMARY (START_TIME INTEGER, END_TIME INTEGER,
                ACTIVITY_KIND INTEGER, DEVICE_ID INTEGER, GPX_TRACK TEXT, SUMMARY_DATA TEXT);
            INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (\(start)000, \(start + 1_800)000, 32, 1,
                '/storage/emulated/0/Android/data/x/files/track.gpx', NULL);
            """
        let folder = try TemporaryDirectory()
        return try [UInt8](Data(contentsOf: URL(filePath: folder.database("made.db", sql))))
    }

    private func folder(_ name: String, _ files: [File]) throws -> String {
        for file in files { _ = try bench.file("\(name)/\(file.name)", file.bytes) }
        return "\(bench.folder)/\(name)"
    }

    /// How many heart rates and positions each walk has, in order of time.
    private func walks() async throws -> [[Int]] {
        let sessions = try await bench.objects("sessions")
        return try sessions.sorted { try $0.text("startedAt") < $1.text("startedAt") }.map {
            let fixes = $0.fields["route"] is NSNull ? 0 : try $0.object("route").integer("fixes")
            return [try $0.object("heartRate").integer("samples"), fixes]
        }
    }

    @Test(
        "takes Apple Health's with the routes of its workouts, once",
        arguments: ["folder", "archive", "nested", "pipe"])
    func appleHealth(_ form: String) async throws {
        let archive = WalkFiles.zip(Self.apple)
        let path =
            switch form {
            case "folder": try folder("a", Array(Self.apple.dropLast()))
            case "nested": try bench.file("b.zip", WalkFiles.zip([("a.zip", archive)]))
            default: try bench.file("export.zip", archive)
            }
        func run(_ options: String...) async throws -> RunningProgram.End {
            guard form == "pipe" else {
                return try await bench.start(["import", path] + options).end
            }
            return try await bench.shell("cat '\(path)' | \"$0\" import - \"$@\"", options).end
        }
        let dry = try await run("--dry-run")
        #expect(dry.text.contains("It would bring 2 new walks."), "\(dry.text)")
        let end = try await run()
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.text.contains("1 ride left out"), "\(end.text)")
        #expect(end.text.contains("Left out: routes whose files are not there (1)."), "\(end.text)")
        // What lies elsewhere in the archive is a walk of its own.
        #expect(try await walks() == [[1, 10], [0, 0]] + (form == "folder" ? [] : [[0, 10]]))
        let again = try await run()
        #expect(!again.text.contains("new walk"), "\(again.text)")
        let count = try await walks().count
        let anyway = try await run("--anyway")
        #expect(anyway.text.contains("1 new walk, as import"), "\(anyway.text)")
        let all = try await walks()
        #expect(all.count == count + 1 && all[1] == [0, 10])
    }

    @Test("takes a workout once that stands in two files of one run")
    func twice() async throws {
        let first = try bench.file("export.xml", Self.export)
        let second = try bench.file("export.zip", WalkFiles.zip(Self.apple))
        let end = try await bench.expect("import", first, second)
        #expect(try await walks().count == 3, "\(end.text)")
    }

    @Test("leaves out what began during another workout, however often it comes, and says so dry")
    func overlapping() async throws {
        let workouts = [
            WalkFiles.workout("Running", "03-01 09:00", "03-01 10:00", "+0100"),
            WalkFiles.workout("Walking", "03-01 09:30", "03-01 09:40", "+0100"),
            WalkFiles.workout("SwimBikeRun", "03-02 09:00", "03-02 10:00", "+0100"),
            WalkFiles.workout("Hiking", "04-01 09:00", "04-01 10:00", "+0200"),
        ]
        let path = try bench.file("export.xml", "<HealthData>\(workouts.joined())</HealthData>")
        try await bench.expect("import", path, "--dry-run", says: "It would bring 2 new walks.")
        for _ in 0..<2 {
            let end = try await bench.expect("import", path)
            #expect(try await walks().count == 2, "\(end.text)")
        }
    }

    @Test("takes the rest where a route is damaged")
    func damagedRoute() async throws {
        let path = try bench.file("export.zip", WalkFiles.zip(Self.apple))
        // A digit of the first route, which is stored as it is.
        try bench.damage("48.0000", in: URL(filePath: path))
        try await bench.expect(
            "import", path, says: "routes that cannot be read", "2 new walks")
        #expect(try await bench.run("steps", "--day", "2026-03-01").text.contains("900"))
    }

    @Test("takes Apple Health's export from a pipe as from a file")
    func pipedExport() async throws {
        let path = try bench.file("export.xml", Self.export)
        // The first byte comes alone.
        let line = "(head -c 1 '\(path)'; sleep 0.2; tail -c +2 '\(path)') | \"$0\" import -"
        let end = try await bench.shell(line).end
        #expect(end.status == 0 && end.text.contains("2 new walks, as import 1"), "\(end)")
    }

    @Test(
        "takes Gadgetbridge's database with the tracks of its workouts, once",
        arguments: ["next", "files", "backup", "archive", "gzip"])
    func gadgetbridgeFolder(_ form: String) async throws {
        let (database, track) = (try gadgetbridge(), Self.route(9))
        let path =
            switch form {
            case "next": try folder("a", [("Gadgetbridge", database), ("track.gpx", track)])
            case "files":
                try folder("a", [("Gadgetbridge.db", database), ("files/track.gpx", track)])
            case "backup":
                try folder("a", [("database/Gadgetbridge", database), ("files/track.gpx", track)])
            case "archive":
                try bench.file(
                    "a.zip",
                    WalkFiles.zip([
                        ("database/Gadgetbridge", database), ("files/track.gpx", track),
                    ]))
            default: try bench.file("a.gz", try #require(Gzip.compressed(database)))
            }
        let end = try await bench.expect("import", path, says: "1 new walk, as import 1")
        #expect(try await walks() == [[1, form == "gzip" ? 0 : 10]], "\(end.text)")
        #expect(end.text.contains("2026-03-01"), "\(end.text)")
        let again = try await bench.expect("import", path)
        #expect(!again.text.contains("new walk"), "\(again)")
        #expect(try await walks().count == 1)
    }

    @Test("goes on with what is whole where a route means harm")
    func hostileRoutes() async throws {
        let laughs = """
            <!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><gpx>&b;</gpx>
            """
        let harmful = [Array(laughs.utf8), Array(Self.route(9).prefix(300)), []]
        for (index, bytes) in harmful.enumerated() {
            var files = Self.apple
            files[3].bytes = bytes
            let path = try folder("f\(index)", files)
            try await bench.expect(
                "import", path + "/apple_health_export/export.xml", "--store", "\(path)-store",
                says: "2 new walks, as import 1", "routes that are damaged")
        }
        var cut = Self.apple
        cut[1].bytes = Array(Self.export.dropLast(40))
        try await bench.expect("import", try folder("cut", cut), status: 65)
    }

    @Test("leaves out what holds no walk in the folders of watches, in a sentence for each kind")
    func layouts() async throws {
        // A file of settings, which is the kind 2, and its checksum.
        let settings: [UInt8] =
            [14, 0x20, 0, 8, 11, 0, 0, 0] + Array(".FIT".utf8) + [0, 0]
            + [0x40, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0x39, 0x1F]
        let kml = Array("<?xml version=\"1.0\"?><kml><Document></Document></kml>".utf8)
        let path = try folder(
            "layouts",
            [
                ("GARMIN/Settings/SETTINGS.FIT", settings), ("GARMIN/Courses/A.FIT", settings),
                ("OpenTracks/a.kmz", WalkFiles.zip([("doc.kml", kml)])),
                ("OpenTracks/b.kml", kml), ("OpenTracks/c.gpx", Self.route(9)),
                ("strava/activities.csv", Array("Activity ID,Activity Date\n1,x\n".utf8)),
                ("strava/activities/1.gpx.gz", try #require(Gzip.compressed(Self.route(11)))),
            ])
        try await bench.expect(
            "import", path,
            says: "2 walks imported, from a Garmin watch, a folder of OpenTracks, "
                + "an archive of Strava.", "2 FIT files without a walk",
            "2 files, each a KML file. Export the track", "Without a walk: 1 file:")
        try await bench.expect(
            "import", path + "/GARMIN/Courses/A.FIT", status: 65, says: "no walk in it")
    }
}
