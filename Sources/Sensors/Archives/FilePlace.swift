/// A file that can be opened again, next to which others can be found.
package enum FilePlace {
    /// A regular file.
    case file(String)
    /// A file in an archive.
    case entry(ZipArchive, ZipArchive.Entry)
    /// What came through a pipe, or out of a gzip file.
    case kept(StoredBytes)

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
    /// - Parameters:
    ///   - limitBytes: The most bytes that come of it if it is compressed.
    ///   - isStopped: Whether the reading of a file is to stop.
    /// - Returns: Its bytes.
    /// - Throws: ``FileError``.
    package func open(
        limitBytes: UInt64 = ByteStream.limitBytes, unless isStopped: ByteStream.StopCheck? = nil
    ) throws(FileError) -> ByteStream {
        switch self {
        case .file(let path):
            try ByteStream(InputFile(path, onlyRegular: true), path, unless: isStopped)
        case .entry(let archive, let entry): try archive.open(entry, limitBytes: limitBytes)
        case .kept(let bytes): bytes.stream(bytes.name, 0..<bytes.sizeBytes)
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
