internal import Glibc

/// The pages of one snapshot as they lie in the data file, for a copy of it.
///
/// They are read and not mapped: a disk that fails is an error then and not a signal. They stay as
/// they are while a transaction of the snapshot is open, but for free ones, which mean nothing.
struct SnapshotPages {
    /// How many bytes are read and written at a time.
    private static let pieceBytes = 1 << 20

    let pageSizeBytes: Int
    /// The bytes of all pages, free ones included; the file can be shorter, by free ones.
    let byteCount: Int
    private let metas: FileBytes
    private let source: DataFile

    /// Takes the meta pages of a snapshot and of the one before it.
    ///
    /// - Parameters:
    ///   - transactionID: The commit that the snapshot is of; a transaction of it is open.
    ///   - source: The data file.
    /// - Throws: ``LMDBError`` if the meta pages are damaged, or with the system's error.
    init?(of transactionID: UInt64, in source: DataFile) throws(LMDBError) {
        guard
            let (meta, before) = try MetaPages(source).page(of: transactionID),
            let metas = try source.bytes(at: 0, count: 2 * meta.pageSizeBytes)
        else { return nil }
        // They may have changed since: the bytes that are copied are looked at themselves.
        let place = Int(transactionID & 1) * meta.pageSizeBytes
        func copied(at offset: Int) -> MetaPage? {
            let bytes = FileBytes(bytes: Array(metas.bytes[offset..<offset + MetaPage.byteCount]))
            return Result { () throws(MetaPage.Flaw) in try MetaPage(bytes) }.value
        }
        guard copied(at: place) == meta,
            transactionID == 0
                || before != nil && copied(at: meta.pageSizeBytes - place) == before
        else { return nil }
        self.metas = metas
        self.source = source
        pageSizeBytes = meta.pageSizeBytes
        byteCount = (Int(meta.lastPageNumber) + 1) * meta.pageSizeBytes
    }

    /// Writes the pages to a new file; the meta pages come last.
    ///
    /// - Parameters:
    ///   - file: The path of a file that does not exist.
    ///   - progress: Called with the bytes that are written so far; false ends the copy.
    /// - Returns: The bytes of the file; nil if `progress` ended the copy.
    /// - Throws: ``LMDBError`` with the system's error; what was copied so far stays.
    func write(to file: String, progress: (Int) -> Bool) throws(LMDBError) -> Int? {
        let target = try LMDBError.checkSystem(
            unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), "open", detail: file)
        defer { close(target) }
        let end = min(byteCount, try source.byteCount())
        var offset = metas.count
        while offset < end {
            guard progress(offset) else { return nil }
            let count = min(Self.pieceBytes, end - offset)
            guard let piece = try source.bytes(at: offset, count: count) else {
                throw LMDBError(.truncated, dataFile: source.path, "it has become shorter")
            }
            try Self.write(piece, at: offset, to: target, file)
            offset += count
        }
        try Self.write(metas, at: 0, to: target, file)
        return progress(offset) ? offset : nil
    }

    private static func write(
        _ piece: FileBytes, at offset: Int, to descriptor: Int32, _ path: String
    ) throws(LMDBError) {
        var written = 0
        while written < piece.count {
            let count = unsafe piece.bytes.withUnsafeBytes { bytes in
                unsafe pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
                    offset + written)
            }
            if count < 0, errno == EINTR { continue }
            written += try LMDBError.checkSystem(count, "pwrite", detail: path)
        }
    }
}
