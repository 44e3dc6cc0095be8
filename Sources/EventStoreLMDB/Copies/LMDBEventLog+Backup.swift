public import EventStore
internal import LMDB

extension LMDBEventLog {
    /// Copies the log as the last commit left it into a store of its own, while others record: the
    /// same log, with the same identity.
    ///
    /// The copy is made next to its name, `<name>.creating-` and six characters, every block of it
    /// is verified, and it takes the name when it is on disk. A process that is killed meanwhile
    /// leaves that directory behind, which may be deleted. All tables come along. The copying is
    /// one long view: what is recorded meanwhile lets the store grow, because no page becomes free.
    ///
    /// - Parameters:
    ///   - directory: The path of the copy; nothing is there. Also on a remote file system.
    ///   - compacting: Leaves free pages out. Slower.
    ///   - progress: Told now and then how far it is; false ends it.
    /// - Returns: How it ended; with the figures of both.
    /// - Throws: ``EventLogError``: `damaged` with the first bad position, and what the file
    ///   systems refuse. Nothing was made.
    public func backUp(
        to directory: String, compacting: Bool = false,
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(EventLogError) -> CopyOutcome<LogBackup> {
        try mapErrors(in: directory) {
            try StagedStore.make(directory, progress: progress) { staged in
                guard let report = try copyFile(to: staged, compacting: compacting),
                    let (_, copy) = try staged.verified({ try $0.summary($1) })
                else { return nil }
                let backup = LogBackup(
                    copy: copy, storeBytes: report.sourceBytes, freePages: report.freePageCount,
                    pageSizeBytes: report.pageSizeBytes)
                return (backup, id)
            }
        }
    }

    /// Copies the data file.
    ///
    /// - Returns: nil if `progress` ended it.
    private func copyFile(
        to staged: StagedStore, compacting: Bool
    ) throws -> CopyReport? {
        try store.read { _, environment -> Result<CopyReport?, LMDBError> in
            do {
                return .success(
                    try environment.copy(toDirectory: staged.directory, compacting: compacting) {
                        staged.progress(CopyProgress(step: .copying, doneBytes: $0, allBytes: $1))
                    })
            } catch let error as LMDBError where error.detail.contains(staged.directory) {
                return .failure(error)  // The copy's place failed, and not that of the log.
            }
        }.get()
    }

    /// Makes a store out of a backup: the events of the backup, and a new origin after them.
    ///
    /// The blocks of the backup are copied as they are and verified. The new log has another
    /// identity: what is recorded to it is never taken for a continuation of the log that was
    /// backed up. The store takes its name when all of it is on disk.
    ///
    /// - Parameters:
    ///   - backup: The path of a store; it is only read.
    ///   - directory: The path of the new store; nothing is there. The directories around it are
    ///     made as well.
    ///   - origin: Called with the verified copy, for what the new origin begins with:
    ///     `originBegan` comes first, and follows the last event of the copy.
    ///   - progress: Told now and then how far it is; false ends it.
    /// - Returns: How it ended; with the figures of the new store.
    /// - Throws: ``LogCreationError``. Nothing was made.
    public static func restore<Failure: Error>(
        from backup: String, to directory: String,
        origin: (LMDBEventLog) throws(Failure) -> LogOrigin,
        progress: (CopyProgress) -> Bool = { _ in true }
    ) throws(LogCreationError<Failure>) -> CopyOutcome<LogCopy> {
        try LogCreationError<Failure>.mapErrors(in: directory) {
            try StagedStore.make(directory, progress: progress) { staged in
                let log = try open(
                    directory: backup, mode: .readOnly, allowsRemoteFileSystem: true)
                defer { log.close() }
                guard try log.copyFile(to: staged, compacting: false) != nil else { return nil }
                return try staged.finish { log in
                    try LogCreationError.source { () throws(Failure) in try origin(log) }
                }
            }
        }
    }
}
