package import Glibc

/// Small files of text.
package enum TextFile {
    /// Reads a file.
    ///
    /// - Throws: ``Failure`` in the system's words.
    package static func read(_ path: String) throws(Failure) -> String {
        guard let file = fopen(path, "r") else { throw failure(EX_NOINPUT, path) }
        defer { fclose(file) }
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = fread(&part, 1, part.count, file), count > 0 {
            bytes += part[..<count]
        }
        guard ferror(file) == 0 else { throw failure(EX_IOERR, path) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a file whole, or leaves the one that was there.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - text: What.
    ///   - mode: Who may read it.
    /// - Throws: ``Failure`` in the system's words.
    package static func write(_ path: String, _ text: String, mode: mode_t) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(EX_CANTCREAT, path) }
        let bytes = Array(text.utf8)
        let isWritten =
            Glibc.write(descriptor, bytes, bytes.count) == bytes.count
            && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
            throw failure(EX_IOERR, path)
        }
    }

    /// Makes a folder, unless it is there.
    ///
    /// - Throws: ``Failure`` in the system's words.
    package static func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(EX_CANTCREAT, path) }
    }

    private static func failure(_ code: Int32, _ path: String) -> Failure {
        Failure(code, "\(path): \(String(cString: strerror(errno))).")
    }
}
