internal import Events
public import SQLite

/// Reads the steps out of Gadgetbridge's database.
///
/// Source of the form: `GBDaoGenerator.java` of Gadgetbridge. Each family of devices has a table of
/// its own; what they share are the columns:
///
/// - `TIMESTAMP`: the beginning, in seconds of UTC since 1970; some families use milliseconds.
/// - `DEVICE_ID`: the key of `DEVICE`, which has its `NAME`.
/// - `STEPS`: the steps of that minute; below 0 and 255 stand for none, for bands count in a byte.
/// - `OTHER_TIMESTAMP`, in one family: the other end of the period. The row is there twice, once
///   from each end.
///
/// So a table is taken for its columns and not for its name. One with averages, in a column that
/// ends with `_AVG`, sums up whole days that are in another table already: it is left out. Each
/// device of each table is a source of ``StepRecords``.
public enum GadgetbridgeDatabase {
    /// A timestamp from here on is in milliseconds: as seconds it would be in the year 5138.
    private static let leastMilliseconds: Int64 = 100_000_000_000
    /// The most tables that are looked at; Gadgetbridge has some two hundred.
    private static let tableLimit = 2_000

    /// Adds the steps of all devices.
    ///
    /// - Parameters:
    ///   - database: The open file.
    ///   - records: Where the step records go.
    /// - Returns: How many rows could not be read: a timestamp or count is no integer.
    /// - Throws: ``HealthStoreError``; with the code `damaged` the records that stand before the
    ///   damage are there.
    public static func read(
        _ database: borrowing SQLiteDatabase, into records: inout StepRecords
    ) throws(HealthStoreError) -> UInt64 {
        let names = try tableNames(database)
        let devices = try deviceNames(database, names)
        var tables: [StepTable] = []
        for name in names {
            let columns = try columns(of: name, database)
            if let table = StepTable(name: name, columns: columns) { tables.append(table) }
        }
        guard !tables.isEmpty else {
            throw HealthStoreError(
                .foreign,
                "This database has no table with TIMESTAMP, DEVICE_ID and STEPS: "
                    + "it is not a Gadgetbridge export.")
        }
        var unreadableCount: UInt64 = 0
        for table in tables {
            unreadableCount += try read(table, devices, database, into: &records)
        }
        return unreadableCount
    }

    private static func read(
        _ table: StepTable, _ devices: [Int64: String], _ database: borrowing SQLiteDatabase,
        into records: inout StepRecords
    ) throws(HealthStoreError) -> UInt64 {
        var unreadableCount: UInt64 = 0
        var failure: StepRecordsError?
        var source = (device: Int64.min, name: "")
        try rows(of: table.query, in: database) { row in
            guard let device = row.integer(at: 0), let timestamp = row.integer(at: 1),
                let steps = row.integer(at: 2)
            else {
                unreadableCount += 1
                return true
            }
            guard steps >= 0, steps != 255 else { return true }
            if source.device != device || source.name.isEmpty {
                source = (device, "\(devices[device] ?? "device \(device)"), \(table.name)")
            }
            let start = milliseconds(timestamp)
            let other = row.integer(at: 3).map(milliseconds)
            let end = other ?? (start < Int64.max - 60_000 ? start + 60_000 : start)
            do throws(StepRecordsError) {
                try records.add(
                    source: source.name, from: min(start, end), until: max(start, end), steps: steps
                )
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw HealthStoreError(failure) }
        return unreadableCount
    }

    private static func milliseconds(_ timestamp: Int64) -> Int64 {
        guard timestamp < leastMilliseconds else { return timestamp }
        return max(timestamp, -leastMilliseconds) * 1_000
    }
}

// MARK: - The schema

extension GadgetbridgeDatabase {
    /// The tables that have pages of their own: views and virtual tables could run anything.
    private static func tableNames(
        _ database: borrowing SQLiteDatabase
    ) throws(HealthStoreError) -> [String] {
        var names: [String] = []
        let query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 "
        try rows(of: query + "ORDER BY name LIMIT \(tableLimit)", in: database) { row in
            if let name = row.text(at: 0) { names.append(name) }
            return true
        }
        return names
    }

    private static func columns(
        of table: String, _ database: borrowing SQLiteDatabase
    ) throws(HealthStoreError) -> [String] {
        var names: [String] = []
        try rows(of: "SELECT name FROM pragma_table_info(?1)", binding: [table], in: database) {
            row in
            if let name = row.text(at: 0) { names.append(name) }
            return true
        }
        return names
    }

    /// The names of the devices by their keys; none where there is no such table.
    private static func deviceNames(
        _ database: borrowing SQLiteDatabase, _ tables: [String]
    ) throws(HealthStoreError) -> [Int64: String] {
        guard tables.contains("DEVICE"),
            Set(try columns(of: "DEVICE", database)).isSuperset(of: ["_id", "NAME"])
        else { return [:] }
        var names: [Int64: String] = [:]
        try rows(of: "SELECT _id, NAME FROM DEVICE LIMIT 10000", in: database) { row in
            // Two devices may be of one name; the key keeps them apart.
            if let key = row.integer(at: 0), let name = row.text(at: 1) {
                names[key] = "\(name.prefix(32)) (\(key))"
            }
            return true
        }
        return names
    }

    private static func rows(
        of sql: String, binding values: [String] = [], in database: borrowing SQLiteDatabase,
        _ body: (borrowing SQLiteRow) -> Bool
    ) throws(HealthStoreError) {
        do throws(SQLiteError) {
            try database.forEachRow(of: sql, binding: values, body)
        } catch {
            throw HealthStoreError(error)
        }
    }
}

/// A table whose rows are the steps of short times.
private struct StepTable {
    let name: String
    private let hasOtherEnd: Bool

    /// Takes a table for what its columns are, or nil if it is of another kind.
    init?(name: String, columns: [String]) {
        guard Set(columns).isSuperset(of: ["TIMESTAMP", "DEVICE_ID", "STEPS"]),
            !columns.contains(where: { $0.hasSuffix("_AVG") })
        else { return nil }
        self.name = name
        hasOtherEnd = columns.contains("OTHER_TIMESTAMP")
    }

    /// Device, timestamp, steps, and the other end or null.
    var query: String {
        let quoted =
            "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        let other = hasOtherEnd ? "OTHER_TIMESTAMP" : "NULL"
        return "SELECT DEVICE_ID, TIMESTAMP, STEPS, \(other) FROM \(quoted)"
    }
}
