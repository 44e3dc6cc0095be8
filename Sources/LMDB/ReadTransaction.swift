internal import CLMDB

/// A view of all databases as one commit left them.
///
/// Lent by ``Environment/read(_:)`` and by ``WriteTransaction/reading``; it ends with the closure.
/// Values are lent in turn: a span points into the map and cannot leave its closure.
@safe @frozen
public struct ReadTransaction: ~Copyable {
    @usableFromInline let handle: OpaquePointer
    /// Whether anything was changed, in a write transaction.
    var hasWritten = false

    /// Takes over a transaction that has begun.
    init(owning handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe mdb_txn_abort(handle)
    }

    /// Gives up the handle without ending the transaction.
    consuming func surrenderedHandle() -> OpaquePointer {
        let handle = unsafe handle
        discard self
        return unsafe handle
    }

    /// Lends the value at a key.
    ///
    /// - Parameters:
    ///   - key: The key, 1 to 511 bytes.
    ///   - database: A database of this environment.
    ///   - body: Called with the value, if there is one; the span is valid inside only.
    /// - Returns: What `body` returns, or nil if there is no such key.
    /// - Throws: ``LMDBError`` if LMDB refuses, or what `body` throws.
    @inlinable
    public borrowing func get<Result>(
        _ key: borrowing some DatabaseKey, in database: Database,
        _ body: (Span<UInt8>) throws -> Result
    ) throws -> Result? {
        let value = try unsafe key.withBytes { bytes throws(LMDBError) in
            unsafe try find(bytes, in: database)
        }
        guard let value = unsafe value else { return nil }
        return try body(unsafe Span(_unsafeBytes: value))
    }

    /// Lends the entry with the greatest key.
    ///
    /// - Parameters:
    ///   - database: A database of this environment.
    ///   - body: Called with key and value; the spans are valid inside only.
    /// - Returns: What `body` returns, or nil if the database is empty.
    /// - Throws: ``LMDBError`` if LMDB refuses, or what `body` throws.
    @inlinable
    public borrowing func lastEntry<Result>(
        in database: Database,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws -> Result
    ) throws -> Result? {
        try withCursor(in: database) { cursor in
            try cursor.moveToLast() ? cursor.withEntry(body) : nil
        }
    }

    /// Lends a cursor, which stands nowhere until it is moved.
    ///
    /// - Parameters:
    ///   - database: A database of this environment.
    ///   - body: Called with the cursor, which is closed afterwards.
    /// - Returns: What `body` returns.
    /// - Throws: ``LMDBError`` if LMDB refuses, or what `body` throws.
    @inlinable
    public borrowing func withCursor<Result>(
        in database: Database, _ body: (inout Cursor) throws -> Result
    ) throws -> Result {
        var cursor = try openCursor(in: database)
        return try body(&cursor)
    }

    /// The figures of a database in this view.
    ///
    /// - Parameter database: A database of this environment.
    /// - Returns: Its figures.
    /// - Throws: ``LMDBError`` if LMDB refuses.
    public borrowing func statistics(
        of database: Database
    ) throws(LMDBError) -> (entryCount: Int, pageSizeBytes: Int) {
        var stat = MDB_stat()
        try LMDBError.check(unsafe mdb_stat(handle, database.identifier, &stat), "mdb_stat")
        return (Int(stat.ms_entries), Int(stat.ms_psize))
    }
}

extension ReadTransaction {
    /// The number of the commit that this view is of.
    var number: UInt64 { unsafe UInt64(bitPattern: Int64(mdb_txn_id(handle))) }

    /// The number of pages that no tree of this view uses, and that writers take first.
    ///
    /// - Throws: ``LMDBError`` if the free list is damaged.
    public var freePageCount: Int {
        get throws(LMDBError) {
            // The first number of each entry says how many follow; `FREE_DBI` in mdb.c.
            var cursor = try openCursor(in: Database(identifier: 0))
            var count: UInt64 = 0
            while try cursor.moveToNext() {
                count += cursor.withEntry { _, value in
                    value.count < 8 ? 0 : unsafe value.bytes.unsafeLoadUnaligned(as: UInt64.self)
                }
            }
            return Int(count)
        }
    }
}

// MARK: - The calls below the generic surface

extension ReadTransaction {
    @usableFromInline
    borrowing func find(
        _ key: Span<UInt8>, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        var value = unsafe MDB_val()
        let result = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(lending: bytes)
            return unsafe mdb_get(handle, database.identifier, &key, &value)
        }
        guard result != MDB_NOTFOUND else { return nil }
        try LMDBError.check(result, "mdb_get")
        return unsafe value.bytes
    }

    @usableFromInline
    borrowing func openCursor(in database: Database) throws(LMDBError) -> Cursor {
        var cursor: OpaquePointer?
        let result = unsafe mdb_cursor_open(handle, database.identifier, &cursor)
        guard let cursor = unsafe cursor else {
            throw LMDBError(result: result, call: "mdb_cursor_open")
        }
        return unsafe Cursor(owning: cursor, amongChanges: hasWritten)
    }
}

extension MDB_val {
    /// Bytes that LMDB may read, for as long as the buffer lives.
    init(lending bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// Bytes that LMDB points at, for as long as the transaction and its next write.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
