internal import CLMDB
internal import Glibc

/// A place in a database, moved in the order of the keys.
///
/// Lent by ``ReadTransaction/withCursor(in:_:)``. Moving past an end leaves it standing nowhere.
///
/// ```swift
/// try transaction.withCursor(in: log) { cursor in
///     var hasEntry = try cursor.move(toOrAfter: RecordKey(first))
///     while hasEntry {
///         cursor.withEntry { key, value in total += value.count }
///         hasEntry = try cursor.moveToNext()
///     }
/// }
/// ```
@safe @frozen
public struct Cursor: ~Copyable {
    @usableFromInline let handle: OpaquePointer
    @usableFromInline var key = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    @usableFromInline var value = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    @usableFromInline var hasEntry = false
    private let isAmongChanges: Bool

    /// Takes over an open cursor.
    init(owning handle: OpaquePointer, amongChanges isAmongChanges: Bool) {
        unsafe self.handle = handle
        self.isAmongChanges = isAmongChanges
    }

    deinit {
        unsafe mdb_cursor_close(handle)
    }

    /// Moves to the least key.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``LMDBError`` if the tree is damaged.
    public mutating func moveToFirst() throws(LMDBError) -> Bool {
        try move(MDB_FIRST)
    }

    /// Moves to the greatest key.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``LMDBError`` if the tree is damaged.
    public mutating func moveToLast() throws(LMDBError) -> Bool {
        try move(MDB_LAST)
    }

    /// Moves to the next key; to the first, if the cursor was never moved.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``LMDBError`` if the tree is damaged.
    public mutating func moveToNext() throws(LMDBError) -> Bool {
        try move(MDB_NEXT)
    }

    /// Moves to the key before; to the last, if the cursor was never moved.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``LMDBError`` if the tree is damaged.
    public mutating func moveToPrevious() throws(LMDBError) -> Bool {
        try move(MDB_PREV)
    }

    /// Moves to a key, or to the next one above it.
    ///
    /// - Parameter key: The key, 1 to 511 bytes.
    /// - Returns: Whether there is one at or above `key`.
    /// - Throws: ``LMDBError`` if the key has no bytes or too many, or if the tree is damaged.
    @inlinable
    public mutating func move(toOrAfter key: borrowing some DatabaseKey) throws(LMDBError) -> Bool {
        try key.withBytes { bytes throws(LMDBError) in
            try seek(bytes)
        }
    }

    /// Lends the entry that the cursor stands on.
    ///
    /// It is a programmer error to call it on a cursor whose last move returned false.
    ///
    /// - Parameter body: Called with key and value; the spans are valid inside only.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @inlinable
    public borrowing func withEntry<Result, Failure: Error>(
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(hasEntry, "The cursor has no entry: no move returned true.")
        return try body(
            unsafe Span(_unsafeBytes: key), unsafe Span(_unsafeBytes: value))
    }
}

extension Cursor {
    /// Gives the memory back into which the pages of the entry's value were mapped, so that what a
    /// process has read does not count as its own; they are mapped again when they are wanted.
    ///
    /// Does nothing once the transaction has written: pages that it changed stand nowhere else.
    public borrowing func releaseValue() {
        guard !isAmongChanges, let start = unsafe value.baseAddress else { return }
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        let before = Int(bitPattern: start) % pageBytes
        unsafe madvise(
            UnsafeMutableRawPointer(mutating: start - before), before + value.count, MADV_DONTNEED)
    }
}

// MARK: - The calls below the generic surface

extension Cursor {
    mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
        var key = unsafe MDB_val()
        return unsafe try move(operation, &key)
    }

    @usableFromInline
    mutating func seek(_ bytes: Span<UInt8>) throws(LMDBError) -> Bool {
        try unsafe bytes.withUnsafeBytes { bytes throws(LMDBError) in
            var key = unsafe MDB_val(lending: bytes)
            return unsafe try move(MDB_SET_RANGE, &key)
        }
    }

    private mutating func move(
        _ operation: MDB_cursor_op, _ key: inout MDB_val
    ) throws(LMDBError) -> Bool {
        var value = unsafe MDB_val()
        let result = unsafe mdb_cursor_get(handle, &key, &value, operation)
        hasEntry = result == MDB_SUCCESS
        guard result != MDB_NOTFOUND else { return false }
        try LMDBError.check(result, "mdb_cursor_get")
        unsafe self.key = key.bytes
        unsafe self.value = value.bytes
        return true
    }
}
