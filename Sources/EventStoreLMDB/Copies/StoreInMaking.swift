internal import EventStore
internal import Events
internal import Glibc
internal import LMDB

/// A store that is being made out of another one, in a directory that has no name yet.
struct StoreInMaking {
    /// Where it is being made.
    let directory: String
    /// Told how far it is; false ends it.
    let progress: (CopyProgress) -> Bool

    /// Why no store was made.
    private enum End<Failure: Error>: TransactionFailure {
        case environment(LMDBError)
        case body(Failure)
        case stopped

        init(_ error: LMDBError) {
            self = .environment(error)
        }
    }

    /// Makes a store that exists completely or not at all, whenever the power fails.
    ///
    /// - Parameters:
    ///   - directory: The path of the store; nothing is there.
    ///   - others: The names of files that `body` may put there besides LMDB's.
    ///   - progress: Told how far it is; false ends it.
    ///   - failure: Puts an error of the log into words of the caller.
    ///   - body: Fills the store, and gives the identity of its log; nil if `progress` ended it.
    /// - Returns: How it ended, with what `body` returned.
    /// - Throws: What `body` throws, and failures of the file system.
    static func make<Value, Failure: Error>(
        _ directory: String, others: [String] = [],
        progress: (CopyProgress) -> Bool, orThrow failure: (EventLogError) -> Failure,
        _ body: (StoreInMaking) throws(Failure) -> (made: Value, id: [UInt8])?
    ) throws(Failure) -> CopyOutcome<Value> {
        var made: Value?
        do throws(End<Failure>) {
            try withoutActuallyEscaping(progress) { progress throws(End<Failure>) in
                try Environment.publish(
                    directory: directory, others: [IdentityFile.name] + others
                ) { path throws(End<Failure>) in
                    let store = StoreInMaking(directory: path, progress: progress)
                    do throws(Failure) {
                        if let (value, id) = try body(store) {
                            made = value
                            return IdentityFile.companion(id)
                        }
                    } catch {
                        throw .body(error)
                    }
                    throw .stopped
                }
            }
        } catch {
            switch error {
            case .stopped: return .stopped
            case .body(let error): throw error
            case .environment(let error)
            where error.call == "rename"
                && [.system(ENOTEMPTY), .system(EEXIST), .system(ENOTDIR)].contains(error.code):
                return .nameTaken
            case .environment(let error) where error.code == .system(ENOENT):
                // What is not found here is no log: it is where one was to be made.
                throw failure(EventLogError(.storage, detail: "\(directory): \(error)"))
            case .environment(let error): throw failure(EventLogError(error, in: directory))
            }
        }
        return made.map { .made($0) } ?? .stopped
    }

    /// Verifies every block, and lends the log.
    ///
    /// - Parameters:
    ///   - failure: Puts an error of the log into words of the caller.
    ///   - body: Called with the log, which is closed afterwards, and with what was found.
    /// - Returns: What was verified, and what `body` returns; nil if `progress` ended it.
    /// - Throws: ``EventLogError``, `damaged` at the first bad position; or what `body` throws.
    func verified<Value, Failure: Error>(
        orThrow failure: (EventLogError) -> Failure,
        _ body: (LMDBEventLog, LogVerification) throws(Failure) -> Value
    ) throws(Failure) -> (LogVerification, Value)? {
        let log: LMDBEventLog
        let found: LogVerification
        do throws(EventLogError) {
            log = try LMDBEventLog.open(
                directory: directory, mode: .readOnly, allowsRemoteFileSystem: true)
        } catch {
            throw failure(error)
        }
        defer { log.close() }
        do throws(EventLogError) {
            found = try log.verify(progress: progress)
            if let damage = found.damage { throw damage }
        } catch {
            throw failure(error)
        }
        return found.isStopped ? nil : (found, try body(log, found))
    }

    /// Begins a new origin: another identity, and events after those of the log it was made of.
    ///
    /// - Parameter origin: What it begins with.
    /// - Throws: ``StoreFailure``.
    func begin(_ origin: LogOrigin) throws(StoreFailure) {
        let environment: Environment
        do throws(LMDBError) {
            environment = try Environment(
                directory: directory, mapSizeBytes: LMDBEventLog.defaultMapSizeBytes,
                databases: Environment.storeTables, mode: .existing)
        } catch {
            throw .environment(error)
        }
        try StoreSettings.begin(origin, environment, directory)
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
