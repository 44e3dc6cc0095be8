internal import EventStore
internal import Events
internal import Files
internal import Glibc

/// A file in which blocks are looked for, with the length that it had when it was opened.
final class BlockFile {
    let byteCount: Int
    private let file: OpenFile

    /// Opens a file.
    ///
    /// - Throws: ``EventLogError`` with the system's error, or `unrecognized` if it is not a
    ///   regular file.
    init(_ path: String) throws(EventLogError) {
        file = try mapErrors(in: path) { try OpenFile(path, O_RDONLY) }
        guard let count = file.regularByteCount else {
            throw EventLogError(.unrecognized, detail: "\(path) is not a regular file")
        }
        byteCount = count
    }

    /// Bytes of the file; nil if the disk does not give them, or the file ends before.
    func bytes(from offset: Int, count: Int) -> [UInt8]? { file.bytes(from: offset, count: count) }
}

/// Finds blocks of a log in a file that may be damaged anywhere, wherever in it they are.
///
/// A block says itself how long it is and at which position it begins, and its checksum vouches for
/// that; so nothing else in the file is believed, and nothing is followed. Blocks that were written
/// again with more events are found in all versions whose pages were not reused.
struct BlockSearch {
    /// A block that verifies.
    struct Found: Hashable {
        /// The positions of its events.
        let first: Position
        let count: UInt32
        let byteCount: UInt32
        /// Where it begins in the file.
        let offset: Int

        var next: Position { first + UInt64(count) }
    }

    /// How much of the file is in memory at a time.
    private static let pieceBytes = 1 << 20
    /// What is read at a time where the disk fails.
    private static let pageBytes = 4_096
    /// LMDB puts values at even offsets.
    private static let alignment = 2

    private let file: BlockFile

    /// How many bytes the file has.
    var fileBytes: Int { file.byteCount }
    /// How many bytes of it the disk did not give; they are taken for zeros.
    private(set) var unreadableBytes = 0

    /// Makes a search.
    ///
    /// - Parameter file: The file, which is only read.
    init(_ file: BlockFile) {
        self.file = file
    }

    /// Looks through the whole file.
    ///
    /// - Parameter progress: Called with the bytes that were looked through; false ends it.
    /// - Returns: The blocks by their places in the file; nil if `progress` ended it.
    mutating func run(progress: (Int) -> Bool = { _ in true }) -> [Found]? {
        var found: [Found] = []
        var offset = 0
        while offset < file.byteCount {
            guard progress(offset) else { return nil }
            // A block can begin in this piece and end in the next.
            let piece = bytes(
                from: offset, count: Self.pieceBytes + BlockHead.maximumBytes)
            let end = min(Self.pieceBytes, piece.count)
            // Bytes that a block of the previous piece covers do not begin a block.
            var place = max(0, (found.last.map { $0.offset + Int($0.byteCount) } ?? 0) - offset)
            place += place % Self.alignment
            while place < end {
                if let block = Self.block(in: piece.span, at: place, of: offset) {
                    found.append(block)
                    place += (Int(block.byteCount) + 1) / Self.alignment * Self.alignment
                } else {
                    place += Self.alignment
                }
            }
            offset += Self.pieceBytes
        }
        return found
    }

    /// The bytes of a block that was found; nil if they are no longer there.
    func bytes(of found: Found) -> [UInt8]? {
        guard let bytes = file.bytes(from: found.offset, count: Int(found.byteCount)),
            let same = Self.block(in: bytes.span, at: 0, of: found.offset), same == found
        else { return nil }
        return bytes
    }

    /// The position after the last event of the blocks that some bytes hold whole; nil if they hold
    /// none.
    static func last(in bytes: Span<UInt8>) -> Position? {
        var last: Position?
        for place in stride(from: 0, to: bytes.count, by: alignment) {
            if let found = block(in: bytes, at: place, of: 0) { last = max(last ?? 0, found.next) }
        }
        return last
    }

    /// Reads a part of the file; what the disk does not give is zero.
    private mutating func bytes(from offset: Int, count: Int) -> [UInt8] {
        let count = min(count, file.byteCount - offset)
        if let bytes = file.bytes(from: offset, count: count) { return bytes }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let size = min(Self.pageBytes, count - bytes.count)
            if let page = file.bytes(from: offset + bytes.count, count: size) {
                bytes += page
            } else {
                // The end of a piece is read again with the next.
                if bytes.count < Self.pieceBytes { unreadableBytes += size }
                bytes += [UInt8](repeating: 0, count: size)
            }
        }
        return bytes
    }

    /// The block that begins at a place of a piece, if one does.
    private static func block(
        in piece: Span<UInt8>, at place: Int, of offset: Int
    ) -> Found? {
        // Hardly any offset begins a block, and the header rules most out.
        guard let head = BlockHead(piece.extracting(place...)), head.isPossible,
            place + head.byteCount <= piece.count
        else { return nil }
        let block = piece.extracting(place..<place + head.byteCount)
        do throws(DamagedBlock) {
            try BlockReader.verify(block)
            let heads = try BlockReader.heads(of: block)
            return Found(
                first: heads.first, count: UInt32(heads.count),
                byteCount: UInt32(head.byteCount), offset: offset + place)
        } catch {
            return nil
        }
    }
}
