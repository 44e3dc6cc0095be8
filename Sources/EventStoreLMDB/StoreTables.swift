internal import EventStore
internal import LMDB

extension Environment {
    /// The names of the databases of a store.
    static let storeTables = ["log", "meta"]

    /// Blocks, by the position of their first event.
    var log: Database { database("log") }
    /// What is true of the log as a whole, by name; see ``LogIdentity``.
    var meta: Database { database("meta") }
}

/// Which log a store holds: the rows of its table `meta`.
///
/// | Key | Value |
/// |---|---|
/// | `format` | `u32` little-endian: 1 |
/// | `id` | 16 random bytes |
/// | `created` | `i64` little-endian: UTC in milliseconds since 1970-01-01 |
struct LogIdentity: Equatable {
    static let format: UInt32 = 1
    /// The names of the rows.
    static let names = ["format", "id", "created"]

    let id: [UInt8]
    let createdMilliseconds: Int64

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
        let format = try Self.row("format", transaction, environment)
        guard format == Self.bytes(of: Self.format) else {
            let number = format.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let words = format.count == 4 ? "the format \(number)" : "no format that has a number"
            throw EventLogError(.unrecognized, detail: "the store has \(words)")
        }
        id = try Self.row("id", transaction, environment)
        let created = try Self.row("created", transaction, environment)
        guard id.count == LogOrigin.idBytes, created.count == 8 else {
            throw EventLogError(.damaged, detail: "its id or its date is of impossible length")
        }
        let bits = created.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        createdMilliseconds = Int64(bitPattern: bits)
    }

    /// Writes the rows, of a new store or again.
    func write(
        to transaction: inout WriteTransaction, of environment: Environment
    ) throws(LMDBError) {
        let meta = environment.meta
        try transaction.put(Self.bytes(of: Self.format).span, at: Self.key("format"), in: meta)
        try transaction.put(id.span, at: Self.key("id"), in: meta)
        try transaction.put(
            Self.bytes(of: createdMilliseconds).span, at: Self.key("created"), in: meta)
    }

    private static func row(
        _ name: String, _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws -> [UInt8] {
        guard let value = try transaction.row(name, of: environment) else {
            throw EventLogError(.damaged, detail: "it does not say its \(name)")
        }
        return value
    }

    private static func key(_ name: String) -> [UInt8] { Array(name.utf8) }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
