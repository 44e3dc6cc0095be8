internal import CLMDB
internal import Glibc

/// A failure of LMDB, of the files below it, or of this wrapper's own rules.
///
/// Programs match ``code``; people read ``description``, which says what happened and what to do.
public struct LMDBError: Error, Equatable, Sendable {
    /// What went wrong, as a program sees it.
    public enum Code: Hashable, Sendable {
        /// The key is already there, or an append's key is not above the last one.
        case keyExists
        /// A named database does not exist.
        case databaseMissing
        /// A page is not there, or not of the kind that the tree expects there.
        case corrupted
        /// A write of a meta page failed earlier; the environment must be opened again.
        case panic
        /// The file was written by another major version of LMDB.
        case versionMismatch
        /// The file is not an LMDB data file.
        case invalidFile
        /// The meta pages contradict themselves or each other.
        case damagedMetaPages
        /// The older meta page is not of the commit before the last one: a commit failed before it
        /// was finished, or a page was damaged and a later commit is missing.
        case commitInDoubt
        /// The data file is shorter than the pages in use, or than it was.
        case truncated
        /// The directory holds no database yet, and the mode does not create one.
        case environmentMissing
        /// The map is full; see ``Environment/growMap(toBytes:waitingAtMost:)``.
        case mapFull
        /// Another process grew the map; adopted by itself at the start of a transaction.
        case mapResized
        /// Another process has the same process number, in another container, and reads.
        case processNumberTaken
        /// No reader slot is free.
        case readersFull
        /// One transaction changed too many pages.
        case transactionFull
        /// The transaction failed earlier and cannot commit.
        case badTransaction
        /// A key is not 1 to 511 bytes long, or a value is too long.
        case badValueSize
        /// The environment is open in this process already.
        case alreadyOpen
        /// The directory lies on a file system that LMDB does not support.
        case remoteFileSystem
        /// A commit failed before; nothing is written until the environment is opened again.
        case needsReopening
        /// The map cannot change, because transactions of this process did not end in time.
        case transactionsLive
        /// Any other code of LMDB.
        case other(Int32)
        /// An error number of the operating system, as in `errno.h`.
        case system(Int32)
    }

    /// What went wrong.
    public let code: Code

    /// The function that failed, such as `mdb_txn_commit`.
    public let call: String

    /// The text of LMDB, or of the operating system, for the failure.
    public let libraryText: String

    /// What was known besides: the path, the name or the free space; empty if nothing.
    public let detail: String

    /// How many bytes were free on the disk when a commit failed there; nil for other failures.
    public let availableBytes: UInt64?
}

extension LMDBError {
    /// An error from a result code of LMDB, which is negative, or of the system, which is positive.
    @usableFromInline
    init(result: Int32, call: String, detail: String = "", availableBytes: UInt64? = nil) {
        self.init(
            code: Code(result: result), call: call,
            libraryText: unsafe String(cString: mdb_strerror(result)), detail: detail,
            availableBytes: availableBytes)
    }

    /// An error of this wrapper's own rules, which no library has a text for.
    init(_ code: Code, call: String, text: String, detail: String = "") {
        self.init(
            code: code, call: call, libraryText: text, detail: detail, availableBytes: nil)
    }

    /// An error of a data file in which LMDB could not find its way.
    init(_ code: Code, dataFile path: String, _ reason: String) {
        self.init(code, call: "inspect", text: reason, detail: path)
    }

    /// Throws unless `result` is success.
    static func check(
        _ result: Int32, _ call: String, detail: @autoclosure () -> String = ""
    ) throws(LMDBError) {
        guard result == MDB_SUCCESS else {
            throw LMDBError(result: result, call: call, detail: detail())
        }
    }

    /// Throws the error number of the calling thread unless `result` is zero or more.
    ///
    /// - Returns: `result`.
    @discardableResult
    static func checkSystem<Value: BinaryInteger>(
        _ result: Value, _ call: String, detail: String = ""
    ) throws(LMDBError) -> Value {
        guard result >= 0 else {
            throw LMDBError(result: errno, call: call, detail: detail)
        }
        return result
    }
}

extension LMDBError.Code {
    init(result: Int32) {
        switch result {
        case MDB_KEYEXIST: self = .keyExists
        case MDB_NOTFOUND: self = .databaseMissing
        case MDB_PAGE_NOTFOUND, MDB_CORRUPTED: self = .corrupted
        case MDB_PANIC: self = .panic
        case MDB_VERSION_MISMATCH: self = .versionMismatch
        case MDB_INVALID: self = .invalidFile
        case MDB_MAP_FULL: self = .mapFull
        case MDB_MAP_RESIZED: self = .mapResized
        case MDB_READERS_FULL: self = .readersFull
        case MDB_TXN_FULL: self = .transactionFull
        case MDB_BAD_TXN: self = .badTransaction
        case MDB_BAD_VALSIZE: self = .badValueSize
        case 1...: self = .system(result)
        default: self = .other(result)
        }
    }
}
