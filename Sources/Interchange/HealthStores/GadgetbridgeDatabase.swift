internal import Events
internal import JSON
package import SQLite

/// Reads the steps out of Gadgetbridge's database.
///
/// Each family of devices has a table of its own, with the columns `TIMESTAMP`, in seconds of UTC
/// since 1970, `DEVICE_ID`, the key of `DEVICE`, which has its `NAME`, and `STEPS`. What `STEPS`
/// are the steps of, no column says: ``GadgetbridgeTable`` does, for each table by its name. One
/// that is not in it is left out and named. Each device of each table is a source of
/// ``StepRecords``.
package struct GadgetbridgeDatabase: Sendable {
    /// How many rows could not be read: a timestamp or count is not an integer.
    package private(set) var unreadableCount: UInt64 = 0
    /// Tables with steps of which it is not known what they count.
    package private(set) var unknownTables: [String] = []
    /// Its workouts.
    package private(set) var workouts: [HealthWorkout] = []
    /// The walks that they are, with the heart rates in them.
    package private(set) var walks = HealthWalks()

    /// The most tables that are looked at; Gadgetbridge has some two hundred.
    private static let tableLimit = 2_000

    /// Has read nothing.
    package init() {}

    /// Adds the steps of all devices.
    ///
    /// - Parameters:
    ///   - database: The open file.
    ///   - records: Where the step records go.
    /// - Throws: ``HealthStoreError``; with the code `damaged` the records that stand before the
    ///   damage are there.
    package mutating func read(
        _ database: borrowing SQLiteDatabase, into records: inout StepRecords
    ) throws(HealthStoreError) {
        let names = try Self.tableNames(database)
        let devices = try Self.deviceNames(database, names)
        var tables: [(name: String, table: GadgetbridgeTable, hasHeart: Bool)] = []
        for name in names {
            let columns = Set(try Self.columns(of: name, database))
            guard columns.isSuperset(of: ["TIMESTAMP", "DEVICE_ID", "STEPS"]) else { continue }
            if let table = GadgetbridgeTable(name), columns.isSuperset(of: table.columns) {
                tables.append((name, table, columns.contains("HEART_RATE")))
            } else if !GadgetbridgeTable.isSummary(name) {
                unknownTables.append(name)
            }
        }
        try readWorkouts(names, database)
        guard !tables.isEmpty || !workouts.isEmpty else {
            throw HealthStoreError(
                .foreign,
                names.contains("steps_record_table")
                    ? "This is Health Connect's database. Export walks in the apps that made them."
                    : unknownTables.isEmpty
                        ? "This database has no table with TIMESTAMP, DEVICE_ID and STEPS: "
                            + "it is not a Gadgetbridge export."
                        : "What the steps of its tables count is not known here: "
                            + unknownTables.prefix(8).joined(separator: ", ") + ".")
        }
        defer { walks.finish() }
        for (name, table, hasHeart) in tables {
            try read(table, name, hasHeart, devices, database, into: &records)
        }
    }

    private mutating func read(
        _ table: GadgetbridgeTable, _ name: String, _ hasHeart: Bool,
        _ devices: [Int64: String], _ database: borrowing SQLiteDatabase,
        into records: inout StepRecords
    ) throws(HealthStoreError) {
        var unreadable: UInt64 = 0
        var failure: HealthStoreError?
        var counters: [Int64: GadgetbridgeCounter] = [:]
        var walks = walks
        self.walks = HealthWalks()
        defer { self.walks = walks }
        let offsetMinutes = records.offsetMinutes
        func add(_ row: GadgetbridgeRow?, _ device: Int64) -> Bool {
            guard let row else { return true }
            let source = "\(devices[device] ?? "device \(device)"), \(name)"
            do throws(HealthStoreError) {
                try records.add(
                    source: source, from: row.start * 1_000, until: row.end * 1_000,
                    steps: row.steps)
                return true
            } catch {
                failure = error
                return false
            }
        }
        let query = table.query(name, hasHeart ? "HEART_RATE" : "NULL")
        try Self.rows(of: query, in: database) { row in
            let (device, timestamp) = (row.integer(at: 0), row.integer(at: 1))
            // 10 and less, and 250 and more, stand for none.
            if let timestamp, let rate = row.integer(at: 4), (11..<250).contains(rate),
                (0..<1 << 40).contains(timestamp), walks.contains(timestamp * 1_000, of: device)
            {
                walks.add(UInt16(rate), at: timestamp * 1_000)
            }
            guard let device, let timestamp,
                let steps = row.integer(at: 2)
            else {
                unreadable += 1
                return true
            }
            guard steps >= 0, !(table.isByte && steps == 255) else { return true }
            // As seconds it would not fit into milliseconds; it is out of range in any case.
            let time = min(max(timestamp, -1 << 40), 1 << 40)
            let found = counters[device, default: GadgetbridgeCounter(offsetMinutes)]
                .row(table.counting, at: time, steps: steps, detail: row.integer(at: 3))
            return add(found, device)
        }
        for (device, var counter) in counters.sorted(by: { $0.key < $1.key }) where failure == nil {
            _ = add(counter.last(), device)
        }
        unreadableCount += unreadable
        if let failure { throw failure }
    }
}

// MARK: - Workouts

extension GadgetbridgeDatabase {
    /// Reads the table of summaries, whose times are in milliseconds.
    private mutating func readWorkouts(
        _ names: [String], _ database: borrowing SQLiteDatabase
    ) throws(HealthStoreError) {
        let name = "BASE_ACTIVITY_SUMMARY"
        let needed = ["START_TIME", "END_TIME", "ACTIVITY_KIND", "DEVICE_ID"]
        guard names.contains(name) else { return }
        let columns = try Self.columns(of: name, database)
        guard Set(columns).isSuperset(of: needed) else { return }
        let others = ["GPX_TRACK", "SUMMARY_DATA"].map { columns.contains($0) ? $0 : "NULL" }
        var found: [HealthWorkout] = []
        try Self.rows(
            of: "SELECT \((needed + others).joined(separator: ", ")) FROM \(name) "
                + "ORDER BY START_TIME LIMIT \(HealthWorkout.limit)", in: database
        ) { row in
            guard let start = row.integer(at: 0), let end = row.integer(at: 1), start <= end,
                (0..<1 << 48).contains(start), end < 1 << 48
            else { return true }
            var workout = HealthWorkout(
                span: start...end,
                sport: row.integer(at: 2).flatMap { Sport(gadgetbridge: $0) },
                offsetMinutes: nil)
            if let path = row.text(at: 4) { workout.addRoute(path) }
            workout.takeSummary(row.text(at: 5))
            workout.device = row.integer(at: 3)
            found.append(workout)
            return true
        }
        workouts = found
        walks = HealthWalks(HealthWorkout.apart(found))
    }
}

extension HealthWorkout {
    /// Takes steps and metres of the summary's JSON:
    /// `{"steps":{"value":2345,"unit":"steps_unit"}}`.
    fileprivate mutating func takeSummary(_ text: String?) {
        guard let text, text.utf8.count <= 65_536,
            let summary = JSONValue(parsing: Array(text.utf8))
        else { return }
        func number(_ name: String, timesTenTo places: Int) -> UInt64? {
            guard case .number(let number)? = summary[name]?["value"] else { return nil }
            return number.text.whole(upTo: 100_000_000_000, timesTenTo: places)
        }
        steps = number("steps", timesTenTo: 0)
        if summary["distanceMeters"]?["unit"]?.text == "meters" {
            distanceMillimetres = number("distanceMeters", timesTenTo: 3)
        }
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
