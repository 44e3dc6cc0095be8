internal import EventStore
internal import Events
internal import Files
internal import Glibc
internal import LMDB
internal import Threads

extension EventLogError {
    /// The log is not as it was written, from a position on if one is known.
    static func damaged(_ detail: String, at position: Position? = nil) -> EventLogError {
        EventLogError(.damaged, position: position, detail: detail)
    }

    /// What a failure inside the store is for its users.
    ///
    /// - Parameters:
    ///   - error: What LMDB, the system, the log's own rules or a block's reader threw.
    ///   - directory: The store, whose disk is looked at when a write failed.
    init(_ error: any Error, in directory: String) {
        switch error {
        case let error as EventLogError: self = error
        case let error as LMDBError: self.init(error, in: directory)
        case let error as DamagedBlock: self.init(error)
        case let error as SystemCallError: self.init(error)
        case let error as NoThread:
            self.init(SystemCallError("pthread_create", number: error.errorNumber))
        default: self.init(.storage, detail: "\(directory): \(error)")
        }
    }

    /// Below this many free bytes a failing write is put down to the full disk.
    static let fullDiskBytes: UInt64 = 64 * 1_024

    /// Puts an error of LMDB into the log's words.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - directory: The store, whose disk is looked at when a write failed.
    private init(_ error: LMDBError, in directory: String) {
        let code = Self.code(for: error, in: directory)
        let detail =
            switch code {
            // That nothing is there needs no more words than where.
            case .notFound: directory
            case .obstructed where error.code == .processNumberTaken:
                "\(directory): another process has it open that is process \(getpid()) like this "
                    + "one, in another container, and readers are told apart by that number: run "
                    + "one of the two below an init, as `docker run --init` does, or in the "
                    + "other's namespace with `--pid`"
            case .permission: "\(directory): \(error)" + Self.remedy(directory)
            default: "\(directory): \(error)"
            }
        self.init(code, detail: detail)
    }

    /// What helps if another user's files lie in a store of one's own.
    private static func remedy(_ directory: String) -> String {
        let files = ["data.mdb", "lock.mdb"].map { "\(directory)/\($0)" }
        return files.lazy.compactMap { FilePath.remedy($0) }.first.map { " \($0)" } ?? ""
    }

    /// Makes the error of a failed call of the operating system.
    init(_ error: SystemCallError) {
        self.init(Self.code(forSystemError: error.number), detail: error.description)
    }

    private static func code(for error: LMDBError, in directory: String) -> Code {
        switch error.code {
        case .environmentMissing: .notFound
        case .databaseMissing, .invalidFile, .versionMismatch: .unrecognized
        case .damagedMetaPages, .commitInDoubt, .truncated, .corrupted: .damaged
        case .remoteFileSystem: .unsupportedFileSystem
        case .processNumberTaken: .obstructed
        case .mapFull: .diskFull
        // The first write that no longer fits ends short, and LMDB calls that EIO. Meanwhile there
        // may be room again: what counts is how much there was then.
        case .system(EIO)
        where (error.availableBytes ?? Environment.availableDiskBytes(of: directory) ?? .max)
            < fullDiskBytes:
            .diskFull
        case .system(let number): code(forSystemError: number)
        case .keyExists, .panic, .mapResized, .readersFull, .transactionFull, .badTransaction,
            .badValueSize, .alreadyOpen, .needsReopening, .transactionsLive, .other:
            .storage
        }
    }

    private static func code(forSystemError number: Int32) -> Code {
        switch number {
        case ENOENT: .notFound
        // There is a file where the folder should be.
        case ENOTDIR, EEXIST: .unrecognized
        case EACCES, EPERM, EROFS: .permission
        case ENOSPC, EDQUOT: .diskFull
        case ENAMETOOLONG, ELOOP: .obstructed
        default: .storage
        }
    }
}

/// Runs what fails in any way, and throws the log's errors: the edge of the store.
func mapErrors<Result: ~Copyable>(
    in directory: String, _ body: () throws -> Result
) throws(EventLogError) -> Result {
    do {
        return try body()
    } catch {
        throw EventLogError(error, in: directory)
    }
}

/// Runs what may meet damage; whatever else fails is thrown.
///
/// - Returns: The damage; nil if it met none.
func damage(
    metBy body: () throws(EventLogError) -> Void
) throws(EventLogError) -> EventLogError? {
    do throws(EventLogError) {
        try body()
        return nil
    } catch {
        guard error.code == .damaged else { throw error }
        return error
    }
}

/// Reads a block; damage of it is damage at its position.
func readBlock<Result>(
    at position: Position, _ body: () throws(DamagedBlock) -> Result
) throws(EventLogError) -> Result {
    do throws(DamagedBlock) {
        return try body()
    } catch {
        throw EventLogError(DamagedBlock(error.code, position: position))
    }
}
