internal import CLMDB
internal import Files
internal import Glibc

/// Runs a call of `Files`, and throws its error as one of LMDB's files.
func mapErrors<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
) throws(LMDBError) -> Result {
    do throws(SystemCallError) {
        return try body()
    } catch {
        throw LMDBError(result: error.number, call: error.call, detail: error.path)
    }
}

/// The few calls of the operating system that an environment needs besides LMDB.
enum FileSystem {
    /// Which file or directory a path leads to; nil if there is nothing.
    static func identity(of path: String) throws(LMDBError) -> FileIdentity? {
        try mapErrors { () throws(SystemCallError) in try FileIdentity(path: path) }
    }

    /// Opens a data file for reading only.
    ///
    /// - Throws: ``LMDBError`` with the system's error, or `invalidFile` if it is not a regular
    ///   file.
    static func open(dataFile path: String) throws(LMDBError) -> OpenFile {
        let file = try mapErrors { () throws(SystemCallError) in try OpenFile(path, O_RDONLY) }
        guard file.regularByteCount != nil else {
            throw LMDBError(.invalidFile, dataFile: path, "it is not a regular file")
        }
        return file
    }

    /// Makes a data file with its first pages, unless there is a file, which may be empty.
    static func begin(dataFile path: String, _ pages: [UInt8]) throws(LMDBError) {
        do throws(LMDBError) {
            try mapErrors { () throws(SystemCallError) in
                try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL).write(pages)
            }
        } catch {
            guard error.code == .system(EEXIST) else { throw error }
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

    /// What a process without privileges may still write there, in bytes; nil if unknown, as on a
    /// file system without a limit.
    static func availableBytes(_ directory: String) -> UInt64? {
        var status = statvfs()
        guard unsafe statvfs(directory, &status) == 0, status.f_blocks > 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
