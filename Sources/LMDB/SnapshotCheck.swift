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
        /// The pages that the last walk found neither in use nor free.
        var lostPages: [UInt64] = []
        /// The greatest length of the file so far, in bytes.
        ///
        /// A data file never becomes shorter.
        var sizeBytes = 0
    }

    /// The data file that LMDB has open.
    let file: DataFile
    private let passed = Mutex(Passed())

    init(_ file: DataFile) {
        self.file = file
    }

    /// Throws if the file was cut: to touch the map past its end would be a SIGBUS.
    func checkLength() throws(LMDBError) {
        // Looked at inside the lock: else the look of another thread, at a file that has grown
        // since, could be noted first.
        let (size, greatest) = try passed.withLock { passed throws(LMDBError) in
            let size = try file.byteCount()
            passed.sizeBytes = max(passed.sizeBytes, size)
            return (size, passed.sizeBytes)
        }
        guard size == greatest else {
            throw LMDBError(
                .truncated, call: "fstat", text: "the file had \(greatest) bytes and has \(size)",
                detail: file.path)
        }
    }

    /// Looks at the snapshot of an open transaction, unless that has been done.
    ///
    /// - Parameters:
    ///   - transactionID: The commit that the snapshot is of.
    ///   - toleratesFailedCommit: Whether the older meta page may be what a failed commit has left.
    /// - Returns: False if later commits have taken its meta page meanwhile: begin again.
    /// - Throws: ``LMDBError`` with `truncated`, `corrupted`, `commitInDoubt` or
    ///   `damagedMetaPages`.
    func admits(
        _ transactionID: UInt64, toleratesFailedCommit: Bool
    ) throws(LMDBError) -> Bool {
        guard passed.withLock({ $0.transactionID != transactionID }) else { return true }
        let metas = try MetaPages(file)
        guard let (page, before) = metas.page(of: transactionID) else { return false }
        let lostPages = try PageWalk.check(
            page, before: toleratesFailedCommit ? nil : before, known: self.lostPages,
            in: file)
        passed.withLock { $0.lostPages = lostPages }
        pass(transactionID)
        return true
    }

    /// The pages that the last walk found neither in use nor free: no commit takes them again.
    var lostPages: [UInt64] { passed.withLock { $0.lostPages } }

    /// Takes note of a commit of this process, on a snapshot that was looked at.
    func pass(_ transactionID: UInt64) {
        passed.withLock { $0.transactionID = max($0.transactionID ?? 0, transactionID) }
    }
}
