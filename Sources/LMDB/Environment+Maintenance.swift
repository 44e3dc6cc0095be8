internal import CLMDB
internal import Glibc
internal import Threads

extension Environment {
    /// The figures of the environment now.
    ///
    /// - Throws: ``LMDBError`` if LMDB refuses.
    public var info: EnvironmentInfo {
        get throws(LMDBError) {
            try withMapHeld { () throws(LMDBError) in
                var info = unsafe MDB_envinfo()
                var stat = MDB_stat()
                try LMDBError.check(unsafe mdb_env_info(handle.pointer, &info), "mdb_env_info")
                try LMDBError.check(unsafe mdb_env_stat(handle.pointer, &stat), "mdb_env_stat")
                return unsafe EnvironmentInfo(
                    mapSizeBytes: info.me_mapsize, pageSizeBytes: Int(stat.ms_psize),
                    lastPageNumber: info.me_last_pgno, lastTransactionID: info.me_last_txnid,
                    readerSlots: Int(info.me_maxreaders))
            }
        }
    }

    /// Makes the map larger; does nothing if it is that large already.
    ///
    /// Waits until no transaction of this process is live, and lets none begin during the change;
    /// call it outside of any. Other processes adopt the size by themselves once they see it used.
    ///
    /// - Parameters:
    ///   - bytes: The new size, rounded up to whole pages.
    ///   - limit: How long to wait for live transactions.
    /// - Throws: ``LMDBError`` with `transactionsLive` if some did not end in time, or with the
    ///   system's `ENOMEM` if the address space has no such room. The map is as before.
    public func growMap(
        toBytes bytes: Int, waitingAtMost limit: Duration = .seconds(5)
    ) throws(LMDBError) {
        let info = try info
        guard bytes > info.mapSizeBytes else { return }
        let pageSize = max(info.pageSizeBytes, Int(sysconf(Int32(_SC_PAGESIZE))))
        let pageCount = (bytes - 1) / pageSize + 1
        try setMapSize(pageCount * pageSize, waitingAtMost: limit)
    }

    /// Takes over the map size that another process has stored, or as much of it as there is room
    /// for.
    ///
    /// - Throws: ``LMDBError`` with the system's `ENOMEM` if there is none for the pages in use.
    ///   The map is as before.
    func adoptMapSize() throws(LMDBError) {
        let (stored, used) = try MetaPages(handle.snapshots.file).mapSizeBytes
        try setMapSize(max(AddressSpace.fitting(stored), used), waitingAtMost: .seconds(5))
    }

    /// Frees the reader slots of processes that died, which keep pages from being reused.
    ///
    /// Call it every minute or so; opening does it as well.
    ///
    /// - Returns: The number of slots that were freed.
    /// - Throws: ``LMDBError`` if LMDB refuses.
    @discardableResult
    public func checkReaders() throws(LMDBError) -> Int {
        handle.preconditionNotForked()
        var deadCount: Int32 = 0
        try LMDBError.check(unsafe mdb_reader_check(handle.pointer, &deadCount), "mdb_reader_check")
        return Int(deadCount)
    }

    /// The numbers of the pages of the data file that were neither in use nor free when it was last
    /// looked at.
    ///
    /// They take room until the entries are copied into a new file, and harm nothing; unless they
    /// are of a commit of which nothing else has reached the disk.
    public var lostPages: [UInt64] { handle.snapshots.lostPages }

    /// Looks whether the files of the directory are still the ones that are open.
    ///
    /// Only looks at the names: to open and close the lock file would drop the lock. Call it
    /// before what must not be lost, and every minute or so.
    ///
    /// - Returns: What has changed; empty if all is well.
    /// - Throws: ``LMDBError`` with the system's error if it cannot look.
    public func changedFiles() throws(LMDBError) -> [FileChange] {
        let (files, directory) = (handle.files, handle.directory)
        var changes: [FileChange] = []
        let data = try FileSystem.identity(of: directory + "/data.mdb")
        if data != files.data {
            changes.append(data == nil ? .dataFileMissing : .dataFileReplaced)
        }
        let lock = try FileSystem.identity(of: directory + "/lock.mdb")
        if lock != files.lock {
            changes.append(lock == nil ? .lockFileMissing : .lockFileReplaced)
        }
        return changes
    }

    /// Whether the data file holds later commits than the map shows.
    ///
    /// On an overlay the first writer moves the file to another disk, under the same inode. What is
    /// read then comes from there, while a map that was made before stays with the one below
    /// (overlayfs, "Non-standard behavior"). Call it outside of any transaction.
    ///
    /// - Returns: Whether it does; nothing new is seen here any more then.
    /// - Throws: ``LMDBError`` if the meta pages are damaged.
    public func isOvertaken() throws(LMDBError) -> Bool {
        try withMapHeld { () throws(LMDBError) in
            let written = try MetaPages(handle.snapshots.file).lastTransactionID
            var info = unsafe MDB_envinfo()
            try LMDBError.check(unsafe mdb_env_info(handle.pointer, &info), "mdb_env_info")
            return unsafe UInt64(info.me_last_txnid) < written
        }
    }

    /// The process whose turn it is to write through ``write(_:)``, if it is another one.
    ///
    /// It lives, as the kernel says, but may be stopped. Nil as well while a program writes that
    /// uses LMDB in another way, or one of another container.
    public var otherWriterID: Int32? { handle.turn.otherHolder }

    /// What a process without privileges may still write to the disk of a directory.
    ///
    /// - Parameter directory: The path of the directory.
    /// - Returns: The bytes; nil if the system does not say.
    public static func availableDiskBytes(of directory: String) -> UInt64? {
        FileSystem.availableBytes(directory)
    }

    // MARK: - The map

    private func setMapSize(_ bytes: Int, waitingAtMost limit: Duration) throws(LMDBError) {
        handle.preconditionNotForked()
        let isDone: Void? = try gate.alone(waitingAtMost: limit) { () throws(LMDBError) in
            // LMDB drops the old map first, and must not be used again if it gets no new one.
            try AddressSpace.check(for: bytes)
            let result = unsafe mdb_env_set_mapsize(handle.pointer, bytes)
            try LMDBError.check(result, "mdb_env_set_mapsize", detail: "\(bytes) bytes")
        }
        guard isDone != nil else {
            throw LMDBError(
                .transactionsLive, call: "mdb_env_set_mapsize", text: "the map is in use",
                detail: "Transactions are live")
        }
    }

    /// Runs `body` while the map cannot be replaced, as a transaction does.
    func withMapHeld<Result>(
        _ body: () throws(LMDBError) -> Result
    ) throws(LMDBError) -> Result {
        handle.preconditionNotForked()
        gate.enter()
        defer { gate.leave() }
        return try body()
    }
}
