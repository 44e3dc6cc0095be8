internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB
internal import TamperEvidence

/// How a store is opened, and opened again.
struct StoreSettings: Sendable {
    var isReadOnly = false
    var mapSizeBytes = LMDBEventLog.defaultMapSizeBytes
    var allowsRemoteFileSystem = false

    /// Opens a store that exists, and checks what log it is.
    ///
    /// - Parameters:
    ///   - directory: The store.
    ///   - log: After a failed commit of this process, which log was open. Such a commit can leave
    ///     the older meta page out of step, until the next one.
    /// - Returns: The open environment, and which log it holds.
    /// - Throws: ``EventLogError``: `notFound`, `unrecognized`, `damaged` with the position,
    ///   `permission`, `unsupportedFileSystem`, or `storage`; `replaced` if it no longer holds
    ///   `log`.
    func open(
        _ directory: String, afterFailedCommitOf log: LogIdentity? = nil
    ) throws(EventLogError) -> (Environment, LogIdentity) {
        let file = IdentityFile(in: directory)
        do {
            if !isReadOnly { try Self.refuseSecondName(in: directory) }
            let environment = try Environment(
                directory: directory, mapSizeBytes: mapSizeBytes,
                databases: Environment.storeTables, mode: isReadOnly ? .readOnly : .existing,
                allowsRemoteFileSystem: allowsRemoteFileSystem, toleratesFailedCommit: log != nil)
            let identity = try environment.read { transaction in
                try LogIdentity(reading: transaction, of: environment)
            }
            guard log == nil || log == identity else {
                throw EventLogError(.replaced, detail: "\(directory) holds another log")
            }
            try check(identity, against: file, directory)
            return (environment, identity)
        } catch {
            if let loss = (error as? LMDBError).flatMap(Self.loss), try file.id() != nil {
                throw EventLogError.damaged(
                    "\(directory)/data.mdb does not hold the log that "
                        + "\(IdentityFile.name) next to it names: \(loss). `pulselog log "
                        + "recover --out DIR` saves what can be found of it; or restore the last "
                        + "backup")
            }
            throw EventLogError(error, in: directory)
        }
    }

    /// Refuses to write to a data file that may be another store's as well: each has a lock of its
    /// own, and one writes over what the other has shown.
    private static func refuseSecondName(in directory: String) throws(EventLogError) {
        let path = "\(directory)/data.mdb"
        guard let name = FilePath.secondName(of: path) else { return }
        throw EventLogError(
            .obstructed,
            detail: "\(path) \(name), and two stores over one file lose events: copy it, and put "
                + "the copy in its place")
    }

    /// Why there is no log in a data file; nil if LMDB fails for another reason.
    private static func loss(_ error: LMDBError) -> String? {
        switch error.code {
        case .environmentMissing: "it is missing or empty"
        case .invalidFile: "it is not a database"
        case .databaseMissing: "its table \(error.detail) is missing"
        default: nil
        }
    }

    /// Compares the log in the data file with the one that the file next to it names.
    ///
    /// A store that was made before there was such a file gets one when it is opened for writing.
    private func check(
        _ identity: LogIdentity, against file: IdentityFile, _ directory: String
    ) throws(EventLogError) {
        guard let expected = try file.id() else {
            if !isReadOnly { try file.write(identity.id) }
            return
        }
        guard expected == identity.id else {
            let own = Hexadecimal.text(of: identity.id)
            let other = Hexadecimal.text(of: expected)
            throw .damaged(
                "\(directory)/data.mdb belongs to another log: its id is \(own), and "
                    + "\(IdentityFile.name) next to it says \(other). Put the right data.mdb "
                    + "back; if this is the right one, delete \(IdentityFile.name)")
        }
    }

    /// Makes a new store that exists completely or not at all, whenever the power fails.
    ///
    /// The directories around it are made as well.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - origin: What the log is and begins with.
    ///   - next: Gives the batches that follow, nil at the end; each is a transaction of its own.
    /// - Returns: false if something else, such as the store of a faster process, took the name.
    /// - Throws: What LMDB, the log's rules or `next` throw.
    func create(
        _ directory: String, _ origin: LogOrigin,
        followedBy next: () throws -> EventBatch? = { nil }
    ) throws -> Bool {
        let outcome = try StagedStore.make(directory, progress: { _ in true }) { staged in
            let environment = try Environment(
                directory: staged.directory, mapSizeBytes: mapSizeBytes,
                databases: Environment.storeTables, allowsRemoteFileSystem: allowsRemoteFileSystem)
            try environment.write { transaction in
                try LogIdentity(of: origin).begin(in: &transaction, of: environment)
            }
            var block = OpenBlock()
            try Self.append(origin.events, to: &block, environment, directory)
            while let batch = try next() {
                try Self.append(batch, to: &block, environment, directory)
            }
            return ((), origin.id)
        }
        if case .made = outcome { return true }
        return false
    }

    /// Gives a log another identity, and begins a new origin after its last event, in one
    /// transaction.
    ///
    /// The blocks that are there stay as they are: the events stand in a block of their own.
    ///
    /// - Parameters:
    ///   - origin: What it begins with.
    ///   - old: The identity that the log has, and where it ends; nil if nobody else knows of it.
    ///     With another identity nothing is done.
    ///   - environment: The store.
    ///   - directory: Its path.
    /// - Returns: The identity that the log has now: the origin's, or another process's.
    /// - Throws: ``EventLogError`` `wrongExpectedPosition` with another end, or the error of LMDB.
    @discardableResult
    static func begin(
        _ origin: LogOrigin, insteadOf old: (id: [UInt8], end: Position)? = nil,
        _ environment: Environment, _ directory: String
    ) throws -> [UInt8] {
        var block = OpenBlock()
        var id = origin.id
        try change(&block, environment, directory) { transaction, block in
            if let old {
                let identity = try LogIdentity(reading: transaction.reading, of: environment)
                guard identity.id == old.id else {
                    id = identity.id
                    return
                }
                guard block.next == old.end else {
                    throw EventLogError(.wrongExpectedPosition(actual: block.next))
                }
            }
            block.beginNext()
            try LogIdentity(of: origin).begin(in: &transaction, of: environment)
            try add(origin.events, to: &block, &transaction, environment)
        }
        return id
    }

    /// Appends a batch in a transaction of its own.
    static func append(
        _ batch: EventBatch, to block: inout OpenBlock, _ environment: Environment,
        _ directory: String
    ) throws {
        try change(&block, environment, directory) { transaction, block in
            try add(batch, to: &block, &transaction, environment)
        }
    }

    private static func add(
        _ batch: EventBatch, to block: inout OpenBlock, _ transaction: inout WriteTransaction,
        _ environment: Environment
    ) throws(LMDBError) {
        try block.add(batch, to: &transaction, in: environment.log)
        try block.store(to: &transaction, in: environment.log)
    }

    /// Changes a store in one transaction, from the end of its log on, growing the map where it
    /// must.
    private static func change(
        _ block: inout OpenBlock, _ environment: Environment, _ directory: String,
        _ body: (inout WriteTransaction, inout OpenBlock) throws -> Void
    ) throws {
        while true {
            do {
                return try environment.write { transaction in
                    try block.catchUp(with: transaction.reading, of: environment)
                    try body(&transaction, &block)
                }
            } catch {
                block.invalidate()
                guard (error as? LMDBError)?.code == .mapFull else { throw error }
                try environment.doubleMap(in: directory)
            }
        }
    }
}
