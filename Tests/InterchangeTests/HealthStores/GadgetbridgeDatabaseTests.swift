import Events
import Foundation
import Interchange
import Projections
import SQLite
import TestSupport
import Testing

/// 2026-03-01T09:00:00Z in seconds.
private let nine: Int64 = 1_772_355_600

private struct Outcome: Equatable {
    var totals: [HealthTotal] = []
    var unreadableCount: UInt64 = 0
    var unknownTables: [String] = []
    var failure: HealthStoreError.Code?
    var workouts: [HealthWorkout] = []
    var walks: HealthWalks?

    static func == (one: Outcome, other: Outcome) -> Bool {
        one.totals == other.totals && one.unreadableCount == other.unreadableCount
            && one.unknownTables == other.unknownTables && one.failure == other.failure
    }
}

/// The columns that all families share.
private let columns = """
    TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER NOT NULL
    """

/// Makes a database in a folder of its own, and reads it at an offset of 0.
private func outcome(
    _ sql: String, change: (inout Data) -> Void = { _ in }
) throws -> Outcome {
    let folder = try TemporaryDirectory()
    let file = URL(filePath: try folder.database("Gadgetbridge.db", sql))
    var bytes = try Data(contentsOf: file)
    change(&bytes)
    try bytes.write(to: file)

    var records = StepRecords { _ in 0 }
    var outcome = Outcome()
    do {
        let database = try SQLiteDatabase(readingUnchanged: file.path)
        var contents = GadgetbridgeDatabase()
        defer {
            outcome.unreadableCount = contents.unreadableCount
            outcome.unknownTables = contents.unknownTables
            (outcome.workouts, outcome.walks) = (contents.workouts, contents.walks)
        }
        try contents.read(database, into: &records)
    } catch let error as HealthStoreError {
        outcome.failure = error.code
    }
    outcome.totals = try records.totals()
    return outcome
}

/// One total on 2026-03-01.
private func total(_ steps: UInt64, until seconds: Int64) throws -> HealthTotal {
    HealthTotal(
        date: try #require(CivilDate("2026-03-01")), steps: steps,
        validUntilMilliseconds: (nine + seconds) * 1_000)
}

@Suite("Gadgetbridge's database")
struct GadgetbridgeDatabaseTests {
    @Test("adds up the minutes of a band")
    func oneBand() throws {
        let sql = """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (\(columns), RAW_INTENSITY INTEGER NOT NULL,
                STEPS INTEGER NOT NULL, RAW_KIND INTEGER NOT NULL, HEART_RATE INTEGER NOT NULL,
                PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID;
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, 20, 80, 1, 255),
                (\(nine + 60), 1, 1, 20, 90, 1, 97), (\(nine + 120), 1, 1, 0, 0, 0, 255);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(170, until: 180)]))
    }

    /// The table of summaries, with a workout of half an hour for each row of kind and more.
    private static func summaries(_ rows: [String]) -> String {
        let values = rows.enumerated().map { index, row in
            let start = (nine + Int64(index) * 3_600) * 1_000
            return "(\(index + 1), \(start), \(start + 1_800_000), \(row))"
        }
        return """
            CREATE TABLE BASE_ACTIVITY_SUMMARY (_id INTEGER PRIMARY KEY,
                START_TIME INTEGER NOT NULL,
                END_TIME INTEGER NOT NULL, ACTIVITY_KIND INTEGER NOT NULL,
                DEVICE_ID INTEGER NOT NULL, GPX_TRACK TEXT, SUMMARY_DATA TEXT);
            INSERT INTO BASE_ACTIVITY_SUMMARY VALUES \(values.joined(separator: ", "));
            """
    }

    @Test("gives the workouts with the heart rates of their devices, steps, distance and routes")
    func workouts() throws {
        let data =
            "{\"steps\":{\"value\":2345,\"unit\":\"steps_unit\"},"
            + "\"distanceMeters\":{\"value\":1750.5,\"unit\":\"meters\"}}"
        let sql = """
            CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (\(columns), STEPS INTEGER, HEART_RATE INTEGER);
            INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (\(nine - 60), 1, 1, 0, 70),
                (\(nine), 1, 1, 80, 100), (\(nine + 60), 1, 1, -1, 110), (\(nine + 60), 2, 1, 80,
                66),
                (\(nine + 120), 1, 1, 80, 255), (\(nine + 180), 1, 1, 80, -1),
                (\(nine + 240), 1, 1, 80, 0), (\(nine + 1_800), 1, 1, 0, 90),
                (\(nine + 1_860), 1, 1, 0, 95), (\(nine + 3_600), 1, 1, 0, 120),
                (9223372036854775807, 1, 1, 0, 120);
            """
            + Self.summaries([
                "32, 1, '/storage/emulated/0/files/gpx-1.gpx', '\(data)'", "128, 1, NULL, 'junk'",
                "67108886, 1, '..', '{}'", "67108874, 1, NULL, NULL", "0, 1, '', '[]'",
            ])
        let outcome = try outcome(sql)
        let sports: [Sport?] = [.walk, .ride, .other, .swim, nil]
        #expect(outcome.workouts.map(\.sport) == sports)
        #expect(outcome.workouts.map(\.routes) == [["gpx-1.gpx"], [], [], [], []])
        var facts = WalkFacts()
        try #require(outcome.walks).add(outcome.workouts[0], to: &facts)
        // They grow evenly, and are told of each ten seconds of a gap as short as a minute.
        func walked(_ tenth: UInt64) -> WalkFacts.Timed {
            .init(
                Double(tenth) * 10,
                .walked(steps: tenth * 13, distanceMillimetres: tenth * 9_725))
        }
        let rates: [WalkFacts.Timed] = [
            .init(0, .began), walked(0), .init(0, .heartRate(100, rrTicks: [])), walked(1),
            walked(2), walked(3), walked(4), walked(5), walked(6),
            .init(60, .heartRate(110, rrTicks: [])),
            .init(1_800, .walked(steps: 2_345, distanceMillimetres: 1_750_500)),
            .init(1_800, .heartRate(90, rrTicks: [])), .init(1_800, .ended),
        ]
        #expect(facts.timed == rates && facts.offsetMinutes == nil)
        #expect(outcome.failure == nil && outcome.totals.map(\.steps) == [400])
    }

    @Test("gives workouts without any table of samples, and none at times that cannot be")
    func summariesOnly() throws {
        #expect(try outcome(Self.summaries(["32, 1, NULL, NULL"])).workouts.count == 1)
        let hostile = """
            ; UPDATE BASE_ACTIVITY_SUMMARY SET END_TIME = 9223372036854775807 WHERE _id = 1;
            UPDATE BASE_ACTIVITY_SUMMARY SET START_TIME = -1 WHERE _id = 2;
            UPDATE BASE_ACTIVITY_SUMMARY SET END_TIME = 0 WHERE _id = 3;
            """
        let rows = [String](repeating: "32, 1, NULL, NULL", count: 4)
        #expect(try outcome(Self.summaries(rows) + hostile).workouts.count == 1)
    }

    @Test("takes each minute's greatest device, by name and key")
    func twoBands() throws {
        let sql = """
            CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT NOT NULL, MANUFACTURER TEXT);
            INSERT INTO DEVICE VALUES (1, 'Band', 'x'), (2, 'Band', 'x');
            CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (\(columns), STEPS INTEGER);
            INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, 80),
                (\(nine), 2, 1, 95), (\(nine), 3, 1, 10);
            CREATE TABLE PEBBLE_HEALTH_ACTIVITY_SAMPLE (\(columns), STEPS INTEGER);
            INSERT INTO PEBBLE_HEALTH_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, 70),
                (\(nine + 60), 1, 1, 5);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(100, until: 120)]))
    }

    @Test("takes -1 and 255 for no value, and zero for a minute without a step")
    func none() throws {
        let rows: [(Int64, Int)] = [(0, 80), (60, -1), (120, 255), (180, 0), (300, 255)]
        let sql = table("MI_BAND_ACTIVITY_SAMPLE", rows: rows.map { "\(nine + $0) \($1)" })
        #expect(try outcome(sql) == Outcome(totals: [total(80, until: 240)]))
    }

    @Test("counts a period once that is there from both ends")
    func bothEnds() throws {
        let sql = """
            CREATE TABLE HUAWEI_ACTIVITY_SAMPLE (
                \(columns), OTHER_TIMESTAMP INTEGER, SOURCE INTEGER, STEPS INTEGER);
            INSERT INTO HUAWEI_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, \(nine + 120), 10, 80),
                (\(nine + 120), 1, 1, \(nine), 13, 80), (\(nine + 120), 1, 1, \(nine + 180), 10, 7);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(87, until: 180)]))
    }

    /// A table of one device with rows of time, steps and whatever else the table has.
    private func table(_ name: String, _ more: String = "", rows: [String]) -> String {
        let values = rows.map { "(" + $0.replacing(" ", with: ", 1, 1, ") + ")" }
        return "CREATE TABLE \(name) (\(columns), STEPS INTEGER\(more));"
            + "INSERT INTO \(name) VALUES \(values.joined(separator: ", "));"
    }

    @Test(
        "takes a count since midnight for what is new in it, on each date",
        arguments: ["GARMIN_ACTIVITY_SAMPLE", "CMF_ACTIVITY_SAMPLE", "OVTOUCH26_ACTIVITY_SAMPLE"])
    func sinceMidnight(_ name: String) throws {
        let midnight = nine + 15 * 3_600
        let rows = [
            "\(nine) 100", "\(nine + 60) 200", "\(nine + 120) 200", "\(nine + 180) -1",
            // A file that was begun anew tells of fewer kinds of steps.
            "\(nine + 240) 150", "\(nine + 300) 300", "\(midnight) 310",
            "\(midnight + 60) 40", "\(midnight + 7_200) 90",
        ]
        let outcome = try outcome(table(name, rows: rows))
        #expect(outcome.totals.map(\.steps) == [310, 90])
        #expect(outcome.totals.map(\.date.description) == ["2026-03-01", "2026-03-02"])
    }

    @Test("counts the three countings of one table once")
    func byKind() throws {
        let rows = [
            "\(nine) 100,102", "\(nine + 600) 50,102", "\(nine + 630) 120,103",
            "\(nine + 1_200) 160,103", "\(nine + 15 * 3_600 - 1) 155,101", "\(nine) 90,100",
        ]
        let outcome = try outcome(
            table("HPLUS_HEALTH_ACTIVITY_SAMPLE", ", RAW_KIND INTEGER", rows: rows))
        #expect(outcome.totals.map(\.steps).reduce(0, +) < 270)
        #expect(outcome.totals.first?.steps ?? 0 >= 160)
    }

    @Test(
        "spreads a row over the time that it stands for, and finds the minutes of a band in it",
        arguments: [
            ("COLMI_ACTIVITY_SAMPLE", 3_600), ("CASIO_GBX100_ACTIVITY_SAMPLE", 3_600),
            ("NO1_F1_ACTIVITY_SAMPLE", 3_600), ("XWATCH_ACTIVITY_SAMPLE", 900),
            ("BANGLE_JSACTIVITY_SAMPLE", 600), ("BANGLE_JS_ACTIVITY_SAMPLE", 600),
            ("FIT_PRO_ACTIVITY_SAMPLE", 300), ("LEFUN_ACTIVITY_SAMPLE", 3_600),
        ])
    func lengths(_ name: String, _ seconds: Int64) throws {
        let minutes = seconds / 60
        let band = (0..<minutes).map { "\(nine + 60 * $0) 20" }
        let sql =
            table(name, rows: ["\(nine) \(20 * minutes + 1)"])
            + table("XIAOMI_ACTIVITY_SAMPLE", rows: band)
        #expect(
            try outcome(sql)
                == Outcome(totals: [total(UInt64(20 * minutes + 1), until: seconds)]))
    }

    @Test("takes the length of a row from its duration")
    func durations() throws {
        let sql =
            table(
                "WITHINGS_STEEL_HRACTIVITY_SAMPLE", ", DURATION INTEGER",
                rows: ["\(nine) 600,900", "\(nine + 900) 0,-1"])
            + table("XIAOMI_ACTIVITY_SAMPLE", rows: ["\(nine + 600) 90"])
        #expect(try outcome(sql) == Outcome(totals: [total(600, until: 900)]))
    }

    @Test("takes a row of what is new for the time since the row before")
    func sincePrevious() throws {
        let sql = table(
            "PINE_TIME_ACTIVITY_SAMPLE",
            rows: ["\(nine) 2000", "\(nine + 3_600) 5000", "\(nine + 3_601) 7"])
        #expect(try outcome(sql) == Outcome(totals: [total(7_007, until: 3_601)]))
    }

    @Test("takes 255 for a count wherever a minute is not kept in a byte")
    func greatBytes() throws {
        let rows = ["\(nine) 254", "\(nine + 3_600) 255", "\(nine + 7_200) 256"]
        let sql = table("COLMI_ACTIVITY_SAMPLE", rows: rows)
        #expect(try outcome(sql) == Outcome(totals: [total(765, until: 10_800)]))
    }

    @Test("counts a minute once that came twice, and no row that nobody can have walked")
    func liveRows() throws {
        let rows = ["\(nine + 7) 80", "\(nine + 31) 80", "\(nine + 61) 2941", "\(nine + 62) -1"]
        let sql = table("MI_BAND_ACTIVITY_SAMPLE", rows: rows)
        #expect(try outcome(sql) == Outcome(totals: [total(80, until: 60)]))
    }

    @Test("is refused if it has no table that is known, by its name")
    func unknownTables() throws {
        let sql = table("NEW_BAND_ACTIVITY_SAMPLE", rows: ["\(nine) 80"])
        #expect(
            try outcome(sql)
                == Outcome(unknownTables: ["NEW_BAND_ACTIVITY_SAMPLE"], failure: .foreign))
    }

    @Test("leaves out sums of whole days, views and other tables")
    func otherTables() throws {
        let sql = """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (\(columns), STEPS INTEGER);
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, 80);
            CREATE TABLE XIAOMI_DAILY_SUMMARY_SAMPLE (\(columns), STEPS INTEGER);
            INSERT INTO XIAOMI_DAILY_SUMMARY_SAMPLE VALUES (\(nine)000, 1, 1, 9000);
            CREATE VIEW DOUBLED AS SELECT TIMESTAMP, DEVICE_ID, 2 * STEPS AS STEPS
                FROM MI_BAND_ACTIVITY_SAMPLE;
            CREATE TABLE BATTERY_LEVEL (TIMESTAMP INTEGER, DEVICE_ID INTEGER, LEVEL INTEGER);
            CREATE TABLE "odd""name" (\(columns), STEPS INTEGER);
            INSERT INTO "odd""name" VALUES (\(nine), 1, 1, 81);
            """
        #expect(
            try outcome(sql)
                == Outcome(totals: [total(80, until: 60)], unknownTables: ["odd\"name"]))
    }

    @Test("counts what it cannot read, and goes on")
    func unreadable() throws {
        let sql = """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (\(columns), STEPS);
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(nine), 1, 1, 80), ('x', 1, 1, 5),
                (\(nine), 1, 1, 'many'),
                (\(nine), 1.5, 1, 5), (\(nine), 1, 1, NULL), (\(Int64.max), 1, 1, 5),
                (\(Int64.min), 1, 1, 5);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(80, until: 60)], unreadableCount: 4))
    }

    @Test("is refused if it has no steps, or is no database")
    func foreign() throws {
        #expect(try outcome("CREATE TABLE t (a)") == Outcome(failure: .foreign))
        let text = try outcome("CREATE TABLE t (a)") { $0 = Data("no database at all".utf8) }
        #expect(text == Outcome(failure: .foreign))
    }

    @Test("gives a lower bound when its pages are damaged or missing")
    func damaged() throws {
        let sql = """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (\(columns), STEPS INTEGER, PAD TEXT);
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE SELECT
                \(nine) + 60 * i, 1, 1, 1, hex(randomblob(300)) FROM n;
            """
        let whole = try outcome(sql)
        #expect(whole.totals.map(\.steps) == [100])
        for share in [2, 3] {
            let cut = try outcome(sql) { $0 = $0.prefix($0.count / share) }
            #expect(cut.failure == .damaged)
            #expect(cut.totals.allSatisfy { $0.steps < 100 })
        }
    }

    @Test("answers whatever is done to its bytes", arguments: 1...12 as ClosedRange<UInt64>)
    func anyBytes(seed: UInt64) throws {
        let sql = """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (
                \(columns), STEPS INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID));
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE SELECT \(nine) + 60 * i, i % 3, 1, i % 200 FROM n;
            """
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            let outcome = try outcome(sql) { bytes in
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    // The marks of the format stay, or every file would be refused at once.
                    let index = Int.random(in: 100..<bytes.count, using: &generator)
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            #expect(outcome.failure != .tooMuch, "seed \(seed)")
        }
    }
}
