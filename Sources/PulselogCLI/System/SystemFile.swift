internal import Glibc

/// Files as bytes, within limits.
enum SystemFile {
    /// Reads a whole small file.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be opened or read, or is larger than the limit.
    static func read(_ path: String, limitBytes: Int) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var isTooLarge = false
        try forEachChunk(of: path) { chunk in
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
    /// - Throws: ``CommandFailure`` if it cannot be opened or read.
    static func forEachChunk(
        of path: String, _ body: ([UInt8]) throws(CommandFailure) -> Bool
    ) throws(CommandFailure) {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if path != "-" { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0, try body(Array(buffer[..<count])) else { return }
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
