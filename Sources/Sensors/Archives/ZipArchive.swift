internal import Compression

/// A zip archive (PKWARE's APPNOTE 6.3.10), of which files are read one by one; nothing is written
/// under the names in it.
///
/// Those are read that are stored or deflated. Archives of 4 GiB or 65,535 files are refused.
package final class ZipArchive: Sendable {
    /// The most bytes of the list of files.
    private static let listLimitBytes: UInt64 = 64 << 20

    /// A file in it.
    package struct Entry: Sendable {
        /// Its path in the archive.
        package let name: String
        fileprivate let flags: UInt64
        fileprivate let method: UInt64
        fileprivate let checksum: UInt64
        fileprivate let compressedBytes: UInt64
        fileprivate let offset: UInt64
    }

    /// Where it is, for people.
    package var name: String { file.name }
    /// The files in it, in the order of its list.
    package let entries: [Entry]
    /// The first file of each path.
    let byName: [String: Entry]
    private let file: FilePlace

    /// Recognizes a zip archive.
    ///
    /// - Parameter start: The first bytes of a file.
    /// - Returns: Whether it begins like one.
    package static func begins(_ start: [UInt8]) -> Bool {
        start.starts(with: [0x50, 0x4B, 3, 4]) || start.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - place: Where it is; it is kept open.
    ///   - isStopped: Whether the reading of an archive in another one is to stop.
    /// - Throws: ``FileError`` if it cannot be read.
    package init(
        _ place: FilePlace, unless isStopped: ByteStream.StopCheck?
    ) throws(FileError) {
        file = try place.kept(unless: isStopped)
        entries = try Self.readList(of: file)
        byName = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - The list

    private static func readList(of file: FilePlace) throws(FileError) -> [Entry] {
        let sizeBytes = file.sizeBytes
        func damage(_ words: String) -> FileError {
            FileError(
                .badContent,
                "\(file.name) is a zip archive that cannot be read: \(words). If another program "
                    + "can, unzip it and import what is in it.")
        }
        // The end has 22 bytes and a comment.
        let tailBytes = min(sizeBytes, 22 + 65_535)
        let tail = try file.bytes(at: sizeBytes - tailBytes, count: Int(tailBytes))
        let end = tail.indices.reversed().first { index in
            tail[index] == 0x50 && tail.count - index >= 22
                && tail[index...].starts(with: [0x50, 0x4B, 5, 6])
                && tail.count - index == 22 + Int(tail.little(at: index + 20, 2))
        }
        guard let end else { throw damage("it has no list of its files") }
        let count = tail.little(at: end + 10, 2)
        let listBytes = tail.little(at: end + 12, 4)
        let offset = tail.little(at: end + 16, 4)
        guard count < 0xFFFF, listBytes < 0xFFFF_FFFF, offset < 0xFFFF_FFFF else {
            throw damage("it has 4 GiB or 65,535 files or more; unpack it first")
        }
        guard listBytes <= listLimitBytes,
            offset + listBytes <= sizeBytes - UInt64(tail.count - end)
        else { throw damage("its list of files lies outside of it") }
        let list = try file.bytes(at: offset, count: Int(listBytes))
        var (place, totalBytes): (Int, UInt64) = (0, 0)
        var entries: [Entry] = []
        for _ in 0..<count {
            guard list.count >= place + 46, list[place...].starts(with: [0x50, 0x4B, 1, 2]) else {
                throw damage("its list of files is damaged")
            }
            let nameBytes = Int(list.little(at: place + 28, 2))
            let length =
                46 + nameBytes
                + Int(list.little(at: place + 30, 2) + list.little(at: place + 32, 2))
            guard list.count >= place + length else { throw damage("its list of files is damaged") }
            let entry = Entry(
                name: String(
                    decoding: list[(place + 46)..<(place + 46 + nameBytes)], as: UTF8.self),
                flags: list.little(at: place + 8, 2), method: list.little(at: place + 10, 2),
                checksum: list.little(at: place + 16, 4),
                compressedBytes: list.little(at: place + 20, 4),
                offset: list.little(at: place + 42, 4))
            totalBytes += entry.compressedBytes
            // A bomb names the same bytes again and again.
            guard totalBytes <= sizeBytes else { throw damage("files in it lie over each other") }
            if !entry.name.hasSuffix("/") { entries.append(entry) }
            place += length
        }
        return entries
    }

    // MARK: - Files

    /// Opens a file in it.
    ///
    /// - Parameters:
    ///   - entry: One of ``entries``.
    ///   - limitBytes: The most bytes that come of it if it is compressed.
    ///   - isStopped: Whether the reading is to stop.
    /// - Returns: What it holds; the stream ends with an error if its checksum is another one.
    /// - Throws: ``FileError`` if it cannot be read.
    func open(
        _ entry: Entry, limitBytes: UInt64, unless isStopped: ByteStream.StopCheck?
    ) throws(FileError) -> ByteStream {
        let path = "\(name)/\(entry.name)"
        let hasHead = entry.offset + 30 <= file.sizeBytes
        let head = hasHead ? try file.bytes(at: entry.offset, count: 30) : []
        try require(
            head.starts(with: [0x50, 0x4B, 3, 4]), .badContent,
            "\(path): it is not where the archive says.")
        try require(
            entry.flags & 1 == 0 && (entry.method == 0 || entry.method == 8), .badContent,
            "\(path): it is encrypted, or compressed in a way that is not read; unpack it.")
        let place = entry.offset + 30 + head.little(at: 26, 2) + head.little(at: 28, 2)
        let end = place + entry.compressedBytes
        try require(end <= file.sizeBytes, .badContent, "\(path): it ends too early.")
        let stored = file.part(path, place..<end, unless: isStopped)
        let content = entry.method == 0 ? stored : stored.inflated(.raw, as: path, limitBytes)
        var checksum = CRC32()
        return ByteStream(path) { (_) throws(FileError) in
            if let piece = try content.next() {
                checksum.take(piece)
                return piece
            }
            try require(
                UInt64(checksum.value) == entry.checksum, .badContent,
                "\(path): it is damaged: its checksum is wrong.")
            return nil
        }
    }
}

extension [UInt8] {
    /// An integer of so many bytes, the lowest first.
    fileprivate func little(at offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(self[offset + $1]) }
    }
}
