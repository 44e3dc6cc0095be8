internal import Files
internal import Glibc

/// A copy of a database and its write-ahead log, in a folder that is this user's alone and goes
/// with it: SQLite opens no file without a name, and reads a log only where it may write next to
/// it.
final class DatabaseCopy {
    /// What SQLite calls the log, after the name of the database.
    private static let logSuffix = "-wal"

    /// The copy of the database.
    let path: String
    /// Whether there is a log next to it.
    let hasLog: Bool
    private let directory: String

    /// Where the log of a database is, as SQLite looks for it: next to the file, not to a link.
    ///
    /// - Parameter database: The database, or a link to it.
    /// - Returns: The path, whether or not there is a log.
    static func log(of database: String) -> String {
        (FilePath.resolved(database) ?? database) + logSuffix
    }

    /// Copies a database.
    ///
    /// - Parameters:
    ///   - database: Its bytes.
    ///   - log: Those of its log; nil if it has none.
    /// - Throws: ``FileError`` if one of them cannot be copied, or both have more than 1 GiB.
    init(_ database: ByteStream, log: ByteStream? = nil) throws(FileError) {
        let (directory, isMade) = FilePath.makeTemporary { mkdtemp(&$0) != nil }
        guard isMade else { throw FileError(reading: FilePath.parent(of: directory)) }
        (self.directory, path, hasLog) = (directory, directory + "/copy", log != nil)
        var count: UInt64 = 0
        for (stream, suffix) in [(database, ""), (log, Self.logSuffix)] {
            guard let stream else { continue }
            let file = try FileError.opening { () throws(SystemCallError) in
                try OpenFile(path + suffix, O_WRONLY | O_CREAT | O_EXCL)
            }
            try stream.copy(to: file, &count)
        }
    }

    /// Takes the names away, of which SQLite needs no more than the first unless there is a log.
    func remove() {
        // SQLite makes an index of the log.
        for suffix in ["", Self.logSuffix, "-shm"] { unlink(path + suffix) }
        rmdir(directory)
    }

    deinit { remove() }
}
