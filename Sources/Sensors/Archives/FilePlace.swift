internal import Files
internal import Glibc

/// A file that can be opened again, next to which others can be found.
package enum FilePlace {
    /// A regular file.
    case file(String)
    /// A file in an archive.
    case entry(ZipArchive, ZipArchive.Entry)
    /// What came through a pipe, or out of a gzip file.
    case kept(KeptBytes)

    /// Where it is, for people.
    package var name: String {
        switch self {
        case .file(let path): path
        case .entry(let archive, let entry): "\(archive.name)/\(entry.name)"
        case .kept(let bytes): bytes.name
        }
    }

    /// Opens it.
    ///
    /// - Parameter limitBytes: The most bytes that come of it if it is compressed.
    /// - Returns: Its bytes.
    /// - Throws: ``FileError``.
    package func open(
        limitBytes: UInt64 = ByteStream.limitBytes
    ) throws(FileError) -> ByteStream {
        switch self {
        case .file(let path): try ByteStream(InputFile(path, onlyRegular: true), path)
        case .entry(let archive, let entry): try archive.open(entry, limitBytes: limitBytes)
        case .kept(let bytes): try ByteStream(OpenedFile(bytes.path))
        }
    }

    /// A file next to it, or in the folder of files that Gadgetbridge and Apple Health make next to
    /// it.
    ///
    /// - Parameter name: What it is called, without a folder.
    /// - Returns: Where it is; nil if there is none.
    package func neighbour(_ name: String) -> FilePlace? {
        let (path, found): (String, (String) -> FilePlace?) =
            switch self {
            case .file(let path):
                (path, { InputFile.sizeBytes(of: $0) == nil ? nil : .file($0) })
            case .entry(let archive, let entry):
                (entry.name, { archive.byName[$0].map { .entry(archive, $0) } })
            case .kept: ("", { _ in nil })
            }
        func folder(_ path: Substring) -> Substring {
            path.lastIndex(of: "/").map { path[...$0] } ?? ""
        }
        let own = folder(path[...])
        let beside = "\(folder(own.dropLast()))files/"
        return ["\(own)workout-routes/", "\(own)files/", "\(own)", beside].lazy
            .compactMap { found($0 + name) }.first
    }
}

/// Bytes that are kept in a file of this user's, until this goes.
package final class KeptBytes {
    private static let limitBytes = 1 << 30

    /// Where they came from, for people.
    package let name: String
    /// Its path: SQLite opens no file that has none.
    package let path: String
    let descriptor: Int32

    /// Reads a stream to its end.
    ///
    /// - Throws: ``FileError`` if it cannot be read or kept, or has more than 1 GiB.
    package init(_ stream: ByteStream) throws(FileError) {
        name = stream.name
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        let (path, descriptor) = FilePath.makeUnique("\(parent)/pulselog-") {
            mkstemp(&$0)
        }
        guard descriptor >= 0 else { throw FileError(reading: parent) }
        (self.path, self.descriptor) = (path, descriptor)
        var count = 0
        while let piece = try stream.next() {
            count += piece.count
            guard count <= Self.limitBytes else {
                throw FileError(
                    .badContent, "\(name) is larger than 1 GiB; unpack it first, or name its file.")
            }
            guard write(descriptor, piece, piece.count) == piece.count else {
                throw FileError(
                    .unreadable,
                    "\(name) cannot be unpacked; make room for it, or set TMPDIR to another folder")
            }
        }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }
}
