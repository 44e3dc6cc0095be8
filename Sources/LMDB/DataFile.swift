internal import CLMDB
internal import Glibc

/// What the meta pages of a closed data file say, compared with its length.
///
/// LMDB maps the file and trusts its meta pages: a page that they name beyond the end of the file
/// is a SIGBUS. A healthy file can be short as well, by pages that a commit allocated and freed
/// again, so a short file is not refused but extended with zeros, which read as damaged pages.
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
    /// Look first, and look at a copy, if the file may be evidence: opening an environment extends
    /// a short file.
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
    /// The file grows in one step that can only grow it, so a writer of another process is safe; no
    /// byte of it changes. Every ``Environment`` does the same before it opens.
    ///
    /// - Parameter directory: The directory of the environment.
    /// - Returns: The file as it was before; ``missingBytes`` says how much was added.
    /// - Throws: As ``inspect(directory:)``.
    @discardableResult
    public static func extend(directory: String) throws(LMDBError) -> DataFile? {
        let path = try FileSystem.canonicalPath(directory)
        return try OpenEnvironments.withoutEnvironment(in: path) { () throws(LMDBError) in
            try extend(path: path + "/data.mdb")
        }
    }
}

// MARK: - Files

extension DataFile {
    /// As ``extend(directory:)``, for a caller that holds the registry.
    static func extend(path: String) throws(LMDBError) -> DataFile? {
        guard let file = try inspect(path: path), file.missingBytes > 0 else {
            return try inspect(path: path)
        }
        let descriptor = try LMDBError.checkSystem(
            unsafe open(path, O_WRONLY | O_CLOEXEC), "open", detail: path)
        defer { close(descriptor) }
        // One byte at the new end: the rest becomes a hole, and a file that has grown meanwhile
        // keeps its length, which ftruncate would cut.
        let result = posix_fallocate(descriptor, file.requiredSizeBytes - 1, 1)
        try LMDBError.check(result, "posix_fallocate", detail: path)
        return file
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
        return DataFile(
            pageSizeBytes: first.pageSizeBytes,
            // A reader may still use the older one.
            lastPageNumber: max(first.lastPageNumber, second.lastPageNumber),
            lastTransactionID: max(first.transactionID, second.transactionID),
            sizeBytes: Int(status.st_size))
    }

    fileprivate static func notDatabase(_ path: String, _ reason: String) -> LMDBError {
        LMDBError(.invalidFile, call: "inspect", text: reason, detail: path)
    }

    fileprivate static func damaged(_ path: String, _ reason: String) -> LMDBError {
        LMDBError(.damagedMetaPages, call: "inspect", text: reason, detail: path)
    }
}

// MARK: - Meta pages

/// The fields of one meta page that say where the file must end.
private struct MetaPage {
    let pageSizeBytes: Int
    let lastPageNumber: UInt64
    let transactionID: UInt64

    /// `offsetof(MDB_page, mp_ptrs)` and `sizeof(MDB_meta)`.
    private static let byteCount = 16 + 136

    init(descriptor: Int32, offset: Int, path: String) throws(LMDBError) {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
        }
        try LMDBError.checkSystem(count, "pread", detail: path)
        guard count == Self.byteCount else {
            throw DataFile.notDatabase(path, "it ends within its meta pages")
        }
        func field<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Value.Type)
            -> Value
        {
            unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
        }

        // mp_flags with P_META, mm_magic, mm_version
        guard field(10, UInt16.self) & 0x08 != 0, field(16, UInt32.self) == 0xBEEF_C0DE else {
            throw DataFile.notDatabase(path, "page \(offset == 0 ? 0 : 1) is no meta page")
        }
        guard field(20, UInt32.self) == 1 else {
            throw LMDBError(result: MDB_VERSION_MISMATCH, call: "inspect", detail: path)
        }
        let pageSize = Int(field(40, UInt32.self))  // mm_psize
        guard (512...32768).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            throw DataFile.damaged(path, "a page size of \(pageSize) bytes is not possible")
        }
        let mapSize = field(32, UInt64.self)  // mm_mapsize
        let lastPage = field(136, UInt64.self)  // mm_last_pg
        guard mapSize <= UInt64(Int.max), lastPage >= 1,
            lastPage < mapSize / UInt64(pageSize)
        else {
            throw DataFile.damaged(path, "page \(lastPage) lies outside a map of \(mapSize) bytes")
        }
        for offset in [80, 128] {  // md_root of the free list and of the main database
            let root = field(offset, UInt64.self)
            guard root <= lastPage || root == UInt64.max else {
                throw DataFile.damaged(path, "a tree begins at page \(root), after the last page")
            }
        }
        pageSizeBytes = pageSize
        lastPageNumber = lastPage
        transactionID = field(144, UInt64.self)  // mm_txnid
    }
}
