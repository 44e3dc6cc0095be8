internal import Glibc

/// What a copy of an environment came to.
public struct CopyReport: Equatable, Sendable {
    /// The bytes of the pages that were copied from, free ones included.
    public let sourceBytes: Int
    /// The bytes of the copy's data file.
    public let copyBytes: Int
    /// How many of the pages copied from are free.
    public let freePageCount: Int
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
}

extension Environment {
    /// The most bytes of one transaction of a compact copy, which stay in memory until it commits.
    private static let portionBytes = 16 << 20

    /// Copies the environment, as the last commit left it, while others read and write.
    ///
    /// It is not on disk yet when this returns: whoever gives it its name flushes it. No writer
    /// waits, and none is waited for. The copy is a view that stays open for as long as
    /// it takes: pages that become free meanwhile are not reused, so the file that is copied grows
    /// by what is written until the end.
    ///
    /// - Parameters:
    ///   - directory: The path of the copy: an empty directory, or one that is made. A `data.mdb`
    ///     in it is not overwritten.
    ///   - compacting: Rewrites the entries of all databases, without free pages and with full
    ///     ones. Slower.
    ///   - progress: Called now and then with the bytes that are done and their number in the end,
    ///     about; false ends the copy.
    /// - Returns: What it came to; nil if `progress` ended it.
    /// - Throws: ``LMDBError`` with the system's error; if `compacting` also with
    ///   `versionMismatch` if there are databases that were not named when this was opened. What
    ///   was copied so far stays.
    @discardableResult
    public func copy(
        toDirectory directory: String, compacting: Bool = false,
        progress: (_ doneBytes: Int, _ allBytes: Int) -> Bool = { _, _ in true }
    ) throws -> CopyReport? {
        if unsafe mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw LMDBError(result: errno, call: "mkdir", detail: directory)
        }
        let file = directory + "/data.mdb"
        guard unsafe access(file, F_OK) != 0 else {
            throw LMDBError(result: EEXIST, call: "open", detail: file)
        }
        return try withSnapshotPages { transaction, pages -> CopyReport? in
            let all = pages.byteCount
            let bytes =
                if compacting {
                    try writeTables(of: transaction, to: directory, all, progress)
                } else {
                    try pages.write(to: file) { progress($0, all) }
                }
            guard let bytes else { return nil }
            return CopyReport(
                sourceBytes: all, copyBytes: bytes,
                freePageCount: try transaction.freePageCount, pageSizeBytes: pages.pageSizeBytes)
        }
    }

    /// Lends a view and the pages of its snapshot.
    private func withSnapshotPages<Result>(
        _ body: (borrowing ReadTransaction, SnapshotPages) throws -> Result
    ) throws -> Result {
        while true {
            let result = try read { transaction -> Result? in
                let pages = try SnapshotPages(of: transaction.number, in: handle.snapshots.file)
                // Otherwise a commit came between: the next view is of that one.
                guard let pages else { return nil }
                return try body(transaction, pages)
            }
            if let result { return result }
        }
    }

    /// Writes all entries to a new environment.
    ///
    /// - Returns: The bytes of its data file; nil if `progress` ended it.
    private func writeTables(
        of transaction: borrowing ReadTransaction, to directory: String, _ allBytes: Int,
        _ progress: (Int, Int) -> Bool
    ) throws -> Int? {
        let names = databases.keys.sorted()
        guard try transaction.statistics(of: .names).entryCount == names.count else {
            throw LMDBError(
                .versionMismatch, call: "copy",
                text: "there are databases that this version does not know, and a compact copy "
                    + "would not have them", detail: handle.directory)
        }
        // A compact copy is no larger; each of its commits takes some pages of its own.
        let copy = try Environment(
            directory: directory, mapSizeBytes: allBytes + allBytes / 8 + (16 << 20),
            databases: names, allowsRemoteFileSystem: true)
        var doneBytes = 0
        for name in names {
            let (source, target) = (database(name), copy.database(name))
            let isWhole = try transaction.withCursor(in: source) { cursor in
                var hasEntry = try cursor.moveToFirst()
                while hasEntry {
                    guard progress(doneBytes, allBytes) else { return false }
                    hasEntry = try copy.write { writing in
                        try writing.append(
                            from: &cursor, to: target, atMost: Self.portionBytes, &doneBytes)
                    }
                }
                return true
            }
            guard isWhole else { return nil }
        }
        let info = try copy.info
        return (info.lastPageNumber + 1) * info.pageSizeBytes
    }
}

extension WriteTransaction {
    /// Appends the entries that a cursor of another environment comes by.
    ///
    /// - Returns: Whether the cursor stands on one that was not appended any more.
    fileprivate mutating func append(
        from cursor: inout Cursor, to database: Database, atMost limit: Int, _ doneBytes: inout Int
    ) throws(LMDBError) -> Bool {
        let end = doneBytes + limit
        var hasEntry = true
        while hasEntry, doneBytes < end {
            doneBytes += try cursor.withEntry { key, value throws(LMDBError) in
                try store(value, at: key, in: database, .append)
                return key.count + value.count
            }
            hasEntry = try cursor.moveToNext()
        }
        return hasEntry
    }
}
