internal import EventStore
internal import Glibc

/// A regular file that is open for reading, and closes when it goes.
final class ReadableFile {
    /// How long it was when it was opened.
    let byteCount: Int
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: ``EventLogError`` with the system's error, or `unrecognized` if it is not a regular file.
    init(_ path: String) throws(EventLogError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw EventLogError(systemCall: "open", number: errno, detail: path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw EventLogError(.unrecognized, detail: "\(path) is not a regular file")
        }
        byteCount = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Bytes of the file; nil if the disk does not give them, or the file ends before.
    func bytes(from offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var read = 0
        while read < count {
            let result = pread(descriptor, &bytes, count, offset)
            if result < 0, errno == EINTR { continue }
            // A regular file gives all or what it has: less is its end.
            guard result == count else { return nil }
            read = result
        }
        return bytes
    }
}
