internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB

/// A store that is being made out of another one, in a directory that has no name yet.
struct StagedStore {
    /// Where it is being made.
    let directory: String
    /// Told how far it is; false ends it.
    let progress: (CopyProgress) -> Bool

    /// Makes a store that exists completely or not at all, whenever the power fails.
    ///
    /// - Parameters:
    ///   - directory: The path of the store; nothing is there.
    ///   - others: The names of files that `body` may put there besides LMDB's.
    ///   - progress: Told how far it is; false ends it.
    ///   - body: Fills the store, and gives the identity of its log; nil if `progress` ended it.
    /// - Returns: How it ended, with what `body` returned.
    /// - Throws: What `body` throws, and failures of the file system.
    static func make<Value>(
        _ directory: String, others: [String] = [], progress: (CopyProgress) -> Bool,
        _ body: (StagedStore) throws -> (made: Value, id: [UInt8])?
    ) throws -> CopyOutcome<Value> {
        var made: Value?
        do {
            try withoutActuallyEscaping(progress) { progress in
                let staging = try StagingDirectory(
                    for: directory, holding: ["data.mdb", "lock.mdb", IdentityFile.name] + others)
                let store = StagedStore(directory: staging.path, progress: progress)
                guard let (value, id) = try body(store) else { return }
                try IdentityFile(in: staging.path).write(id)
                try staging.publish()
                made = value
            }
        } catch let error as SystemCallError
            where error.call == "rename" && [ENOTEMPTY, EEXIST, ENOTDIR].contains(error.number)
        {
            return .nameTaken
        } catch let error as SystemCallError where error.number == ENOENT {
            // What is not found here is not a log: it is where one was to be made.
            throw EventLogError(.storage, detail: error.description)
        }
        return made.map { .made($0) } ?? .stopped
    }

    /// Verifies every block, and lends the log.
    ///
    /// - Parameter body: Called with the log, which is closed afterwards, and with what was found.
    /// - Returns: What was verified, and what `body` returns; nil if `progress` ended it.
    /// - Throws: ``EventLogError``, `damaged` at the first bad position; or what `body` throws.
    func verified<Value>(
        _ body: (LMDBEventLog, LogVerification) throws -> Value
    ) throws -> (LogVerification, Value)? {
        let log = try LMDBEventLog.open(
            directory: directory, mode: .readOnly, allowsRemoteFileSystem: true)
        defer { log.close() }
        let found = try log.verify(progress: progress)
        if let damage = found.damage { throw damage }
        return found.isStopped ? nil : (found, try body(log, found))
    }

    /// Verifies what was copied, and begins a new origin after it: another identity, and events
    /// after those of the log it was made of.
    ///
    /// - Parameter origin: Called with the verified copy.
    /// - Returns: The store and its identity; nil if `progress` ended it.
    /// - Throws: What `origin` throws, or ``EventLogError``.
    func finish(
        _ origin: (LMDBEventLog) throws -> LogOrigin
    ) throws -> (made: LogCopy, id: [UInt8])? {
        guard let (before, origin) = try verified({ log, _ in try origin(log) }) else { return nil }
        try mapErrors(in: directory) {
            let environment = try Environment(
                directory: directory, mapSizeBytes: LMDBEventLog.defaultMapSizeBytes,
                databases: Environment.storeTables, mode: .existing)
            try StoreSettings.begin(origin, environment, directory)
        }
        guard let (_, copy) = try verified({ try $0.summary($1) }) else { return nil }
        precondition(
            copy.next == before.next + UInt64(origin.events.count),
            "The new origin does not follow the events that were copied.")
        return (copy, origin.id)
    }
}

extension LMDBEventLog {
    /// What there is to say of a verified copy.
    func summary(_ found: LogVerification) throws(EventLogError) -> LogCopy {
        var last: EventHeader?
        if found.next > 0 {
            try read(from: found.next - 1) { event in
                last = event.header
                return false
            }
        }
        return LogCopy(
            next: found.next, blocks: found.blocks, blockBytes: found.bytes,
            fileBytes: try statistics().fileBytes, last: last,
            zoneOffsetMinutes: found.next > 0 ? try zoneOffsetMinutes(at: found.next - 1) : 0)
    }
}
