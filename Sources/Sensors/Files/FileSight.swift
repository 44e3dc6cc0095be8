internal import Glibc
internal import Text

/// What a watched file is when it is looked at.
enum FileSight: Hashable, Sendable {
    /// A regular file, with what changes when it is written or replaced.
    case file(device: UInt64, number: UInt64, size: Int64, modified: [Int64])
    /// There is nothing to read, for this reason.
    case nothing(String)

    /// Looks at a file.
    init(of path: String) {
        let name = printable(path, limit: 200)
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            self = .nothing("\(name) cannot be read yet: \(reason). Waiting for it.")
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            self = .nothing("\(name) is not a regular file; waiting for one.")
            return
        }
        self = .file(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: [
                Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
            ])
    }
}
