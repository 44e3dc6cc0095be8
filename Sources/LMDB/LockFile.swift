internal import CLMDB
internal import Files
internal import Glibc

/// The lock file of an environment that is read without taking part in its lock.
///
/// On a medium or in a directory that this process may not write, LMDB has no place for a reader:
/// a writer would not know of it, and reuse pages under it. So it reads only while nobody else has
/// the environment open, which the kernel reports.
///
/// Its descriptor is closed by whoever opened it, at the moment that is right for all locks of the
/// process; see ``OpenEnvironments``.
struct LockFile {
    /// For all processes together; LMDB's own number.
    static let readerSlots = 126

    private let descriptor: Int32?
    private let path: String
    /// Why the file cannot be written: `EROFS` or `EACCES`.
    private let reason: Int32

    /// Gives the lock file in a directory its place on the disk before LMDB maps it.
    ///
    /// LMDB makes one without any, and on a full disk the first write to the map would be the end
    /// of the process. What else is in the way, LMDB meets as well and says so. No environment of
    /// this process is open there.
    ///
    /// - Parameter directory: The path of the environment.
    /// - Throws: ``LMDBError`` if the disk is full.
    static func reserve(in directory: String) throws(LMDBError) {
        let path = directory + "/lock.mdb"
        let number: Int32
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDWR | O_CREAT)
            guard file.regularByteCount != nil, file.status?.st_blocks == 0 else { return }
            // A slot takes a line of the cache, and so do the two mutexes before them.
            number = posix_fallocate(file.descriptor, 0, 64 * (readerSlots + 2))
        } catch {
            return
        }
        guard ![ENOSPC, EDQUOT].contains(number) else {
            throw LMDBError(result: number, call: "posix_fallocate", detail: path)
        }
    }

    /// Looks whether the lock file in a directory can be written; nil if it can.
    ///
    /// It is made if it is not there, as LMDB does.
    ///
    /// - Throws: ``LMDBError`` with the system's error if it can be neither written nor read.
    init?(unlessWritableIn directory: String) throws(LMDBError) {
        path = directory + "/lock.mdb"
        do throws(SystemCallError) {
            _ = try OpenFile(path, O_RDWR | O_CREAT)
            return nil
        } catch {
            reason = error.number
        }
        guard [EROFS, EACCES, EPERM].contains(reason) else {
            throw LMDBError(result: reason, call: "open", detail: path)
        }
        let readable = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // Without a lock file nobody has the environment open.
        if readable < 0, errno == ENOENT {
            descriptor = nil
        } else {
            descriptor = try LMDBError.checkSystem(readable, "open", detail: path)
        }
    }

    /// Closes the file, once.
    func close() {
        if let descriptor { Glibc.close(descriptor) }
    }

    /// Throws if another process has the environment open.
    func throwIfOpenElsewhere() throws(LMDBError) {
        guard let descriptor else {
            guard unsafe access(path, F_OK) != 0 else { throw company("another process") }
            return
        }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        try LMDBError.checkSystem(
            unsafe fcntl(descriptor, F_GETLK, &lock), "fcntl", detail: path)
        guard lock.l_type == Int16(F_UNLCK) else { throw company("process \(lock.l_pid)") }
    }

    private func company(_ process: String) -> LMDBError {
        LMDBError(
            .system(reason), call: "fcntl",
            text: "\(process) has the environment open, and only programs that may write its lock "
                + "file can read along with it", detail: path)
    }
}
