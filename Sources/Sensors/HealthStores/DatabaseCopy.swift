internal import Files
internal import Glibc

/// A copy of a database and its write-ahead log, in a folder that is this user's alone and goes
/// with it: SQLite reads a log only where it may write next to it.
final class DatabaseCopy {
    /// What SQLite calls the log, after the name of the database.
    private static let logSuffix = "-wal"
    /// The most bytes of both files.
    private static let limitBytes: UInt64 = 1 << 30

    /// The copy of the database.
    let path: String
    private let directory: String

    /// Where the log of a database is, as SQLite looks for it: next to the file, not to a link.
    ///
    /// - Parameter database: The database, or a link to it.
    /// - Returns: The path, whether or not there is a log.
    static func log(of database: String) -> String { file(database) + logSuffix }

    private static func file(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Copies both files.
    ///
    /// - Parameter original: The database.
    /// - Throws: ``FileError`` if one of them cannot be copied, or changes meanwhile.
    init(of original: String) throws(FileError) {
        let files = [original, Self.log(of: original)]
        let size = files.reduce(0) { $0 + (InputFile.sizeBytes(of: $1) ?? 0) }
        guard size <= Self.limitBytes else {
            throw FileError(.badContent, "both files have more than \(Self.limitBytes) bytes")
        }
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        let (directory, isMade) = FilePath.makeUnique("\(parent)/pulselog-") {
            mkdtemp(&$0) != nil
        }
        guard isMade else { throw FileError(reading: parent) }
        self.directory = directory
        path = directory + "/copy"
        let before = files.map(FileSight.init(of:))
        for (file, suffix) in zip(files, ["", Self.logSuffix]) {
            try Self.copy(file, to: path + suffix)
        }
        guard files.map(FileSight.init(of:)) == before else {
            throw FileError(.unreadable, "it is being written")
        }
    }

    deinit {
        // SQLite makes an index of the log.
        for suffix in ["", Self.logSuffix, "-shm"] { unlink(path + suffix) }
        rmdir(directory)
    }

    private static func copy(_ file: String, to target: String) throws(FileError) {
        let input = try InputFile(file, onlyRegular: true)
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(reading: target) }
        defer { close(descriptor) }
        var left = limitBytes
        while let chunk = try input.next() {
            guard chunk.count <= left, write(descriptor, chunk, chunk.count) == chunk.count else {
                throw FileError(
                    .unreadable,
                    "it cannot be copied to \(target); make room there, or set TMPDIR to another "
                        + "folder")
            }
            left -= UInt64(chunk.count)
        }
    }
}
