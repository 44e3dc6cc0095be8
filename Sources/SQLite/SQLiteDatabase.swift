internal import CSQLite
internal import Glibc

/// A database file of another program, read and never written.
///
/// It is opened as immutable: SQLite takes no lock, makes no file next to it and looks at none, so
/// neither the file nor its owner can notice. The price: what lies in a write-ahead log is not
/// seen, and a file that changes while it is read may look damaged; it can be read again. A copy
/// that is the reader's own can be opened with its log.
///
/// ```swift
/// let database = try SQLiteDatabase(readingUnchanged: "/tmp/copy.db")
/// try database.forEachRow(of: "SELECT name FROM sqlite_schema") { row in
///     names.append(row.text(at: 0) ?? "")
///     return true
/// }
/// ```
///
/// It belongs to one thread at a time.
@safe
public struct SQLiteDatabase: ~Copyable {
    /// The longest text or row in bytes; a longer one is an error.
    static let lengthLimitBytes: Int32 = 1_024 * 1_024

    private let handle: OpaquePointer

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - limit: After how many instructions of SQLite's virtual machine, each time, a query ends
    ///     with an error if so much time is over, as one can make a million bytes; nil for never.
    /// - Throws: ``SQLiteError`` if it cannot be opened; whether it is a database at all shows with
    ///   the first query.
    public init(
        readingUnchanged path: String, within limit: (steps: Int32, time: Duration)? = nil
    ) throws(SQLiteError) {
        unsafe handle = try Self.open(path)
        guard let limit else { return }
        // Its context is no address, but the time from which on it says no.
        let end = Self.milliseconds + UInt(limit.time / .milliseconds(1))
        unsafe sqlite3_progress_handler(
            handle, limit.steps, { SQLiteDatabase.milliseconds >= UInt(bitPattern: $0) ? 1 : 0 },
            UnsafeMutableRawPointer(bitPattern: end))
    }

    /// Of a clock that is never set.
    private static var milliseconds: UInt {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt(time.tv_sec) * 1_000 + UInt(time.tv_nsec) / 1_000_000
    }

    /// Opens a file with the write-ahead log next to it; SQLite makes an index of the log there.
    ///
    /// - Parameter path: The path of a file that is the caller's own.
    /// - Throws: ``SQLiteError`` if it cannot be opened.
    public init(readingWithLog path: String) throws(SQLiteError) {
        unsafe handle = try Self.open(path, isUnchanged: false)
    }

    /// Looks whether the pages fit together, which those of a log and of another database do not.
    ///
    /// - Throws: ``SQLiteError`` if they do not.
    public borrowing func checkPages() throws(SQLiteError) {
        let finding = try first(of: "PRAGMA quick_check(1)") { $0.text(at: 0) }
        guard finding == "ok" else {
            throw SQLiteError(result: SQLITE_CORRUPT, call: "quick_check")
        }
    }

    private static func open(
        _ path: String, isUnchanged: Bool = true
    ) throws(SQLiteError) -> OpaquePointer {
        // To open a pipe would wait for somebody who writes to it.
        var status = stat()
        let isSpecial = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        guard !isSpecial else {
            throw SQLiteError(result: SQLITE_CANTOPEN, call: "sqlite3_open_v2")
        }
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(
            uri(path, isUnchanged: isUnchanged), &opened,
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe opened else {
            throw SQLiteError(result: result, call: "sqlite3_open_v2")
        }
        do throws(SQLiteError) {
            unsafe try check(result, "sqlite3_open_v2", handle)
            unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, lengthLimitBytes)
            unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
            unsafe try check(pulselog_sqlite_distrust(handle), "sqlite3_db_config", handle)
            // A mapped file that its owner cuts short would end the process.
            let settings = "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON"
            unsafe try check(
                sqlite3_exec(handle, settings, nil, nil, nil), "sqlite3_exec", handle)
        } catch {
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        return unsafe handle
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs a query and lends its rows, one at a time; none is kept.
    ///
    /// - Parameters:
    ///   - sql: One statement that reads.
    ///   - text: The values of its parameters `?1`, `?2` and so on.
    ///   - body: Given each row; false ends the query.
    /// - Throws: ``SQLiteError`` if the statement is wrong, or the file is no database or damaged.
    public borrowing func forEachRow(
        of sql: String, binding text: [String] = [], _ body: (borrowing SQLiteRow) -> Bool
    ) throws(SQLiteError) {
        var prepared: OpaquePointer?
        unsafe try Self.check(
            sqlite3_prepare_v2(handle, sql, -1, &prepared, nil), "sqlite3_prepare_v2", handle)
        guard let statement = unsafe prepared else {
            throw SQLiteError(result: SQLITE_MISUSE, call: "sqlite3_prepare_v2")
        }
        defer { unsafe sqlite3_finalize(statement) }
        for (index, value) in text.enumerated() {
            // The destructor -1 makes SQLite copy the text at once.
            let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let result = unsafe sqlite3_bind_text(statement, Int32(index) + 1, value, -1, copied)
            unsafe try Self.check(result, "sqlite3_bind_text", handle)
        }
        while true {
            let result = unsafe sqlite3_step(statement)
            guard result == SQLITE_ROW else {
                guard result != SQLITE_DONE else { return }
                unsafe try Self.check(result, "sqlite3_step", handle)
                return
            }
            guard body(unsafe SQLiteRow(statement)) else { return }
        }
    }

    /// Runs a query and takes something out of its first row.
    ///
    /// - Parameters:
    ///   - sql: One statement that reads.
    ///   - text: The values of its parameters `?1`, `?2` and so on.
    ///   - body: Given the row.
    /// - Returns: What `body` gives; nil if there is no row.
    /// - Throws: ``SQLiteError`` if the statement is wrong, or the file is no database or damaged.
    public borrowing func first<Value>(
        of sql: String, binding text: [String] = [], _ body: (borrowing SQLiteRow) -> Value?
    ) throws(SQLiteError) -> Value? {
        var value: Value?
        try forEachRow(of: sql, binding: text) { row in
            value = body(row)
            return false
        }
        return value
    }

    private static func check(
        _ result: Int32, _ call: String, _ handle: OpaquePointer
    ) throws(SQLiteError) {
        guard result != SQLITE_OK else { return }
        throw SQLiteError(
            code: SQLiteError.Code(result: result), call: call,
            libraryText: unsafe String(cString: sqlite3_errmsg(handle)))
    }

    /// The path as a URI, which says whether nobody changes the file.
    static func uri(_ path: String, isUnchanged: Bool = true) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                escaped.append(byte)
            default:
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        // Two slashes at the beginning would be read as the name of a host.
        let authority = path.hasPrefix("/") ? "//" : ""
        return "file:" + authority + String(decoding: escaped, as: UTF8.self)
            + (isUnchanged ? "?immutable=1" : "")
    }
}

/// A row, lent while its query stands on it.
@safe
public struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        unsafe self.statement = statement
    }

    /// Takes the integer out of a column.
    ///
    /// - Parameter index: The column, counted from 0.
    /// - Returns: The integer, or nil if something else is there.
    public borrowing func integer(at index: Int) -> Int64? {
        guard unsafe sqlite3_column_type(statement, Int32(index)) == SQLITE_INTEGER else {
            return nil
        }
        return unsafe sqlite3_column_int64(statement, Int32(index))
    }

    /// Takes the bytes out of a column.
    ///
    /// - Parameter index: The column, counted from 0.
    /// - Returns: The bytes, or nil if something else is there.
    public borrowing func bytes(at index: Int) -> [UInt8]? {
        guard unsafe sqlite3_column_type(statement, Int32(index)) == SQLITE_BLOB else {
            return nil
        }
        guard let start = unsafe sqlite3_column_blob(statement, Int32(index)) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(statement, Int32(index)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Takes the text out of a column.
    ///
    /// - Parameter index: The column, counted from 0.
    /// - Returns: The text, with bytes replaced that are not UTF-8; or nil if something else is
    ///   there.
    public borrowing func text(at index: Int) -> String? {
        guard unsafe sqlite3_column_type(statement, Int32(index)) == SQLITE_TEXT,
            let start = unsafe sqlite3_column_text(statement, Int32(index))
        else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, Int32(index)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
