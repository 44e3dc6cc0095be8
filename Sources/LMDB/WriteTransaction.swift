internal import CLMDB

/// The one transaction that may change an environment; it commits or aborts with its closure.
///
/// Lent by ``Environment/write(_:)``. Every write is `mutating`, and what reads borrows: the
/// compiler refuses a write while a value of this transaction is lent out, which could move under
/// the reader.
@safe @frozen
public struct WriteTransaction: ~Copyable {
    /// What is written if there is something at the key, or above it, already.
    public enum PutMode: Sendable {
        /// The new value takes the place of an old one.
        case replace
        /// An old value stays, and the write fails with ``LMDBError/Code/keyExists``.
        case insert
        /// The key must be above all others, or the write fails with ``LMDBError/Code/keyExists``.
        ///
        /// Pages are filled completely, where other orders leave them half empty.
        case append
    }

    /// The view of this transaction, its own writes included.
    public internal(set) var reading: ReadTransaction

    init(owning handle: OpaquePointer) {
        reading = unsafe ReadTransaction(owning: handle)
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The bytes, which are copied.
    ///   - key: The key, 1 to 511 bytes.
    ///   - database: A database of this environment.
    ///   - mode: What happens if the key, or one above it, is there.
    /// - Throws: ``LMDBError`` with `keyExists` as `mode` says, `mapFull`, or `badValueSize`.
    @inlinable
    public mutating func put(
        _ value: Span<UInt8>, at key: borrowing some DatabaseKey, in database: Database,
        _ mode: PutMode = .replace
    ) throws(LMDBError) {
        try key.withBytes { bytes throws(LMDBError) in
            try store(value, at: bytes, in: database, mode)
        }
    }

    /// Writes the pages that were changed so far into the file, where nobody sees them before the
    /// commit, and frees the memory that they took.
    ///
    /// LMDB does it when a write might need more pages than it keeps (`mdb_page_spill` in mdb.c),
    /// and before it finds that a value cannot stand where a table does: this names such a value.
    ///
    /// - Throws: ``LMDBError`` of the system, if the disk is full.
    public mutating func spill() throws(LMDBError) {
        var (name, value) = unsafe (MDB_val(), MDB_val(mv_size: 1 << 30, mv_data: nil))
        let database = Database.names
        let cursor = try reading.openCursor(in: database)
        try LMDBError.check(
            unsafe mdb_cursor_get(cursor.handle, &name, nil, MDB_FIRST), "mdb_cursor_get")
        let result = unsafe mdb_put(reading.handle, database.identifier, &name, &value, 0)
        guard result != MDB_INCOMPATIBLE else { return }
        try LMDBError.check(result, "mdb_put")
    }

    /// Removes a key and its value.
    ///
    /// - Parameters:
    ///   - key: The key, 1 to 511 bytes.
    ///   - database: A database of this environment.
    /// - Returns: Whether the key was there.
    /// - Throws: ``LMDBError`` with `mapFull`, or `badValueSize`.
    @inlinable
    @discardableResult
    public mutating func delete(
        _ key: borrowing some DatabaseKey, in database: Database
    ) throws(LMDBError) -> Bool {
        try key.withBytes { bytes throws(LMDBError) in
            try remove(bytes, in: database)
        }
    }
}

// MARK: - The calls below the generic surface

extension WriteTransaction {
    @usableFromInline
    mutating func store(
        _ value: Span<UInt8>, at key: Span<UInt8>, in database: Database, _ mode: PutMode
    ) throws(LMDBError) {
        let result = unsafe key.withUnsafeBytes { keyBytes in
            unsafe value.withUnsafeBytes { valueBytes in
                var key = unsafe MDB_val(lending: keyBytes)
                var value = unsafe MDB_val(lending: valueBytes)
                return unsafe mdb_put(
                    reading.handle, database.identifier, &key, &value, mode.flags)
            }
        }
        try LMDBError.check(result, "mdb_put")
        reading.hasWritten = true
    }

    @usableFromInline
    mutating func remove(_ key: Span<UInt8>, in database: Database) throws(LMDBError) -> Bool {
        let result = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(lending: bytes)
            return unsafe mdb_del(reading.handle, database.identifier, &key, nil)
        }
        guard result != MDB_NOTFOUND else { return false }
        try LMDBError.check(result, "mdb_del")
        reading.hasWritten = true
        return true
    }
}

extension WriteTransaction.PutMode {
    fileprivate var flags: UInt32 {
        switch self {
        case .replace: 0
        case .insert: UInt32(MDB_NOOVERWRITE)
        case .append: UInt32(MDB_APPEND)
        }
    }
}
