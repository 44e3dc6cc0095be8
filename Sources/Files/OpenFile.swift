public import Glibc

/// A file that is open, and closes when it goes.
public struct OpenFile: ~Copyable, Sendable {
    /// The path that it was opened by.
    public let path: String
    /// Its descriptor, valid as long as this.
    public let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - flags: Those of open(2); the file is never inherited, and never waited for.
    ///   - permissions: Those of a new file, which belongs to the owner of its folder if root
    ///     makes it.
    /// - Throws: ``SystemCallError``.
    public init(
        _ path: String, _ flags: Int32, permissions: mode_t = 0o600
    ) throws(SystemCallError) {
        descriptor = try NewFile.open(path, flags | O_CLOEXEC | O_NONBLOCK, permissions)
        self.path = path
    }

    /// Takes over a file that is open.
    init(_ path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Makes a new file of `TMPDIR` that has no name: however this process ends, nothing is left
    /// of it.
    ///
    /// - Throws: ``SystemCallError``, of that folder.
    public static func nameless() throws(SystemCallError) -> OpenFile {
        let (path, descriptor) = FilePath.makeTemporary { unsafe mkstemp(&$0) }
        try SystemCallError.check(descriptor, "mkstemp", FilePath.parent(of: path))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(path)
        return OpenFile(path, descriptor: descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// Another descriptor of the file, for the caller to close; below 0 if there can be none.
    public func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// What the system says of the file; nil if it says nothing.
    public var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Its length in bytes, if it is a regular file; else nil.
    public var regularByteCount: Int? {
        status.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
    }

    /// Whether the file still has the name that it was opened by.
    public var hasItsName: Bool {
        var named = stat()
        guard let status, unsafe lstat(path, &named) == 0 else { return false }
        return FileIdentity(status) == FileIdentity(named)
    }

    /// Locks the file as flock(2) does, until it is closed or unlocked.
    ///
    /// - Parameter operation: `LOCK_EX`, `LOCK_SH` or `LOCK_UN`; it never waits.
    /// - Returns: Whether that was done; `errno` is `EWOULDBLOCK` if somebody else has it.
    public func lock(_ operation: Int32) -> Bool {
        flock(descriptor, operation | LOCK_NB) == 0
    }

    /// Locks the file for this process alone, or waits in vain: nobody is held up for longer by a
    /// process that was stopped in its turn, and where the file system has no locks nobody waits.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    /// - Returns: Whether it is locked, or no lock can be had of the file system.
    @discardableResult
    public func lockInTurn(within milliseconds: Int) -> Bool {
        let pauseMilliseconds = 10
        var triesLeft = milliseconds / pauseMilliseconds
        while !lock(LOCK_EX) {
            guard errno == EWOULDBLOCK else { return true }
            guard triesLeft > 0 else { return false }
            usleep(UInt32(pauseMilliseconds) * 1_000)
            triesLeft -= 1
        }
        return true
    }

    /// Reads on, up to so many bytes; fewer only at the end of the file.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The bytes.
    /// - Throws: ``SystemCallError``.
    public func read(_ count: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done)
            }
            if result < 0, errno == EINTR { continue }
            if try SystemCallError.check(result, "read", path) == 0 { break }
            done += result
        }
        return Array(bytes.prefix(done))
    }

    /// Bytes at an offset; nil if the disk does not give them, or the file ends before.
    ///
    /// - Parameters:
    ///   - offset: Where they begin.
    ///   - count: Their number.
    /// - Returns: The bytes.
    public func bytes(from offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let result = unsafe pread(descriptor, &bytes, count, offset)
            if result < 0, errno == EINTR { continue }
            // A regular file gives all or what it has: less is its end.
            return result == count ? bytes : nil
        }
    }

    /// Writes on, all of some bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``SystemCallError``.
    public func write(_ bytes: [UInt8]) throws(SystemCallError) {
        var done = 0
        while done < bytes.count {
            let result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if result < 0, errno == EINTR { continue }
            guard result != 0 else { throw SystemCallError("write", path, number: ENOSPC) }
            done += try SystemCallError.check(result, "write", path)
        }
    }

    /// Puts other bytes in the place of the whole content, and goes to their end; as many as there
    /// were, or fewer, need no room on most file systems.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``SystemCallError``.
    public func replaceContent(_ bytes: [UInt8]) throws(SystemCallError) {
        try SystemCallError.check(lseek(descriptor, 0, SEEK_SET), "lseek", path)
        try write(bytes)
        try SystemCallError.check(ftruncate(descriptor, bytes.count), "ftruncate", path)
    }

    /// Makes the content, or the names in a directory, survive a power cut.
    ///
    /// - Throws: ``SystemCallError``.
    public func synchronize() throws(SystemCallError) {
        try SystemCallError.check(fsync(descriptor), "fsync", path)
    }
}
