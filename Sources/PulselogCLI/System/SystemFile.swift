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
        let input = try InputFile(path, onlyRegular: onlyRegular)
        while let chunk = try input.next(), try body(chunk) {}
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
    fileprivate static func opened(_ path: String, _ flags: Int32) -> Int32 {
        while true {
            let descriptor = open(path, flags)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    fileprivate static func failure(_ path: String) -> CommandFailure {
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

/// A file that is read in chunks; `-` is standard input.
struct InputFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    /// - Throws: ``CommandFailure`` if it cannot be opened.
    init(_ path: String, onlyRegular: Bool = false) throws(CommandFailure) {
        let waiting = onlyRegular ? O_NONBLOCK : 0
        self.path = path
        let flags = O_RDONLY | O_CLOEXEC | waiting
        descriptor = path == "-" ? STDIN_FILENO : SystemFile.opened(path, flags)
        guard descriptor >= 0 else { throw SystemFile.failure(path) }
        guard onlyRegular else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFile.failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.noInput, "\(path) cannot be read: it is no regular file.")
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Reads on.
    ///
    /// - Parameter stop: Ends the waiting, and is thrown as ``StopRequest/failure``.
    /// - Returns: At most 64 KiB; nil at the end.
    /// - Throws: ``CommandFailure`` if the file cannot be read.
    func next(orUntil stop: StopRequest? = nil) throws(CommandFailure) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            if let stop, stop.comes(before: descriptor) { throw StopRequest.failure }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemFile.failure(path) }
            chunk.removeLast(chunk.count - count)
            return chunk.isEmpty ? nil : chunk
        }
    }
}
