internal import Files
internal import Synchronization

/// The environments that this process has open: at most one for each directory and each file.
///
/// A second one in a process silently drops the lock that keeps other processes' writers out.
/// Directories and files are known by identity, so no link or mount leads around the rule.
enum OpenEnvironments {
    private static let claims = Mutex<Set<FileIdentity>>([])

    /// Runs `body`, which opens the environment in the directory, and remembers its files.
    ///
    /// - Throws: ``LMDBError`` with `alreadyOpen`, or what `body` throws; then nothing is claimed.
    static func claim(
        _ directory: String, opening body: () throws(LMDBError) -> OpenFiles
    ) throws(LMDBError) -> OpenFiles {
        try claims.withLock { claims throws(LMDBError) in
            guard try claims.isDisjoint(with: identities(in: directory)) else {
                throw LMDBError(
                    .alreadyOpen, call: "mdb_env_open",
                    text: "this process already has the environment open", detail: directory)
            }
            let files = try body()
            claims.formUnion(files.all)
            return files
        }
    }

    /// Runs `body`, which closes the environment, and forgets its files.
    static func release(_ files: OpenFiles, closing body: () -> Void) {
        claims.withLock { claims in
            body()
            claims.subtract(files.all)
        }
    }

    private static func identities(in directory: String) throws(LMDBError) -> Set<FileIdentity> {
        var identities: Set<FileIdentity> = []
        for path in [directory, directory + "/data.mdb", directory + "/lock.mdb"] {
            if let identity = try FileSystem.identity(of: path) { identities.insert(identity) }
        }
        return identities
    }
}

/// The files that an open environment holds.
struct OpenFiles: Sendable {
    let directory: FileIdentity
    let data: FileIdentity
    /// Nil if there is none, where this process may not make it.
    let lock: FileIdentity?

    var all: Set<FileIdentity> { Set([directory, data, lock].compactMap(\.self)) }
}
