import CSQLite

extension TemporaryDirectory {
    /// Makes a database of SQLite.
    ///
    /// - Parameters:
    ///   - name: Its file here.
    ///   - sql: The statements that make it.
    ///   - body: Runs while the database's owner has it open.
    /// - Returns: The file's path.
    /// - Throws: ``ProgramError`` in the words of SQLite, or what `body` throws.
    public func database(
        _ name: String, _ sql: String, whileOpen body: (String) throws -> Void = { _ in }
    ) throws -> String {
        let file = "\(path)/\(name)"
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open(file, &handle) == SQLITE_OK,
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
        else { throw ProgramError(String(cString: sqlite3_errmsg(handle))) }
        try body(file)
        return file
    }
}
