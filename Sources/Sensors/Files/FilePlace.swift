internal import Files
internal import Glibc

/// A file that can be opened again, next to which others can be found.
package final class FilePlace: Sendable {
    /// Where it is, or came from, for people.
    package let name: String
    /// Where it is in an archive.
    private let entry: (archive: ZipArchive, entry: ZipArchive.Entry)?
    /// The file that is kept open, to be read from any place, and its descriptor; below 0 without.
    private let file: OpenFile?
    private let descriptor: Int32
    let sizeBytes: UInt64

    /// Names a regular file, which is opened anew each time.
    package init(_ path: String) {
        (name, entry, sizeBytes) = (path, nil, 0)
        file = nil
        descriptor = -1
    }

    /// Names a file in an archive.
    package init(_ entry: ZipArchive.Entry, in archive: ZipArchive) {
        name = "\(archive.name)/\(entry.name)"
        (self.entry, sizeBytes) = ((archive, entry), 0)
        file = nil
        descriptor = -1
    }

    /// Opens a regular file, and keeps it open.
    ///
    /// - Throws: ``FileError``.
    init(opening path: String) throws(FileError) {
        let file = try FileError.opening { () throws(SystemCallError) in
            try OpenFile(path, O_RDONLY)
        }
        (name, entry, sizeBytes) = (path, nil, UInt64(file.regularByteCount ?? 0))
        descriptor = file.descriptor
        self.file = consume file
    }

    /// Reads a stream to its end, into a file of `TMPDIR` without a name: however this process
    /// ends, nothing is left of it.
    ///
    /// - Throws: ``FileError`` if it cannot be read or kept, or has more than 1 GiB.
    package init(keeping stream: ByteStream) throws(FileError) {
        let file = try FileError.opening { () throws(SystemCallError) in try .nameless() }
        var count: UInt64 = 0
        try stream.copy(to: file, &count)
        (name, entry, sizeBytes) = (stream.name, nil, count)
        descriptor = file.descriptor
        self.file = consume file
    }

    /// Whether it is a file that others can open by its name.
    var isNamed: Bool { entry == nil && descriptor < 0 }

    /// Opens it.
    ///
    /// - Parameters:
    ///   - limitBytes: The most bytes that come of it if it is compressed.
    ///   - isStopped: Whether the reading is to stop.
    /// - Returns: Its bytes.
    /// - Throws: ``FileError``.
    package func open(
        limitBytes: UInt64 = ByteStream.limitBytes, unless isStopped: ByteStream.StopCheck? = nil
    ) throws(FileError) -> ByteStream {
        if let (archive, entry) = entry {
            return try archive.open(entry, limitBytes: limitBytes, unless: isStopped)
        }
        return isNamed
            ? try ByteStream(name, onlyRegular: true, unless: isStopped)
            : part(name, 0..<sizeBytes, unless: isStopped)
    }

    /// The same, kept open, to be read from any place: a copy, if it is in an archive.
    ///
    /// - Throws: ``FileError``.
    func kept(unless isStopped: ByteStream.StopCheck?) throws(FileError) -> FilePlace {
        if isNamed { return try FilePlace(opening: name) }
        return entry == nil ? self : try FilePlace(keeping: open(unless: isStopped))
    }

    /// Some bytes of a file that is kept open.
    ///
    /// - Throws: ``FileError``.
    func bytes(at offset: UInt64, count: Int) throws(FileError) -> [UInt8] {
        guard let bytes = file?.bytes(from: Int(offset), count: count) else {
            throw FileError(reading: name)
        }
        return bytes
    }

    /// A part of a file that is kept open, piece by piece.
    func part(
        _ name: String, _ range: Range<UInt64>, unless isStopped: ByteStream.StopCheck?
    ) -> ByteStream {
        var place = range.lowerBound
        return ByteStream(name, unless: isStopped) { [self] (isStopped) throws(FileError) in
            let count = Int(min(range.upperBound - place, ByteStream.pieceBytes))
            guard count > 0 else { return nil }
            if let isStopped, isStopped(descriptor) { throw .interrupted }
            defer { place += UInt64(count) }
            return try bytes(at: place, count: count)
        }
    }

    /// A file next to it, or in the folder of files that Gadgetbridge and Apple Health make next to
    /// it.
    ///
    /// - Parameter name: What it is called, without a folder.
    /// - Returns: Where it is; nil if there is none.
    package func neighbour(_ name: String) -> FilePlace? {
        guard descriptor < 0 else { return nil }
        func folder(_ path: Substring) -> Substring {
            path.lastIndex(of: "/").map { path[...$0] } ?? ""
        }
        let own = folder((entry?.entry.name ?? self.name)[...])
        let beside = "\(folder(own.dropLast()))files/"
        return ["\(own)workout-routes/", "\(own)files/", "\(own)", beside].lazy
            .compactMap { [entry] folder in
                guard let archive = entry?.archive else {
                    return Self.sizeBytes(of: folder + name).map { _ in FilePlace(folder + name) }
                }
                return archive.byName[folder + name].map { FilePlace($0, in: archive) }
            }.first
    }
}

extension FilePlace {
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
        let input = try ByteStream(path, onlyRegular: onlyRegular)
        var bytes: [UInt8] = []
        while let chunk = try input.next() {
            bytes += chunk
            try require(
                bytes.count <= limitBytes, .badContent,
                "\(path) is larger than \(limitBytes) bytes.")
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
