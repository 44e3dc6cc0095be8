import CSQLite
import Events
import Foundation

/// Writes a database as Gadgetbridge does: a table for each family of devices, one row a minute.
final class GadgetbridgeWriter {
    /// A statement that SQLite did not take.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let handle: OpaquePointer

    /// Creates the file, in the place of an old one.
    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw Failure(description: "\(path) cannot be made.")
        }
        handle = opened
        try execute(Self.schema)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Writes a day: the phone is the first band, the watch the second; the copy is in another
    /// family's table.
    func write(_ day: Walker.Day) throws {
        let midnight = day.date.daysSinceEpoch * 1_440
        var bands = [Walker.Source: [Int64: Int64]]()
        for stretch in day.stretches {
            for minute in stretch.minutes {
                bands[stretch.source, default: [:]][minute] = stretch.stepsPerMinute
            }
        }
        for minute in midnight..<midnight + 1_440 {
            for (device, source) in [(1, Walker.Source.phone), (2, .watch)] {
                let steps = bands[source]?[minute] ?? (minute % 97 == 0 ? -1 : 0)
                try execute(
                    "INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES "
                        + "(\(minute * 60), \(device), 1, 20, \(steps), 1, 255)")
            }
            if let steps = bands[.copy]?[minute] {
                try execute(
                    "INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (\(minute * 60), 3, 1, \(steps))")
            }
        }
        try execute(
            "INSERT INTO XIAOMI_DAILY_SUMMARY_SAMPLE VALUES "
                + "(\(midnight * 60_000), 2, 1, 4, \(day.total), 80)")
    }

    /// Ends the file.
    func close() throws { try execute("COMMIT") }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private static let schema = """
        BEGIN;
        CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT NOT NULL, MANUFACTURER TEXT,
            IDENTIFIER TEXT NOT NULL);
        INSERT INTO DEVICE VALUES (1, 'Mi Band', 'Huami', 'C4:00:00:00:00:11'),
            (2, 'Mi Band', 'Huami', 'C4:00:00:00:00:12'), (3, 'Watch', '', 'C4:00:00:00:00:13');
        CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER NOT NULL,
            DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER NOT NULL, RAW_INTENSITY INTEGER NOT NULL,
            STEPS INTEGER NOT NULL, RAW_KIND INTEGER NOT NULL, HEART_RATE INTEGER NOT NULL,
            PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID;
        CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP INTEGER NOT NULL,
            DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER NOT NULL, STEPS INTEGER NOT NULL,
            PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID;
        CREATE TABLE XIAOMI_DAILY_SUMMARY_SAMPLE (TIMESTAMP INTEGER NOT NULL,
            DEVICE_ID INTEGER NOT NULL, USER_ID INTEGER NOT NULL, TIMEZONE INTEGER,
            STEPS INTEGER, HR_AVG INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID;
        CREATE TABLE BATTERY_LEVEL (TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL,
            LEVEL INTEGER NOT NULL);
        """
}
