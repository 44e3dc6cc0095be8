internal import EventStore
internal import Events
internal import LMDB

extension Environment {
    /// The names of the databases of a store.
    static let storeTables = ["log", "meta"]

    /// Blocks, by the position of their first event.
    var log: Database { database("log") }
    /// What is true of the log as a whole, by name; see ``LogIdentity``.
    var meta: Database { database("meta") }
}

/// In which form a store has the leaves of its tree: the row `format` of its table `meta`, which is
/// a `u32` little-endian.
enum StoreFormat: UInt32 {
    /// By their numbers, as an earlier version has sealed it; the next seal changes that.
    case leavesByNumber = 1
    /// By the positions of their blocks.
    case leavesByPosition = 2

    fileprivate static let name = "format"

    /// Reads the row.
    ///
    /// - Throws: ``EventLogError`` `unrecognized` if it is another format, `damaged` if it is
    ///   missing.
    init(
        reading transaction: borrowing ReadTransaction, of environment: Environment
    ) throws {
        let row = try LogIdentity.row(Self.name, transaction, environment)
        let number = row.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard row.count == 4, let format = StoreFormat(rawValue: number) else {
            let words = row.count == 4 ? "the format \(number)" : "no format that has a number"
            throw EventLogError(.unrecognized, detail: "the store has \(words)")
        }
        self = format
    }

    /// Writes the row.
    func write(
        to transaction: inout WriteTransaction, of environment: Environment
    ) throws(LMDBError) {
        let bytes = LogIdentity.bytes(of: rawValue)
        try transaction.put(bytes.span, at: Array(Self.name.utf8), in: environment.meta)
    }
}

/// Which log a store holds: the rows of its table `meta`.
///
/// | Key | Value |
/// |---|---|
/// | `format` | see ``StoreFormat`` |
/// | `id` | 16 random bytes |
/// | `created` | `i64` little-endian: UTC in milliseconds since 1970-01-01 |
struct LogIdentity: Equatable {
    /// The names of the rows.
    static let names = [StoreFormat.name, "id", "created"]

    let id: [UInt8]
    let createdMilliseconds: Int64
}

extension LogIdentity {
    init(of origin: LogOrigin) {
        id = origin.id
        createdMilliseconds = origin.createdMilliseconds
    }

    /// Reads the rows.
    ///
    /// - Throws: ``EventLogError`` `unrecognized` if they are of another format, `damaged` if one
    ///   is missing.
    init(
        reading transaction: borrowing ReadTransaction, of environment: Environment
    ) throws {
        _ = try StoreFormat(reading: transaction, of: environment)
        id = try Self.row("id", transaction, environment)
        let created = try Self.row("created", transaction, environment)
        guard id.count == LogOrigin.idBytes, created.count == 8 else {
            throw EventLogError.damaged("its id or its date is of impossible length")
        }
        let bits = created.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        createdMilliseconds = Int64(bitPattern: bits)
    }

    /// Begins a log in a store: nothing that the store holds vouches for it.
    ///
    /// - Throws: `LMDBError`.
    func begin(in transaction: inout WriteTransaction, of environment: Environment) throws {
        let keys = try transaction.reading.withCursor(in: environment.meta) { cursor in
            var keys: [[UInt8]] = []
            while try cursor.moveToNext() {
                keys.append(cursor.withEntry { key, _ in [UInt8](copying: key) })
            }
            return keys
        }
        for key in keys { try transaction.delete(key, in: environment.meta) }
        try StoreFormat.leavesByPosition.write(to: &transaction, of: environment)
        try write(to: &transaction, of: environment)
    }

    /// Writes again what of the log there is.
    func write(
        to transaction: inout WriteTransaction, of environment: Environment
    ) throws(LMDBError) {
        let meta = environment.meta
        try transaction.put(id.span, at: Self.key("id"), in: meta)
        try transaction.put(
            Self.bytes(of: createdMilliseconds).span, at: Self.key("created"), in: meta)
    }

    fileprivate static func row(
        _ name: String, _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws -> [UInt8] {
        guard let value = try transaction.row(name, of: environment) else {
            throw EventLogError.damaged("it does not say its \(name)")
        }
        return value
    }

    private static func key(_ name: String) -> [UInt8] { Array(name.utf8) }

    fileprivate static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
