internal import EventStore
internal import Events
internal import LMDB
internal import Synchronization
internal import Threads

/// The store's environment, which can be closed and opened again while others use the log.
final class OpenStore: Sendable {
    private enum State: Sendable {
        case open(Environment)
        case unavailable(EventLogError)

        /// Whether to try to open the environment again.
        var needsReopening: Bool {
            switch self {
            case .open(let environment): environment.needsReopening
            case .unavailable(let error): error.code != .closed
            }
        }
    }

    let directory: String
    let identity: LogIdentity
    private let settings: StoreSettings
    /// Readers hold it for the time of one short transaction.
    private let state: RWLocked<State>
    /// Pages that nothing leads to, and that hold no events which the log has not.
    private let judgedPages = Mutex<[UInt64]>([])
    /// The lock without which this process is no longer a recorder; nil if it never was.
    let recorderLock = Mutex<RecorderLock?>(nil)

    /// Opens the store.
    ///
    /// - Throws: ``EventLogError``.
    init(directory: String, settings: StoreSettings) throws(EventLogError) {
        let (environment, identity) = try settings.open(directory)
        (self.directory, self.settings, self.identity) = (directory, settings, identity)
        state = RWLocked(.open(environment))
    }

    // MARK: - Any thread

    /// Lends the environment, which cannot be closed meanwhile.
    private func lend<Result>(_ body: (Environment) throws -> Result) throws -> Result {
        try state.read { state in
            switch state {
            case .open(let environment): return try body(environment)
            case .unavailable(let error): throw error
            }
        }
    }

    /// Lends the environment, for what needs no view.
    ///
    /// - Throws: ``EventLogError`` `closed`, or what `body` throws in the log's words.
    func withEnvironment<Result>(
        _ body: (Environment) throws -> Result
    ) throws(EventLogError) -> Result {
        try mapErrors(in: directory) { try lend(body) }
    }

    /// Lends a view of the log as the last commit left it; keep it short.
    ///
    /// - Throws: ``EventLogError`` `closed`, or what `body` throws in the log's words.
    func read<Result>(
        _ body: (borrowing ReadTransaction, Environment) throws -> Result
    ) throws(EventLogError) -> Result {
        try withEnvironment { environment in
            try environment.read { transaction in
                try refuseOtherLog(transaction, environment)
                try refuseLostCommit(transaction, environment)
                return try body(transaction, environment)
            }
        }
    }

    /// The position after the log's last event.
    var next: Position {
        get throws(EventLogError) {
            try read { transaction, environment in
                let last = try transaction.lastBlock(of: environment)
                _ = try transaction.isSealed(lastBlock: last, of: environment)
                return last.upperBound
            }
        }
    }

    /// The process that writes now, if it is another one and can be named; nil also if the store is
    /// closed, or is being opened again, which nobody waits for who only wants to say it.
    var otherWriterID: Int32? {
        state.readNow { state in
            guard case .open(let environment) = state else { return nil }
            return environment.otherWriterID
        }
    }

    /// Throws if the files of the store, or the lock of this recorder, are no longer ours.
    ///
    /// - Throws: ``EventLogError`` `replaced`, or `closed`.
    func refuseReplacedFiles() throws(EventLogError) {
        try withEnvironment { environment in
            try refuseReplacedFiles(of: environment)
            guard try environment.isOvertaken() else { return }
            throw EventLogError(.replaced, detail: "\(directory): the data file was moved up")
        }
    }

    /// Ends the use of the store, when those who read are done.
    func close() {
        state.change { $0 = .unavailable(EventLogError(.closed)) }
    }

    // MARK: - The writer thread

    /// Lends the one write transaction, and commits it durably.
    ///
    /// Whether the files are still ours is looked at when it has begun: that may take long while
    /// another process writes.
    ///
    /// - Throws: What `body` throws, or the failure of LMDB, after which the caller calls
    ///   ``reopenIfNeeded()``; ``EventLogError`` `replaced` if the files are not ours any
    ///   more.
    func write<Result>(
        _ body: (inout WriteTransaction, Environment) throws -> Result
    ) throws -> Result {
        try lend { environment in
            try environment.write { transaction in
                try refuseReplacedFiles(of: environment)
                try refuseOtherLog(transaction.reading, environment)
                try refuseLostCommit(transaction.reading, environment)
                return try body(&transaction, environment)
            }
        }
    }

    /// Throws if the file, which is the same, holds another log by now: somebody has copied one
    /// over it.
    private func refuseOtherLog(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        guard try LogIdentity(reading: transaction, of: environment) != identity else { return }
        throw EventLogError(.replaced, detail: "\(directory)/data.mdb holds another log")
    }

    /// Throws if a page that nothing leads to holds events after the last one of the log: then a
    /// commit is on the disk but for the pages that lead to it.
    private func refuseLostCommit(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        let pages = environment.lostPages
        guard !pages.isEmpty, judgedPages.withLock({ $0 != pages }) else { return }
        let next = try transaction.lastBlock(of: environment).upperBound
        let pageBytes = try environment.info.pageSizeBytes
        let file = try BlockFile("\(directory)/data.mdb")
        for page in pages {
            guard let bytes = file.bytes(from: Int(page) * pageBytes, count: pageBytes) else {
                throw EventLogError(.storage, detail: "page \(page) of data.mdb cannot be read")
            }
            guard BlockSearch.last(in: bytes.span).map({ $0 <= next }) ?? true else {
                throw EventLogError.damaged(
                    "page \(page) of data.mdb holds later events, and nothing leads to it",
                    at: next)
            }
        }
        judgedPages.withLock { $0 = pages }
    }

    private func refuseReplacedFiles(of environment: Environment) throws {
        var words = try environment.changedFiles().map { "\($0)" }
        if recorderLock.withLock({ $0?.isLost ?? false }) { words.append("recorder.lock") }
        guard words.isEmpty else {
            let list = words.joined(separator: ", ")
            throw EventLogError(.replaced, detail: "\(directory): \(list)")
        }
    }

    /// Whether a commit has failed, and the store is not open again.
    var needsReopening: Bool { state.read(\.needsReopening) }

    /// Closes the environment after a failed commit and opens it again.
    ///
    /// If that fails, the store is unavailable, and the next call tries again. Whoever reads waits
    /// for that, and so nothing here waits for other processes.
    ///
    /// - Returns: Whether it was opened again: the next commit mends what the failed one has left.
    @discardableResult
    func reopenIfNeeded() -> Bool {
        guard state.read({ $0.needsReopening }) else { return false }
        var isOpened = false
        state.change { state in
            guard state.needsReopening else { return }
            // Lets the environment go before it is opened again.
            state = .unavailable(EventLogError(.storage, detail: "\(directory) is being reopened"))
            do throws(EventLogError) {
                let (environment, _) = try settings.open(
                    directory, afterFailedCommitOf: identity)
                state = .open(environment)
                isOpened = true
            } catch {
                state = .unavailable(error)
            }
        }
        return isOpened
    }

    /// Commits what is there already: until then no other process opens a store in which a commit
    /// failed.
    ///
    /// - Parameter begin: Called when no other process writes.
    /// - Throws: As ``write(_:)`` does.
    func mend(_ begin: () -> Void) throws {
        try write { transaction, environment in
            begin()
            try identity.write(to: &transaction, of: environment)
        }
    }

    /// Doubles the map, unless it is larger than what the disk can ever hold.
    ///
    /// If a reader does not end in time, the map stays as it is: the caller tries again.
    ///
    /// - Throws: ``EventLogError`` `diskFull` or `storage`.
    func growMap() throws(EventLogError) {
        try withEnvironment { try $0.doubleMap(in: directory) }
    }

    /// Frees the slots of readers that died, which keep pages from being reused.
    ///
    /// - Returns: Whether that could be done; a store that cannot be looked at says why to whoever
    ///   appends or reads.
    func freeDeadReaders() -> Bool {
        do throws(EventLogError) {
            try withEnvironment { _ = try $0.checkReaders() }
            return true
        } catch {
            return false
        }
    }
}

extension StoreSettings {
    /// Mends a store in which a commit of this process has failed, if that can be done now.
    ///
    /// - Parameters:
    ///   - directory: The store, which this process has not open.
    ///   - identity: The log that it held before.
    func mend(_ directory: String, of identity: LogIdentity) {
        do {
            let (environment, _) = try open(directory, afterFailedCommitOf: identity)
            try environment.write { try identity.write(to: &$0, of: environment) }
        } catch {
            return  // The next opening reports what is wrong.
        }
    }
}

extension Environment {
    /// Doubles the map, unless it is larger than what the disk can ever hold, or a reader does not
    /// end in time.
    ///
    /// - Parameter directory: The store, for the words.
    /// - Throws: ``EventLogError`` `diskFull`, or ``LMDBError``.
    func doubleMap(in directory: String) throws {
        let info = try info
        let usedBytes = UInt64((info.lastPageNumber + 1) * info.pageSizeBytes)
        let freeBytes = Environment.availableDiskBytes(of: directory) ?? .max >> 1
        guard UInt64(info.mapSizeBytes) <= usedBytes + freeBytes else {
            throw EventLogError(.diskFull, detail: "\(directory): \(freeBytes) bytes are free")
        }
        do throws(LMDBError) {
            try growMap(toBytes: 2 * info.mapSizeBytes)
        } catch {
            guard error.code == .transactionsLive else { throw error }
        }
    }
}
