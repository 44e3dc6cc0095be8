import CSQLite
import Events
import Foundation
import Interchange
import SQLite
import TestSupport
import Testing

/// 2026-03-01T09:00:00Z in seconds.
private let nine: Int64 = 1_772_355_600

private struct Outcome: Equatable {
    var totals: [DayTotal] = []
    var unreadableCount: UInt64 = 0
    var failure: HealthStoreError.Code?
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
    let file = URL(filePath: folder.path + "/Gadgetbridge.db")
    var handle: OpaquePointer?
    #expect(sqlite3_open(file.path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    sqlite3_close_v2(handle)
    var bytes = try Data(contentsOf: file)
    change(&bytes)
    try bytes.write(to: file)

    var records = StepRecords { _ in 0 }
    var outcome = Outcome()
    do {
        let database = try SQLiteDatabase(readingUnchanged: file.path)
        outcome.unreadableCount = try GadgetbridgeDatabase.read(database, into: &records)
    } catch let error as HealthStoreError {
        outcome.failure = error.code
    }
    outcome.totals = try records.totals()
    return outcome
}

/// One total on 2026-03-01.
private func total(_ steps: UInt64, until seconds: Int64) throws -> DayTotal {
    DayTotal(
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

    @Test("takes each minute's greatest device, by name and key")
    func twoBands() throws {
        let sql = """
            CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT NOT NULL, MANUFACTURER TEXT);
            INSERT INTO DEVICE VALUES (1, 'Band', 'x'), (2, 'Band', 'x');
            CREATE TABLE A (\(columns), STEPS INTEGER);
            INSERT INTO A VALUES (\(nine), 1, 1, 80), (\(nine), 2, 1, 95), (\(nine), 3, 1, 10);
            CREATE TABLE B (\(columns), STEPS INTEGER);
            INSERT INTO B VALUES (\(nine), 1, 1, 70), (\(nine + 60), 1, 1, 5);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(100, until: 120)]))
    }

    @Test("reads milliseconds where a family writes them")
    func milliseconds() throws {
        let sql = """
            CREATE TABLE NEW_BAND (\(columns), STEPS INTEGER);
            INSERT INTO NEW_BAND VALUES (\(nine * 1_000), 1, 1, 80), (\(nine + 60)000, 1, 1, 20);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(100, until: 120)]))
    }

    @Test("takes -1 and 255 for no value, and zero for a minute without a step")
    func none() throws {
        let sql = """
            CREATE TABLE BAND (\(columns), STEPS INTEGER);
            INSERT INTO BAND VALUES (\(nine), 1, 1, 80), (\(nine + 60), 1, 1, -1),
                (\(nine + 120), 1, 1, 255), (\(nine + 180), 1, 1, 0), (\(nine + 300), 1, 1, 255);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(80, until: 240)]))
    }

    @Test("counts a period once that is there from both ends")
    func bothEnds() throws {
        let sql = """
            CREATE TABLE HUAWEI (
                \(columns), OTHER_TIMESTAMP INTEGER, SOURCE INTEGER, STEPS INTEGER);
            INSERT INTO HUAWEI VALUES (\(nine), 1, 1, \(nine + 120), 10, 80),
                (\(nine + 120), 1, 1, \(nine), 13, 80), (\(nine + 120), 1, 1, \(nine + 180), 10, 7);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(87, until: 180)]))
    }

    @Test("leaves out sums of whole days, views and other tables")
    func otherTables() throws {
        let sql = """
            CREATE TABLE BAND (\(columns), STEPS INTEGER);
            INSERT INTO BAND VALUES (\(nine), 1, 1, 80);
            CREATE TABLE DAILY (\(columns), STEPS INTEGER, HR_AVG INTEGER);
            INSERT INTO DAILY VALUES (\(nine)000, 1, 1, 9000, 80);
            CREATE VIEW DOUBLED AS SELECT TIMESTAMP, DEVICE_ID, 2 * STEPS AS STEPS FROM BAND;
            CREATE TABLE BATTERY_LEVEL (TIMESTAMP INTEGER, DEVICE_ID INTEGER, LEVEL INTEGER);
            CREATE TABLE "odd""name" (\(columns), STEPS INTEGER);
            INSERT INTO "odd""name" VALUES (\(nine), 1, 1, 81);
            """
        #expect(try outcome(sql) == Outcome(totals: [total(81, until: 60)]))
    }

    @Test("counts what it cannot read, and goes on")
    func unreadable() throws {
        let sql = """
            CREATE TABLE BAND (\(columns), STEPS);
            INSERT INTO BAND VALUES (\(nine), 1, 1, 80), ('x', 1, 1, 5), (\(nine), 1, 1, 'many'),
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
            CREATE TABLE BAND (\(columns), STEPS INTEGER, PAD TEXT);
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
            INSERT INTO BAND SELECT \(nine) + 60 * i, 1, 1, 1, hex(randomblob(300)) FROM n;
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
            CREATE TABLE BAND (\(columns), STEPS INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID));
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
            INSERT INTO BAND SELECT \(nine) + 60 * i, i % 3, 1, i % 200 FROM n;
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
