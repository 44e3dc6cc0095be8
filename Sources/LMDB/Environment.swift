internal import CLMDB
internal import Synchronization
internal import Threads

/// One directory of databases, open in this process.
///
/// Transactions are lent to synchronous closures and cannot leave them. Reads run on any thread,
/// many at once; writes wait for each other, also across processes, and belong on one thread of
/// their own: a write blocks for as long as another process writes, and its commit for as long as
/// the disk takes. The files close when the last reference goes.
///
/// ```swift
/// let environment = try Environment(
///     directory: path, mapSizeBytes: 1 << 34, databases: ["log"])
/// let log = environment.database("log")
/// try environment.write { transaction in
///     try transaction.put(block.span, at: RecordKey(position), in: log, .append)
/// }
/// ```
@safe
public final class Environment: Sendable {
    /// Whether an environment may be changed through this process.
    public enum Mode: Sendable {
        /// Reads and writes; creates the files and the databases that are not there, with pages of
        /// 4 KiB whatever the system's are. No other process creates them at the same time.
        case readWrite
        /// Reads and writes what exists; creates neither files nor databases.
        case existing
        /// Reads only: the data file is not opened for writing.
        ///
        /// LMDB writes its lock file all the same. Where it cannot, on a medium or in a directory
        /// that is not writable, the environment is read as long as no other process has it open.
        case readOnly
    }

    let handle: EnvironmentHandle
    /// Counts live transactions, and holds them off while the map is replaced: LMDB unmaps the file
    /// for that and does not check whether a transaction still reads it.
    let gate = Gate()
    private let mode: Mode
    let databases: [String: Database]

    /// The commit error after which nothing more is written.
    ///
    /// Locked during each commit, so that the writer who waited for it learns the outcome first.
    private let commitFailure = Mutex<LMDBError?>(nil)

    /// Opens the environment in a directory.
    ///
    /// Every page of its trees is looked at before LMDB follows any of them, and a damaged file is
    /// refused untouched. Slots of readers that died are freed.
    ///
    /// - Parameters:
    ///   - directory: The path of a directory that exists.
    ///   - mapSizeBytes: The greatest size of the data file, a promise of address space and not of
    ///     disk; a multiple of the page size. Be generous: 16 GiB cost nothing. Where a limit
    ///     (RLIMIT_AS) leaves no such room, it is the half, the quarter and so on.
    ///   - databases: The names of the databases that are used, each opened once, here.
    ///   - mode: Whether this process may write.
    ///   - allowsRemoteFileSystem: Opens on NFS, SMB, 9P and FUSE as well, where LMDB promises
    ///     nothing.
    ///   - toleratesFailedCommit: Opens although the older meta page may be what a failed commit of
    ///     this process has left; the next commit mends that. Later snapshots are looked at without
    ///     such tolerance.
    /// - Throws: ``LMDBError`` with `alreadyOpen`, `remoteFileSystem`, `environmentMissing` and
    ///   `databaseMissing` (in the modes that create nothing), `invalidFile`, `versionMismatch`,
    ///   `damagedMetaPages`, `commitInDoubt`, `truncated`, `corrupted`, or the system's.
    public init(
        directory: String, mapSizeBytes: Int, databases: [String], mode: Mode = .readWrite,
        allowsRemoteFileSystem: Bool = false, toleratesFailedCommit: Bool = false
    ) throws(LMDBError) {
        precondition(mapSizeBytes > 0, "No map size.")
        if !allowsRemoteFileSystem {
            try FileSystem.refuseRemote(directory)
        }
        let handle = try EnvironmentHandle(
            directory: directory, mapSizeBytes: mapSizeBytes, databaseCount: databases.count,
            mode: mode)
        try LMDBError.check(unsafe mdb_reader_check(handle.pointer, nil), "mdb_reader_check")
        self.databases = try handle.openDatabases(
            databases, creating: mode == .readWrite, toleratesFailedCommit: toleratesFailedCommit)
        self.mode = mode
        self.handle = handle
    }

    /// A database that was named when the environment was opened.
    ///
    /// It is a programmer error to ask for another.
    ///
    /// - Parameter name: The name.
    /// - Returns: The handle, for transactions of this environment.
    public func database(_ name: String) -> Database {
        guard let database = databases[name] else {
            preconditionFailure("Name the database \(name) when the environment is opened.")
        }
        return database
    }

    /// Whether a commit has failed, so that nothing is written until the environment is reopened.
    ///
    /// LMDB goes on after a failed flush as if nothing had happened, which would leave a gap.
    public var needsReopening: Bool {
        commitFailure.withLock { $0 != nil }
    }

    /// Lends a view of the databases as the last commit left them.
    ///
    /// Keep it short: pages that a view can see are not reused, so a long one makes the file grow.
    ///
    /// - Parameter body: Called once, on this thread.
    /// - Returns: What `body` returns.
    /// - Throws: ``LMDBError`` if no transaction begins, or what `body` throws.
    public func read<Result>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        let transaction = unsafe try begin(flags: MDB_RDONLY)
        // Registered before the owner below is made, so that it runs after the owner has gone.
        defer { gate.leave() }
        let outcome = Swift.Result<Result, any Error> {
            try Self.lend(unsafe ReadTransaction(owning: transaction), to: body)
        }
        // To a reader without a lock, a writer that came meanwhile may have shown anything.
        try handle.throwIfOpenElsewhere()
        return try outcome.get()
    }

    /// Lends the one write transaction, and commits it durably when the closure returns.
    ///
    /// Waits for the writers before, of this process and others. If `body` throws, nothing of it
    /// happens. Do not write inside `body` through the environment again; it would wait for itself.
    ///
    /// - Parameter body: Called once, on this thread.
    /// - Returns: What `body` returns, once it is durable.
    /// - Throws: What `body` throws, or ``LMDBError``: `needsReopening` after a failed commit;
    ///   `mapFull`, also from the commit, after which the environment is as before and can grow;
    ///   any other error of the commit, after which nothing more is written.
    @discardableResult
    public func write<Result>(
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        precondition(mode != .readOnly, "The environment is open for reading only.")
        handle.turn.take()
        defer { handle.turn.end() }
        let transaction = unsafe try begin(flags: 0)
        defer { gate.leave() }
        return try commitAfter(unsafe WriteTransaction(owning: transaction), body)
    }
}

// MARK: - Transactions

extension Environment {
    /// Enters the gate and begins; the caller leaves the gate once the transaction has ended.
    private func begin(flags: Int32) throws(LMDBError) -> OpaquePointer {
        handle.preconditionNotForked()
        while true {
            gate.enter()
            do throws(LMDBError) {
                return unsafe try handle.begin(UInt32(flags))
            } catch {
                gate.leave()
                guard error.code == .mapResized else { throw error }
            }
            try adoptMapSize()
        }
    }

    private static func lend<Result>(
        _ transaction: consuming ReadTransaction,
        to body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try body(transaction)
    }

    private func commitAfter<Result>(
        _ transaction: consuming WriteTransaction,
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        if let failure = commitFailure.withLock({ $0 }) {
            throw LMDBError(
                .needsReopening, call: "mdb_txn_begin", text: "an earlier commit failed",
                detail: failure.libraryText)
        }
        let result = try body(&transaction)
        try commit(transaction)
        return result
    }

    private func commit(_ transaction: consuming WriteTransaction) throws(LMDBError) {
        let hasWritten = transaction.reading.hasWritten
        let pointer = unsafe transaction.reading.surrenderedHandle()
        let error = commitFailure.withLock { failure -> LMDBError? in
            let result = unsafe handle.commit(pointer, hasWritten: hasWritten)
            guard result != MDB_SUCCESS else { return nil }
            // An error of the system: a full disk shows as EIO at first, and may have room soon.
            let available =
                result > 0 ? FileSystem.availableBytes(handle.directory) : nil
            let error = LMDBError(
                result: result, call: "mdb_txn_commit",
                detail: available.map { "\($0) bytes are available on the disk" } ?? "",
                availableBytes: available)
            switch error.code {
            case .mapFull, .transactionFull, .badTransaction:
                break  // Found before anything was written: a clean abort.
            default:
                failure = error
            }
            return error
        }
        if let error { throw error }
    }
}
