internal import Files
internal import Glibc

/// Bytes that can be read from any place: those of a file, or of a stream.
package final class StoredBytes {
    /// Where they are, or came from, for people.
    package let name: String
    private(set) var sizeBytes: UInt64 = 0
    private let file: OpenFile
    private let isStopped: ByteStream.StopCheck

    /// Opens a regular file.
    ///
    /// - Throws: ``FileError``.
    package init(
        _ path: String, unless isStopped: @escaping ByteStream.StopCheck
    ) throws(FileError) {
        (name, self.isStopped) = (path, isStopped)
        file = try FileError.opening { () throws(SystemCallError) in
            try OpenFile(path, O_RDONLY)
        }
        sizeBytes = UInt64(file.regularByteCount ?? 0)
    }

    /// Reads a stream to its end, into a file of `TMPDIR` without a name: however this process
    /// ends, nothing is left of it.
    ///
    /// - Throws: ``FileError`` if it cannot be read or kept, or has more than 1 GiB.
    package init(
        keeping stream: ByteStream, unless isStopped: @escaping ByteStream.StopCheck
    ) throws(FileError) {
        (name, self.isStopped) = (stream.name, isStopped)
        file = try FileError.opening { () throws(SystemCallError) in try .nameless() }
        try stream.copy(to: file, &sizeBytes)
    }

    func bytes(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
        guard !isStopped(file.descriptor) else { throw .interrupted }
        guard let bytes = file.bytes(from: Int(offset), count: count) else {
            throw FileError(reading: name)
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
