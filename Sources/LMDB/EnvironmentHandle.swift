internal import CLMDB
internal import Files
internal import Glibc

/// The owner of LMDB's `MDB_env`: opens it with its files claimed, closes it when it goes.
///
/// Sendable without proof: LMDB locks what is behind the pointer and takes our calls from any
/// thread, but for the replacement of the map, which waits at the gate of the environment.
@safe
struct EnvironmentHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer
    /// The canonical path.
    let directory: String

    let files: OpenFiles
    let snapshots: SnapshotCheck
    let turn: WriterTurn
    /// The lock file, if this process reads without a lock.
    private let lockFile: LockFile?
    private let processID = getpid()

    init(
        directory path: String, mapSizeBytes: Int, databaseCount: Int, mode: Environment.Mode
    ) throws(LMDBError) {
        let directory = try mapErrors { () throws(SystemCallError) in
            try FilePath.canonical(path)
        }
        let dataFile = directory + "/data.mdb"
        let created = unsafe try Self.create(mapSizeBytes, databaseCount)
        var descriptor: Int32 = -1
        var lockFile: LockFile?
        do {
            files = try OpenEnvironments.claim(directory) { () throws(LMDBError) in
                if try MetaPages.inspect(path: dataFile) == nil {
                    guard mode == .readWrite else {
                        throw LMDBError(
                            .environmentMissing, call: "mdb_env_open", text: "there is no database",
                            detail: directory)
                    }
                    try FileSystem.begin(
                        dataFile: dataFile,
                        MetaPage.blankPair(mapSizeBytes: AddressSpace.fitting(mapSizeBytes)))
                }
                var flags = MDB_NORDAHEAD | MDB_NOTLS
                if mode == .readOnly {
                    flags |= MDB_RDONLY
                    lockFile = try LockFile(unlessWritableIn: directory)
                    if lockFile != nil { flags |= MDB_NOLOCK }
                }
                do throws(LMDBError) {
                    if flags & MDB_NOLOCK == 0 {
                        try LockFile.reserve(in: directory)
                    }
                    return unsafe try Self.open(created, directory, flags, &descriptor)
                } catch {
                    lockFile?.close()
                    throw error
                }
            }
        } catch {
            unsafe mdb_env_close(created)
            throw error
        }
        unsafe pointer = created
        self.lockFile = lockFile
        self.directory = directory
        snapshots = SnapshotCheck(DataFile(descriptor: descriptor, path: dataFile))
        turn = WriterTurn(descriptor: descriptor)
    }

    deinit {
        // A forked child must not close what its parent still uses.
        guard getpid() == processID else { return }
        let (pointer, lockFile) = unsafe (pointer, lockFile)
        OpenEnvironments.release(files) {
            unsafe mdb_env_close(pointer)
            lockFile?.close()
        }
    }

    /// Stops a process that inherited the environment instead of opening it.
    func preconditionNotForked() {
        precondition(
            getpid() == processID, "An LMDB environment must not be used after fork; reopen it.")
    }

    /// Begins a transaction of a snapshot whose pages LMDB can follow.
    ///
    /// - Parameters:
    ///   - flags: LMDB's.
    ///   - toleratesFailedCommit: Whether the older meta page may be what a failed commit has left.
    /// - Returns: The transaction.
    /// - Throws: ``LMDBError`` with `truncated`, `corrupted`, `commitInDoubt` or `damagedMetaPages`
    ///   if it cannot, or LMDB's error.
    func begin(
        _ flags: UInt32, toleratesFailedCommit: Bool = false
    ) throws(LMDBError) -> OpaquePointer {
        var overtaken: UInt64?
        while true {
            try throwIfOpenElsewhere()
            try snapshots.checkLength()
            var begun: OpaquePointer?
            let result = unsafe mdb_txn_begin(pointer, nil, flags, &begun)
            // Readers are told apart by their process numbers, by a lock on a byte for each.
            guard result != EAGAIN else {
                throw LMDBError(
                    .processNumberTaken, call: "mdb_txn_begin",
                    text: "another process has the number \(processID) as well", detail: directory)
            }
            guard let begun = unsafe begun, result == MDB_SUCCESS else {
                throw LMDBError(result: result, call: "mdb_txn_begin")
            }
            let isReading = flags & UInt32(MDB_RDONLY) != 0
            let snapshot = unsafe Self.number(of: begun) &- (isReading ? 0 : 1)
            do throws(LMDBError) {
                if try snapshots.admits(snapshot, toleratesFailedCommit: toleratesFailedCommit) {
                    return unsafe begun
                }
                // The next one is of a later commit, unless the lock file speaks of another file.
                guard overtaken != snapshot else {
                    throw LMDBError(
                        .damagedMetaPages, dataFile: directory + "/data.mdb",
                        "no meta page is of the commit \(snapshot)")
                }
                overtaken = snapshot
            } catch {
                unsafe mdb_txn_abort(begun)
                // A writer that came meanwhile looks like damage to a reader without a lock.
                try throwIfOpenElsewhere()
                throw error
            }
            unsafe mdb_txn_abort(begun)
        }
    }

    /// Throws if this process reads without a lock, and another has the environment open.
    func throwIfOpenElsewhere() throws(LMDBError) {
        try lockFile?.throwIfOpenElsewhere()
    }

    /// Commits; the transaction ends, whatever comes of it.
    ///
    /// - Parameters:
    ///   - transaction: The write transaction.
    ///   - hasWritten: Whether it changed anything; else its number is that of somebody's next one.
    /// - Returns: LMDB's result.
    func commit(_ transaction: OpaquePointer, hasWritten: Bool) -> Int32 {
        let snapshot = unsafe Self.number(of: transaction)
        let result = unsafe mdb_txn_commit(transaction)
        if result == MDB_SUCCESS, hasWritten { snapshots.pass(snapshot) }
        return result
    }

    /// Opens each database once, in one committed transaction: an aborted one closes them again.
    ///
    /// - Parameters:
    ///   - names: Their names.
    ///   - creating: Whether to create those that are missing.
    ///   - toleratesFailedCommit: Whether the older meta page may be what a failed commit has left.
    /// - Returns: The databases by name.
    /// - Throws: ``LMDBError``.
    func openDatabases(
        _ names: [String], creating: Bool, toleratesFailedCommit: Bool
    ) throws(LMDBError) -> [String: Database] {
        let begun = unsafe try begin(
            creating ? 0 : UInt32(MDB_RDONLY), toleratesFailedCommit: toleratesFailedCommit)
        let transaction = unsafe ReadTransaction(owning: begun)
        var databases: [String: Database] = [:]
        for name in names {
            var identifier: MDB_dbi = 0
            let result = unsafe mdb_dbi_open(
                begun, name, creating ? UInt32(MDB_CREATE) : 0, &identifier)
            try LMDBError.check(result, "mdb_dbi_open", detail: name)
            databases[name] = Database(identifier: identifier)
        }
        try LMDBError.check(
            unsafe mdb_txn_commit(transaction.surrenderedHandle()), "mdb_txn_commit")
        return databases
    }

    /// The number of a transaction, which damaged files can make any.
    private static func number(of transaction: OpaquePointer) -> UInt64 {
        unsafe UInt64(bitPattern: Int64(mdb_txn_id(transaction)))
    }

    private static func create(
        _ mapSizeBytes: Int, _ databaseCount: Int
    ) throws(LMDBError) -> OpaquePointer {
        var created: OpaquePointer?
        let result = unsafe mdb_env_create(&created)
        guard let pointer = unsafe created else {
            throw LMDBError(result: result, call: "mdb_env_create")
        }
        // These only set fields of an environment that is not open, and cannot fail for values
        // that the caller has checked.
        unsafe mdb_env_set_mapsize(pointer, AddressSpace.fitting(mapSizeBytes))
        unsafe mdb_env_set_maxdbs(pointer, UInt32(databaseCount))
        unsafe mdb_env_set_maxreaders(pointer, UInt32(LockFile.readerSlots))
        return unsafe pointer
    }

    private static func open(
        _ pointer: OpaquePointer, _ directory: String, _ flags: Int32,
        _ descriptor: inout Int32
    ) throws(LMDBError) -> OpenFiles {
        let result = unsafe mdb_env_open(pointer, directory, UInt32(flags), 0o600)
        try LMDBError.check(result, "mdb_env_open", detail: directory)
        try LMDBError.check(unsafe mdb_env_get_fd(pointer, &descriptor), "mdb_env_get_fd")
        guard let identity = try FileSystem.identity(of: directory) else {
            throw LMDBError(result: ENOENT, call: "stat", detail: directory)
        }
        let opened = descriptor
        return OpenFiles(
            directory: identity,
            data: try mapErrors { () throws(SystemCallError) in
                try FileIdentity(descriptor: opened)
            },
            lock: try FileSystem.identity(of: directory + "/lock.mdb"))
    }
}
