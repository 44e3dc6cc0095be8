internal import Files
internal import Glibc

/// Bytes that can be read from any place: those of a file, or of a stream.
package final class StoredBytes {
    /// Where they are, or came from, for people.
    package let name: String
    private(set) var sizeBytes: UInt64 = 0
    private let descriptor: Int32
    private let isStopped: ByteStream.StopCheck

    /// Opens a regular file.
    ///
    /// - Throws: ``FileError``.
    package init(
        _ path: String, unless isStopped: @escaping ByteStream.StopCheck
    ) throws(FileError) {
        (name, self.isStopped) = (path, isStopped)
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(reading: path) }
        sizeBytes = InputFile.sizeBytes(of: path) ?? 0
    }

    /// Reads a stream to its end, into a file of `TMPDIR` without a name: however this process
    /// ends, nothing is left of it.
    ///
    /// - Throws: ``FileError`` if it cannot be read or kept, or has more than 1 GiB.
    package init(
        keeping stream: ByteStream, unless isStopped: @escaping ByteStream.StopCheck
    ) throws(FileError) {
        (name, self.isStopped) = (stream.name, isStopped)
        let path: String
        (path, descriptor) = FilePath.makeNameless()
        guard descriptor >= 0 else { throw FileError(reading: FilePath.parent(of: path)) }
        try stream.copy(to: descriptor, &sizeBytes)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func bytes(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
        guard !isStopped(descriptor) else { throw .interrupted }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let part = pread(descriptor, &bytes[done], count - done, off_t(offset) + off_t(done))
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { throw FileError(reading: name) }
            done += part
        }
        return bytes
    }

    /// A part of them, piece by piece.
    func stream(_ name: String, _ range: Range<UInt64>) -> ByteStream {
        var place = range.lowerBound
        return ByteStream(name) { [self] () throws(FileError) in
            let count = Int(min(range.upperBound - place, ByteStream.pieceBytes))
            guard count > 0 else { return nil }
            defer { place += UInt64(count) }
            return try bytes(at: place, count: count)
        }
    }
}
