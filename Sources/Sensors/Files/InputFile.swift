internal import Glibc

/// A file that is read in chunks; `-` is standard input.
package final class InputFile: Sendable {
    /// For how long a pipe with a name is waited for.
    private static let pipeMilliseconds: Int32 = 10_000

    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    ///   - offset: The byte to begin at; of a regular file.
    /// - Throws: ``FileError`` if it cannot be opened.
    package init(
        _ path: String, onlyRegular: Bool = false, from offset: Int64 = 0
    ) throws(FileError) {
        self.path = path
        var status = stat()
        // Of a pipe with a name nobody knows whether somebody will write into it.
        let isFIFO =
            !path.hasPrefix("/dev/fd/") && stat(path, &status) == 0
            && status.st_mode & S_IFMT == S_IFIFO
        let flags = O_RDONLY | O_CLOEXEC | (onlyRegular || isFIFO ? O_NONBLOCK : 0)
        var opened = STDIN_FILENO
        // A signal that comes meanwhile changes nothing.
        if path != "-" { repeat { opened = open(path, flags) } while opened < 0 && errno == EINTR }
        descriptor = opened
        guard descriptor >= 0 else { throw FileError(reading: path) }
        if isFIFO, !onlyRegular {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Self.pipeMilliseconds) > 0 else {
                throw FileError(
                    .notFound,
                    "\(path) is a pipe, and nobody has written into it for 10 s. Start what writes "
                        + "into it, or name the file `-` and pipe into the command.")
            }
            _ = fcntl(descriptor, F_SETFL, O_RDONLY)
        }
        guard onlyRegular else { return }
        guard fstat(descriptor, &status) == 0 else { throw FileError(reading: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(.notFound, "\(path) cannot be read: it is not a regular file.")
        }
        guard offset == 0 || lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw FileError(reading: path)
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Reads on.
    ///
    /// - Parameter isStopped: Waits until the descriptor can be read, and returns whether to stop
    ///   instead; nil to wait for the file alone.
    /// - Returns: At most 64 KiB; nil at the end.
    /// - Throws: ``FileError`` if the file cannot be read, or the reading is to stop.
    package func next(
        unless isStopped: ((_ descriptor: Int32) -> Bool)? = nil
    ) throws(FileError) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            if let isStopped, isStopped(descriptor) { throw .interrupted }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError(reading: path) }
            chunk.removeLast(chunk.count - count)
            return chunk.isEmpty ? nil : chunk
        }
    }
}

extension InputFile {
    /// Reads a whole small file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limitBytes: The most bytes that it may have.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    /// - Returns: The bytes.
    /// - Throws: ``FileError`` if it cannot be opened or read, or is larger than the limit.
    package static func contents(
        of path: String, limitBytes: Int, onlyRegular: Bool = false
    ) throws(FileError) -> [UInt8] {
        let input = try InputFile(path, onlyRegular: onlyRegular)
        var bytes: [UInt8] = []
        while let chunk = try input.next() {
            bytes += chunk
            guard bytes.count <= limitBytes else {
                throw FileError(.badContent, "\(path) is larger than \(limitBytes) bytes.")
            }
        }
        return bytes
    }

    /// The first line that begins with some text, in one of the system's small files.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - prefix: What the line begins with.
    /// - Returns: What follows that; nil if there is no such line, or the file cannot be read.
    package static func line(of path: String, after prefix: String = "") -> String? {
        do throws(FileError) {
            let bytes = try contents(of: path, limitBytes: 4_096, onlyRegular: true)
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        } catch {
            return nil  // What it means is said by whoever asked.
        }
    }

    /// Looks how large a file is.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its bytes; nil for anything but a regular file.
    package static func sizeBytes(of path: String) -> UInt64? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return UInt64(status.st_size)
    }
}
