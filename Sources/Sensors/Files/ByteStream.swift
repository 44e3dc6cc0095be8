internal import Compression
internal import Files
internal import Glibc

/// Bytes that come piece by piece, of a file, of a pipe or of something in an archive.
package final class ByteStream {
    /// For how long a pipe with a name is waited for.
    private static let pipeMilliseconds: Int32 = 10_000
    /// The most bytes that come of archives, for each that stands in them, beyond the first MiB:
    /// text of walks shrinks to a twentieth, and deflate cannot shrink anything beyond 1/1032.
    static let ratioLimit: UInt64 = 200
    /// The most bytes that come of anything in an archive, or are kept.
    package static let limitBytes: UInt64 = 1 << 30
    /// How many bytes come at once of what is read from any place.
    static let pieceBytes: UInt64 = 64 * 1_024

    /// Waits until a descriptor can be read, and says whether to stop instead.
    package typealias StopCheck = (_ descriptor: Int32) -> Bool

    /// Where it is, for people; of a file its path.
    package let name: String
    private let pull: (StopCheck?) throws(FileError) -> [UInt8]?
    private let isStopped: StopCheck?
    /// The file, to be closed.
    private let descriptor: Int32
    private var beginning: [UInt8] = []
    private var isAtEnd = false

    init(
        _ name: String, unless isStopped: StopCheck? = nil,
        _ pull: @escaping (StopCheck?) throws(FileError) -> [UInt8]?
    ) {
        (self.name, self.isStopped, self.pull) = (name, isStopped, pull)
        descriptor = STDIN_FILENO
    }

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onlyRegular: Whether to refuse anything but a regular file, without waiting for it.
    ///   - offset: The byte to begin at; of a regular file.
    ///   - isStopped: Whether to stop instead of reading on; nil to wait for the file alone.
    /// - Throws: ``FileError`` if it cannot be opened.
    package init(
        _ path: String, onlyRegular: Bool = false, from offset: Int64 = 0,
        unless isStopped: StopCheck? = nil
    ) throws(FileError) {
        let descriptor = try Self.open(path, onlyRegular: onlyRegular)
        (name, self.isStopped, self.descriptor) = (path, isStopped, descriptor)
        pull = { (isStopped) throws(FileError) in
            var chunk = [UInt8](repeating: 0, count: Int(Self.pieceBytes))
            while true {
                if let isStopped, isStopped(descriptor) { throw .interrupted }
                let count = Glibc.read(descriptor, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw FileError(reading: path) }
                chunk.removeLast(chunk.count - count)
                return chunk.isEmpty ? nil : chunk
            }
        }
        var status = stat()
        guard onlyRegular else { return }
        guard fstat(descriptor, &status) == 0 else { throw FileError(reading: path) }
        try require(
            status.st_mode & S_IFMT == S_IFREG, .notFound,
            "\(path) cannot be read: it is not a regular file.")
        guard offset == 0 || lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw FileError(reading: path)
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    private static func open(
        _ path: String, onlyRegular: Bool
    ) throws(FileError) -> Int32 {
        guard path != "-" else { return STDIN_FILENO }
        // Of a pipe with a name nobody knows whether somebody will write into it.
        let isFIFO = !path.hasPrefix("/dev/fd/") && FilePath.kind(of: path) == S_IFIFO
        let flags = O_RDONLY | O_CLOEXEC | (onlyRegular || isFIFO ? O_NONBLOCK : 0)
        var descriptor: Int32
        // A signal that comes meanwhile changes nothing.
        repeat { descriptor = Glibc.open(path, flags) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw FileError(reading: path) }
        guard isFIFO, !onlyRegular else { return descriptor }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, pipeMilliseconds) > 0 else {
            close(descriptor)
            throw FileError(
                .notFound,
                "\(path) is a pipe, and nobody has written into it for 10 s. Start what writes "
                    + "into it, or name the file `-` and pipe into the command.")
        }
        _ = fcntl(descriptor, F_SETFL, O_RDONLY)
        return descriptor
    }

    /// Reads the first bytes, which ``next(unless:)`` gives all the same: of a file up to 64 KiB.
    ///
    /// - Parameter count: How many, at least, if there are as many.
    /// - Returns: The bytes.
    /// - Throws: ``FileError``.
    package func start(_ count: Int) throws(FileError) -> [UInt8] {
        // A pipe may give a byte at a time.
        while beginning.count < count, let piece = try pulled(isStopped) { beginning += piece }
        return beginning
    }

    /// Passes the mark of UTF-8 over, if it begins with it.
    ///
    /// - Throws: ``FileError``.
    func skipMark() throws(FileError) {
        if try start(3).starts(with: [0xEF, 0xBB, 0xBF]) { beginning.removeFirst(3) }
    }

    /// The next bytes, of a file at most 64 KiB; nil at the end.
    ///
    /// - Parameter isStopped: Whether to stop instead; nil for what the stream was opened with.
    /// - Returns: The bytes.
    /// - Throws: ``FileError`` if it cannot be read, or the reading is to stop.
    package func next(unless isStopped: StopCheck? = nil) throws(FileError) -> [UInt8]? {
        guard beginning.isEmpty else {
            defer { beginning = [] }
            return beginning
        }
        return try pulled(isStopped ?? self.isStopped)
    }

    private func pulled(_ isStopped: StopCheck?) throws(FileError) -> [UInt8]? {
        let piece = isAtEnd ? nil : try pull(isStopped)
        isAtEnd = piece == nil
        return piece
    }

    /// Writes all that follows into a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - count: How many bytes were written, with those of other streams.
    /// - Throws: ``FileError`` if it cannot be read or written, or there are more than 1 GiB.
    func copy(to file: borrowing OpenFile, _ count: inout UInt64) throws(FileError) {
        while let piece = try next() {
            count += UInt64(piece.count)
            try require(
                count <= Self.limitBytes, .badContent,
                "\(name) is larger than 1 GiB; unpack it first, or name its file.")
            do throws(SystemCallError) {
                try file.write(piece)
            } catch {
                throw FileError(
                    .unreadable,
                    "\(name) cannot be kept; make room for it, or set TMPDIR to another folder")
            }
        }
    }

    /// What is compressed in it.
    ///
    /// - Parameters:
    ///   - form: What is around it.
    ///   - name: What it is called.
    ///   - limitBytes: The most bytes that come of it.
    /// - Returns: A stream that ends with an error if it is damaged, or too large.
    func inflated(
        _ form: Inflater.Form, as name: String, _ limitBytes: UInt64 = limitBytes
    ) -> ByteStream {
        var inflater = Inflater(form)
        var input: ArraySlice<UInt8> = []
        var (readBytes, givenBytes): (UInt64, UInt64) = (0, 0)
        return ByteStream(name) { [self] (_) throws(FileError) in
            while true {
                if input.isEmpty, let piece = try next() {
                    input = piece[...]
                    readBytes += UInt64(piece.count)
                }
                if inflater.isAtEnd {
                    // Of gzip another member may follow; after the last one zeros may.
                    guard form == .gzip, input.first == 0x1F else { return nil }
                    inflater = Inflater(form)
                }
                let isCutOff = input.isEmpty
                let output: [UInt8]
                do throws(InflateError) {
                    output = try inflater.next(&input)
                } catch {
                    throw FileError(
                        .badContent, "\(name): what is compressed in it is damaged: \(error).")
                }
                givenBytes += UInt64(output.count)
                let limit = min(limitBytes, readBytes * Self.ratioLimit + 1_048_576)
                try require(
                    givenBytes <= limit, .badContent,
                    "\(name): far more comes out of it than of any file of walks, so it was "
                        + "not read.")
                if !output.isEmpty { return output }
                try require(
                    !isCutOff || inflater.isAtEnd, .badContent, "\(name): it ends too early.")
            }
        }
    }

    /// What a gzip file holds, under its name without the ending; nil if it isn't one.
    ///
    /// - Throws: ``FileError``.
    package func gunzipped() throws(FileError) -> ByteStream? {
        guard try start(3).starts(with: [0x1F, 0x8B, 8]) else { return nil }
        return inflated(.gzip, as: name)
    }
}
