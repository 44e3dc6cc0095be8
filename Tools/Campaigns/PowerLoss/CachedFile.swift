/// A file as processes see it, and what of that is on disk for certain.
///
/// The system writes pages of its memory whenever it likes, each by itself and as it is then; the
/// size is written apart from them. A page of the disk is written sector by sector.
struct CachedFile {
    static let pageBytes = 4_096
    static let sectorBytes = 512

    /// What a file is where it was extended, and nothing was written.
    enum Hole: Hashable {
        case zeros
        /// What was there before, on a file system that does not order data before sizes.
        case remains
    }

    /// What became of a page: which of its contents is on disk, counted from the one that was
    /// there for certain.
    struct PageFate: Hashable {
        var version: Int
        /// The sectors that have that version; the others have none of the new ones.
        var sectors: UInt8 = .max
    }

    /// As processes see it.
    private(set) var content: [UInt8]
    private var durable: [UInt8]
    /// The contents of pages since they were certain, oldest first.
    private var versions: [Int: [[UInt8]]] = [:]
    /// The sizes since the file was certain, oldest first.
    private var sizes: [Int] = []

    /// A file that is on disk.
    init(durable content: [UInt8]) {
        self.content = content
        durable = content
    }

    /// The pages that may be on disk in more than one version, and how many there are.
    var doubtfulPages: [(page: Int, versions: Int)] {
        versions.keys.sorted().map { ($0, 1 + (versions[$0]?.count ?? 0)) }
    }

    /// How many sizes the file may have.
    var possibleSizes: Int { 1 + sizes.count }

    // MARK: - Calls

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        guard !bytes.isEmpty else { return }
        let end = offset + bytes.count
        if end > content.count {
            content += [UInt8](repeating: 0, count: end - content.count)
            sizes.append(end)
        }
        content.replaceSubrange(offset..<end, with: bytes)
        noteVersions(of: offset..<end)
    }

    mutating func resize(to size: Int) {
        let old = content.count
        guard size != old else { return }
        if size < old {
            content.removeSubrange(size...)
            noteVersions(of: size..<old)
        } else {
            content += [UInt8](repeating: 0, count: size - old)
        }
        sizes.append(size)
    }

    /// Makes everything certain.
    mutating func synchronize() {
        durable = content
        versions = [:]
        sizes = []
    }

    /// Makes some bytes certain, and that they are within the file.
    mutating func synchronize(_ range: Range<Int>) {
        if durable.count < range.upperBound {
            durable += [UInt8](repeating: 0, count: range.upperBound - durable.count)
        }
        for page in Self.pages(range) {
            let start = page * Self.pageBytes
            let end = min(start + Self.pageBytes, durable.count)
            durable.replaceSubrange(start..<end, with: self.page(page).prefix(end - start))
            versions[page] = nil
        }
        sizes.removeAll { $0 <= durable.count }
    }

    private mutating func noteVersions(of range: Range<Int>) {
        for page in Self.pages(range) { versions[page, default: []].append(self.page(page)) }
    }

    private func page(_ page: Int) -> [UInt8] {
        let start = min(page * Self.pageBytes, content.count)
        let bytes = Array(content[start..<min(start + Self.pageBytes, content.count)])
        return bytes + [UInt8](repeating: 0, count: Self.pageBytes - bytes.count)
    }

    private static func pages(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound / pageBytes..<(range.upperBound + pageBytes - 1) / pageBytes
    }

    // MARK: - The power cut

    /// The file that is on disk.
    ///
    /// - Parameters:
    ///   - fates: What became of the pages; of those that are missing nothing new was written.
    ///   - size: Which size was written, counted from the one that was there for certain.
    ///   - hole: What is where nothing was written.
    /// - Returns: Its bytes.
    func remains(_ fates: [Int: PageFate], size: Int, _ hole: Hole) -> [UInt8] {
        let count = size == 0 ? durable.count : sizes[size - 1]
        var file = Array(durable.prefix(count))
        if file.count < count {
            let filler: UInt8 = hole == .zeros ? 0 : 0xA5
            file += [UInt8](repeating: filler, count: count - file.count)
        }
        for (page, fate) in fates where fate.version > 0 {
            guard let bytes = versions[page]?[fate.version - 1] else { continue }
            for sector in 0..<Self.pageBytes / Self.sectorBytes
            where fate.sectors & 1 << UInt8(sector) != 0 {
                let first = sector * Self.sectorBytes
                let start = page * Self.pageBytes + first
                guard start < count else { break }
                let end = min(start + Self.sectorBytes, count)
                file.replaceSubrange(start..<end, with: bytes[first..<first + end - start])
            }
        }
        return file
    }
}
