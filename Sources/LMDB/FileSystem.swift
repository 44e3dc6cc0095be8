internal import CLMDB
internal import Glibc

/// One file or directory, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    /// Looks at a path without opening it; nil if there is nothing.
    init?(path: String) throws(LMDBError) {
        var status = stat()
        let result = unsafe stat(path, &status)
        if result != 0, errno == ENOENT { return nil }
        try LMDBError.checkSystem(result, "stat", detail: path)
        self.init(status)
    }

    /// Looks at an open file.
    init(descriptor: Int32) throws(LMDBError) {
        var status = stat()
        try LMDBError.checkSystem(unsafe fstat(descriptor, &status), "fstat")
        self.init(status)
    }
}

/// The few calls of the operating system that an environment needs besides LMDB.
enum FileSystem {
    /// The absolute path without symbolic links.
    static func canonicalPath(_ path: String) throws(LMDBError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw LMDBError(result: errno, call: "realpath", detail: path)
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A path without the slashes at its end.
    static func trimmed(_ path: String) -> Substring {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        return trimmed
    }

    /// The directory that a path lies in.
    static func parent(of path: String) -> String {
        let trimmed = trimmed(path)
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// The last name of a path.
    static func name(of path: String) -> Substring {
        let trimmed = trimmed(path)
        return trimmed.lastIndex(of: "/").map { trimmed[trimmed.index(after: $0)...] } ?? trimmed
    }

    /// Makes the directories that a path lies in; each is on disk before the next.
    static func makeParents(of path: String) throws(LMDBError) {
        var missing: [String] = []
        var parent = parent(of: path)
        while unsafe access(parent, F_OK) != 0, errno == ENOENT {
            missing.append(parent)
            parent = Self.parent(of: parent)
        }
        for directory in missing.reversed() {
            if unsafe mkdir(directory, 0o700) != 0, errno != EEXIST {
                throw LMDBError(result: errno, call: "mkdir", detail: directory)
            }
            try synchronize(Self.parent(of: directory))
        }
    }

    /// Throws if the directory is on a file system whose maps or locks LMDB cannot rely on.
    static func refuseRemote(_ directory: String) throws(LMDBError) {
        var status = statfs()
        try LMDBError.checkSystem(unsafe statfs(directory, &status), "statfs", detail: directory)
        // The field is signed and 64 bits wide; the magic numbers are 32 bits.
        guard let name = remoteName(magic: UInt32(truncatingIfNeeded: status.f_type)) else {
            return
        }
        throw LMDBError(
            .remoteFileSystem, call: "statfs",
            text: "\(name) does not share memory maps and locks as LMDB needs",
            detail: directory)
    }

    /// The name of a remote file system, or nil; statfs(2) lists the numbers.
    static func remoteName(magic: UInt32) -> String? {
        switch magic {
        case 0x6969: "NFS"
        case 0x517B: "SMB"
        case 0xFE53_4D42: "SMB2"
        case 0xFF53_4D42: "CIFS"
        case 0x0102_1997: "9P"
        case 0x6573_5546: "FUSE"
        case 0x00C3_6400: "Ceph"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x7375_7245: "Coda"
        default: nil
        }
    }

    /// What a process without privileges may still write there, in bytes; nil if unknown.
    static func availableBytes(_ directory: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(directory, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Makes the content of a file, or the names in a directory, survive a power cut.
    static func synchronize(_ path: String) throws(LMDBError) {
        let descriptor = try LMDBError.checkSystem(
            unsafe open(path, O_RDONLY | O_CLOEXEC), "open", detail: path)
        defer { close(descriptor) }
        try LMDBError.checkSystem(fsync(descriptor), "fsync", detail: path)
    }
}
