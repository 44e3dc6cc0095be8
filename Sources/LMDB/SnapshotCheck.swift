internal import Glibc
internal import Synchronization

/// Looks at each snapshot of an open data file before LMDB follows its pages.
///
/// A snapshot is looked at once, and not at all if it is what this process has committed on one
/// that was: so the walk costs its time when the environment is opened, and after a commit of
/// another process.
final class SnapshotCheck: Sendable {
    private struct Passed {
        /// The last snapshot that LMDB can follow; nil before the first.
        var transactionID: UInt64?
        /// The greatest length of the file so far, in bytes.
        ///
        /// A data file never becomes shorter.
        var sizeBytes = 0
    }

    private let descriptor: Int32
    private let path: String
    private let toleratesFailedCommit: Bool
    private let passed = Mutex(Passed())

    /// Watches the data file that LMDB has open.
    init(descriptor: Int32, path: String, toleratesFailedCommit: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.toleratesFailedCommit = toleratesFailedCommit
    }

    /// Throws if the file was cut: to touch the map behind its end would be a SIGBUS.
    func checkLength() throws(LMDBError) {
        var status = stat()
        try LMDBError.checkSystem(unsafe fstat(descriptor, &status), "fstat", detail: path)
        let size = Int(status.st_size)
        let greatest = passed.withLock { passed in
            passed.sizeBytes = max(passed.sizeBytes, size)
            return passed.sizeBytes
        }
        guard size == greatest else {
            throw LMDBError(
                .truncated, call: "fstat", text: "the file had \(greatest) bytes and has \(size)",
                detail: path)
        }
    }

    /// Looks at the snapshot of an open transaction, unless that has been done.
    ///
    /// - Parameter transactionID: The commit that the snapshot is of.
    /// - Returns: False if later commits have taken its meta page meanwhile: begin again.
    /// - Throws: ``LMDBError`` with `truncated`, `corrupted` or `damagedMetaPages`.
    func admits(_ transactionID: UInt64) throws(LMDBError) -> Bool {
        guard passed.withLock({ $0.transactionID != transactionID }) else { return true }
        let metas = try MetaPages(descriptor: descriptor, path: path)
        guard let (page, before) = metas.page(of: transactionID) else { return false }
        try PageWalk.check(
            page, before: toleratesFailedCommit ? nil : before, descriptor: descriptor, path: path)
        pass(transactionID)
        return true
    }

    /// Takes note of a commit of this process, on a snapshot that was looked at.
    func pass(_ transactionID: UInt64) {
        passed.withLock { $0.transactionID = max($0.transactionID ?? 0, transactionID) }
    }
}
