internal import Glibc
internal import Synchronization

/// A small file that stands beside the data of an environment, and is there whole or not at all.
public struct CompanionFile: Sendable {
    /// Two of a process that write the same file would write the same draft.
    private static let turn = Mutex(())

    /// The name, without a directory.
    public let name: String
    private let content: [UInt8]

    /// Names a file and what it holds.
    ///
    /// - Parameters:
    ///   - name: The name, without a directory.
    ///   - content: All of its bytes.
    public init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }

    /// Writes the file durably, in the place of one that is there.
    ///
    /// - Parameter directory: The directory of the environment.
    /// - Throws: ``LMDBError`` with the system's error; then the file is as it was.
    public func write(to directory: String) throws(LMDBError) {
        try Self.turn.withLock { (_) throws(LMDBError) in try replace(in: directory) }
    }

    private func replace(in directory: String) throws(LMDBError) {
        let path = "\(directory)/\(name)"
        let temporary = "\(path).new-\(getpid())"
        // Left by a dead process of the same number, or put there.
        unsafe unlink(temporary)
        let descriptor = try LMDBError.checkSystem(
            unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "open",
            detail: path)
        do throws(LMDBError) {
            defer { close(descriptor) }
            let count = unsafe content.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            guard try LMDBError.checkSystem(count, "write", detail: path) == content.count else {
                throw LMDBError(result: ENOSPC, call: "write", detail: path)
            }
            try LMDBError.checkSystem(fsync(descriptor), "fsync", detail: path)
            try LMDBError.checkSystem(unsafe rename(temporary, path), "rename", detail: path)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try FileSystem.synchronize(directory)
    }

    /// Makes the names in a directory survive a power cut.
    ///
    /// - Parameter directory: Its path.
    /// - Throws: ``LMDBError`` with the system's error.
    public static func synchronizeNames(in directory: String) throws(LMDBError) {
        try FileSystem.synchronize(directory)
    }

    /// The absolute path of a directory, without symbolic links.
    ///
    /// - Throws: ``LMDBError`` with the system's error.
    public static func canonicalPath(of directory: String) throws(LMDBError) -> String {
        try FileSystem.canonicalPath(directory)
    }

    /// Makes a directory for such files, and those around it, each only for its owner.
    ///
    /// - Parameter path: Its path; it may already be there.
    /// - Throws: ``LMDBError`` with the system's error.
    public static func makeDirectory(_ path: String) throws(LMDBError) {
        try FileSystem.makeParents(of: "\(path)/file")
    }
}
