internal import Glibc

/// What is made in a folder.
///
/// If root makes it, it belongs to the owner of that folder: one command with sudo in between must
/// not keep the walker out of what it leaves.
enum NewFile {
    /// Opens a file, and makes it if the flags say so.
    ///
    /// - Returns: Its descriptor.
    /// - Throws: ``SystemCallError``.
    static func open(
        _ path: String, _ flags: Int32, _ permissions: mode_t
    ) throws(SystemCallError) -> Int32 {
        guard geteuid() == 0, flags & O_CREAT != 0 else {
            return try SystemCallError.check(
                unsafe Glibc.open(path, flags, permissions), "open", path)
        }
        let folder = try folder(of: path, for: "open")
        let name = String(FilePath.name(of: path))
        let made = unsafe openat(folder.descriptor, name, flags | O_EXCL, permissions)
        if made < 0, errno == EEXIST, flags & O_EXCL == 0 {
            // Somebody else's, wherever it leads to: it stays as it is.
            return try SystemCallError.check(
                unsafe openat(folder.descriptor, name, flags, permissions), "open", path)
        }
        try SystemCallError.check(made, "open", path)
        folder.giveToOwner(made)
        return made
    }

    /// Makes a folder that only its owner can use.
    ///
    /// - Throws: ``SystemCallError``; `EEXIST` if there is something.
    static func makeFolder(_ path: String) throws(SystemCallError) {
        let folder = try folder(of: path, for: "mkdir")
        let name = String(FilePath.name(of: path))
        try SystemCallError.check(
            unsafe mkdirat(folder.descriptor, name, 0o700), "mkdir", path)
        giveToOwner(path, in: folder)
    }

    /// Gives what was made by other means to the owner of the folder that it lies in.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - folder: The folder whose owner it gets.
    static func giveToOwner(_ path: String, in folder: borrowing OpenFile) {
        guard geteuid() == 0 else { return }
        let made = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard made >= 0 else { return }
        folder.giveToOwner(made)
        close(made)
    }

    private static func folder(
        of path: String, for call: String
    ) throws(SystemCallError) -> OpenFile {
        do throws(SystemCallError) {
            return try OpenFile(FilePath.parent(of: path), O_RDONLY | O_DIRECTORY)
        } catch {
            throw SystemCallError(call, path, number: error.number)
        }
    }
}

extension OpenFile {
    /// Gives an open file of root's to the owner of this folder; where that is not possible, as on
    /// a file system without owners, it stays root's.
    fileprivate func giveToOwner(_ made: Int32) {
        guard geteuid() == 0, let folder = status, folder.st_uid != 0 else { return }
        var status = stat()
        // Something with a second name may be anything.
        guard unsafe fstat(made, &status) == 0, status.st_uid == 0,
            status.st_mode & S_IFMT == S_IFDIR || status.st_nlink == 1
        else { return }
        _ = fchown(made, folder.st_uid, folder.st_gid)
    }
}
