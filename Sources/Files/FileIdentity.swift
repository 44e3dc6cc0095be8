internal import Glibc

/// One file or directory, whatever path leads to it.
public struct FileIdentity: Hashable, Sendable {
    /// The number of its file system.
    public let device: UInt64
    /// Its number there.
    public let inode: UInt64

    /// Takes the numbers as they are kept.
    public init(device: UInt64, inode: UInt64) {
        (self.device, self.inode) = (device, inode)
    }

    init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Looks at a path without opening it; nil if there is nothing.
    ///
    /// - Parameter path: The path; a symbolic link stands for what it leads to.
    /// - Throws: ``SystemCallError``.
    public init?(path: String) throws(SystemCallError) {
        var status = stat()
        let result = unsafe stat(path, &status)
        if result != 0, errno == ENOENT { return nil }
        try SystemCallError.check(result, "stat", path)
        self.init(status)
    }

    /// Looks at an open file.
    ///
    /// - Parameter descriptor: The file.
    /// - Throws: ``SystemCallError``.
    public init(descriptor: Int32) throws(SystemCallError) {
        var status = stat()
        try SystemCallError.check(unsafe fstat(descriptor, &status), "fstat")
        self.init(status)
    }
}
