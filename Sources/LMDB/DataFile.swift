internal import Glibc

/// What the meta pages of a closed data file say, compared with its length.
///
/// LMDB maps the file and trusts its meta pages: to touch a page beyond the end of the file is a
/// SIGBUS. A healthy file can be short too, by pages that a commit allocated and freed again. So an
/// ``Environment`` does two things with a short file before it opens it: it walks the trees, and
/// refuses the file as `truncated`, untouched, if a page in use is not there; else it extends it.
///
/// The layout is that of `MDB_page` and `MDB_meta` in LMDB 0.9, `mdb.c`, on a 64-bit machine.
public struct DataFile: Equatable, Sendable {
    /// The size of a page, in bytes: a power of two from 512 to 32768.
    public let pageSizeBytes: Int
    /// The number of the last page in use, from 0.
    public let lastPageNumber: UInt64
    /// The number of the last commit.
    public let lastTransactionID: UInt64
    /// The length of the file when it was inspected, in bytes.
    public let sizeBytes: Int
    /// The first pages of the free list and of the main database, if they have any.
    let roots: [UInt64]

    /// The length that all pages in use need, in bytes.
    public var requiredSizeBytes: Int {
        // Checked when the meta pages were read: at most the size of a map.
        Int(lastPageNumber + 1) * pageSizeBytes
    }

    /// How much of the required length the file had not, in bytes; 0 for nearly all files.
    public var missingBytes: Int {
        max(0, requiredSizeBytes - sizeBytes)
    }

    /// Reads the meta pages of the data file in a directory and changes nothing.
    ///
    /// - Parameter directory: The directory of the environment.
    /// - Returns: What the pages say; nil if there is no data file, or an empty one.
    /// - Throws: ``LMDBError`` with `alreadyOpen` if this process has the environment open,
    ///   `invalidFile`, `versionMismatch` or `damagedMetaPages` if the file cannot be a whole
    ///   database, or the system's error.
    public static func inspect(directory: String) throws(LMDBError) -> DataFile? {
        let path = try FileSystem.canonicalPath(directory)
        return try OpenEnvironments.withoutEnvironment(in: path) { () throws(LMDBError) in
            try inspect(path: path + "/data.mdb")
        }
    }

    /// Extends the data file in a directory with zeros to the length that its meta pages name.
    ///
    /// For salvage, on a copy: afterwards the environment opens even if pages are missing, and what
    /// is left can be read. Read it in a process that may die: LMDB 0.9 checks with an assertion
    /// that the next page of a cursor is one, and a page of zeros is not.
    ///
    /// The file grows in one step that can only grow it, so a writer of another process is safe; no
    /// byte of it changes.
    ///
    /// - Parameter directory: The directory of the environment.
    /// - Returns: The file as it was before; ``missingBytes`` says how much was added.
    /// - Throws: As ``inspect(directory:)``.
    @discardableResult
    public static func extend(directory: String) throws(LMDBError) -> DataFile? {
        let path = try FileSystem.canonicalPath(directory)
        return try OpenEnvironments.withoutEnvironment(in: path) { () throws(LMDBError) in
            let file = try inspect(path: path + "/data.mdb")
            try file?.extend(path: path + "/data.mdb")
            return file
        }
    }
}

// MARK: - Files

extension DataFile {
    /// Makes the file safe to map, for a caller that holds the registry.
    ///
    /// - Returns: The file as it was before, or nil if there is none or an empty one.
    /// - Throws: ``LMDBError`` with `truncated` if pages in use are missing, and as
    ///   ``inspect(directory:)``.
    static func prepare(path: String) throws(LMDBError) -> DataFile? {
        while true {
            guard let file = try inspect(path: path), file.missingBytes > 0 else {
                return try inspect(path: path)
            }
            do throws(LMDBError) {
                try PageWalk.checkPagesInUse(of: file, path: path)
                try file.extend(path: path)
                return file
            } catch {
                // A writer of another process may have reused what was being walked.
                guard try inspect(path: path) != file else { throw error }
            }
        }
    }

    private func extend(path: String) throws(LMDBError) {
        guard missingBytes > 0 else { return }
        let descriptor = try LMDBError.checkSystem(
            unsafe open(path, O_WRONLY | O_CLOEXEC), "open", detail: path)
        defer { close(descriptor) }
        // One byte at the new end: the rest becomes a hole, and a file that has grown meanwhile
        // keeps its length, which ftruncate would cut.
        let result = posix_fallocate(descriptor, requiredSizeBytes - 1, 1)
        try LMDBError.check(result, "posix_fallocate", detail: path)
    }

    private static func inspect(path: String) throws(LMDBError) -> DataFile? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        try LMDBError.checkSystem(descriptor, "open", detail: path)
        defer { close(descriptor) }
        var status = stat()
        try LMDBError.checkSystem(unsafe fstat(descriptor, &status), "fstat", detail: path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw notDatabase(path, "it is not a regular file")
        }
        guard status.st_size > 0 else { return nil }

        let first = try MetaPage(descriptor: descriptor, offset: 0, path: path)
        let second = try MetaPage(
            descriptor: descriptor, offset: first.pageSizeBytes, path: path)
        guard second.pageSizeBytes == first.pageSizeBytes else {
            throw damaged(path, "the meta pages name different page sizes")
        }
        let newer = first.transactionID > second.transactionID ? first : second
        return DataFile(
            pageSizeBytes: newer.pageSizeBytes, lastPageNumber: newer.lastPageNumber,
            lastTransactionID: newer.transactionID, sizeBytes: Int(status.st_size),
            roots: newer.roots)
    }

    static func notDatabase(_ path: String, _ reason: String) -> LMDBError {
        LMDBError(.invalidFile, call: "inspect", text: reason, detail: path)
    }

    static func damaged(_ path: String, _ reason: String) -> LMDBError {
        LMDBError(.damagedMetaPages, call: "inspect", text: reason, detail: path)
    }
}
