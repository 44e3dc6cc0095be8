internal import Glibc

/// Files as bytes, within limits.
enum SystemFile {
    /// Reads a whole small file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limitBytes: The most bytes that it may have.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    /// - Returns: The bytes.
    /// - Throws: ``CommandFailure`` if it cannot be opened or read, or is larger than the limit.
    static func read(
        _ path: String, limitBytes: Int, onlyRegular: Bool = false
    ) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var isTooLarge = false
        try forEachChunk(of: path, onlyRegular: onlyRegular) { chunk in
            bytes += chunk
            isTooLarge = bytes.count > limitBytes
            return !isTooLarge
        }
        guard !isTooLarge else {
            throw CommandFailure(.badData, "\(path) is larger than \(limitBytes) bytes.")
        }
        return bytes
    }

    /// Reads a file in chunks of at most 64 KiB; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    ///   - body: Given each chunk; false ends the reading.
    /// - Throws: ``CommandFailure`` if it cannot be opened or read.
    static func forEachChunk(
        of path: String, onlyRegular: Bool = false,
        _ body: ([UInt8]) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) {
        let waiting = onlyRegular ? O_NONBLOCK : 0
        let descriptor = path == "-" ? STDIN_FILENO : opened(path, O_RDONLY | O_CLOEXEC | waiting)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if path != "-" { close(descriptor) } }
        if onlyRegular {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failure(path) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw CommandFailure(.noInput, "\(path) cannot be read: it is no regular file.")
            }
        }
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0, try body(Array(buffer[..<count])) else { return }
        }
    }

    /// How many bytes a regular file has; nil for anything else.
    static func sizeBytes(_ path: String) -> UInt64? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return UInt64(status.st_size)
    }

    /// Opens a file; a signal that comes meanwhile changes nothing.
    private static func opened(_ path: String, _ flags: Int32) -> Int32 {
        while true {
            let descriptor = open(path, flags)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        let code: CommandFailure.Code =
            switch errno {
            case ENOENT, ENOTDIR: .noInput
            case EACCES, EPERM: .permission
            case EISDIR: .noInput
            default: .inputOutput
            }
        return CommandFailure(code, "\(path) cannot be read: \(reason).")
    }
}
