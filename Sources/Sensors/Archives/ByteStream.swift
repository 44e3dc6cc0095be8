internal import Compression
internal import Files

/// Bytes that come piece by piece, of a file or of something in an archive.
package final class ByteStream {
    /// The most bytes that come of archives, for each that stands in them, beyond the first MiB:
    /// text of walks shrinks to a twentieth, and deflate cannot shrink anything beyond 1/1032.
    static let ratioLimit: UInt64 = 200
    /// The most bytes that come of anything in an archive, or are kept.
    package static let limitBytes: UInt64 = 1 << 30
    /// How many bytes come at once of what is read from any place.
    static let pieceBytes: UInt64 = 64 * 1_024

    /// Waits until a descriptor can be read, and says whether to stop instead.
    package typealias StopCheck = (_ descriptor: Int32) -> Bool

    /// Where it is, for people.
    package let name: String
    private let pull: () throws(FileError) -> [UInt8]?
    private var beginning: [UInt8] = []
    private var isAtEnd = false

    init(_ name: String, _ pull: @escaping () throws(FileError) -> [UInt8]?) {
        (self.name, self.pull) = (name, pull)
    }

    /// Takes a file that was opened.
    package convenience init(
        _ opened: consuming OpenedFile, unless isStopped: StopCheck? = nil
    ) {
        let (name, start) = (opened.path, opened.start)
        self.init(opened.file, name, unless: isStopped)
        beginning = start
    }

    /// Takes an open file.
    convenience init(
        _ file: InputFile, _ name: String, unless isStopped: StopCheck? = nil
    ) {
        self.init(name) { () throws(FileError) in try file.next(unless: isStopped) }
    }

    /// Reads the first bytes, which ``next()`` gives all the same.
    ///
    /// - Parameter count: How many, at least, if there are as many.
    /// - Returns: The bytes.
    /// - Throws: ``FileError``.
    package func start(_ count: Int) throws(FileError) -> [UInt8] {
        while beginning.count < count, !isAtEnd, let piece = try pulled() { beginning += piece }
        return beginning
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: ``FileError``.
    package func next() throws(FileError) -> [UInt8]? {
        guard beginning.isEmpty else {
            defer { beginning = [] }
            return beginning
        }
        return isAtEnd ? nil : try pulled()
    }

    private func pulled() throws(FileError) -> [UInt8]? {
        let piece = try pull()
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
            guard count <= Self.limitBytes else {
                throw FileError(
                    .badContent, "\(name) is larger than 1 GiB; unpack it first, or name its file.")
            }
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
        return ByteStream(name) { [self] () throws(FileError) in
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
                guard givenBytes <= limit else {
                    throw FileError(
                        .badContent,
                        "\(name): far more comes out of it than of any file of walks, so it was "
                            + "not read.")
                }
                if !output.isEmpty { return output }
                guard !isCutOff || inflater.isAtEnd else {
                    throw FileError(.badContent, "\(name): it ends too early.")
                }
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
