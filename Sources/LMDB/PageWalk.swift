internal import Glibc

/// A walk over all pages of one snapshot, before LMDB follows any of them.
///
/// LMDB 0.9 trusts what it reads: a wrong byte in a page of its own is a signal, an assertion or
/// another answer. The walk reads every page of the trees and the free list, never through the
/// map, and finds no page reached twice: by a tree, or by the free list. So nothing leads outside
/// of the file or in a circle. A page that neither leads to is lost to LMDB, unless it is of a
/// commit that the rest of the file does not know: whoever knows what is in it tells. Free pages
/// may lie past the end of the file, which is where LMDB has them if they were never written. Long
/// values are counted and not read: they are nearly all of the file, and the store has checksums in
/// them. Of the headers before them only that of a tree's last value is looked at, which a writer
/// may replace: a store's writer extends its last block, and deletes none.
///
/// The layout is that of LMDB 0.9, `mdb.c`, without sorted duplicates.
struct PageWalk {
    /// Keys of the free list are numbers of commits; LMDB compares eight bytes, whatever they have.
    private static let freedKeyBytes = 8
    /// How many numbers of a long entry of the free list are read at a time.
    private static let freedPieceCount = 512

    /// What is done with the leaves of a tree.
    private enum Kind {
        case freeList
        case main
        case named
    }

    /// What a walk of one tree has counted.
    private struct Tally {
        var branchPages: UInt64 = 0
        var leafPages: UInt64 = 0
        var overflowPages: UInt64 = 0
        var entries: UInt64 = 0
        /// The long value with the greatest key, which a writer may replace.
        var lastLongValue: (number: UInt64, pageCount: UInt64)?
    }

    /// So many pages may be neither in use nor free: 4 MiB.
    private static let lostLimit = 1_024

    private let meta: MetaPage
    private let file: DataFile
    private let filePageCount: UInt64
    /// Whether the headers of all long values are read to learn how many pages they take.
    private let measuresValues: Bool
    private var reached = PageSet()
    /// Roots of the snapshot before that the last commit replaced, and so must have freed.
    private var replaced: [UInt64]

    /// Throws unless LMDB can follow every page of a snapshot.
    ///
    /// The snapshot does not change meanwhile: a transaction of it is open, or nobody writes.
    ///
    /// - Parameters:
    ///   - meta: The meta page of the snapshot.
    ///   - before: The meta page of the snapshot before, if it is there still.
    ///   - known: The pages that the walk before found neither in use nor free.
    ///   - file: The data file.
    /// - Returns: The pages of the file that are neither in use nor free.
    /// - Throws: ``LMDBError`` with `truncated`, `corrupted` or `commitInDoubt`, or the system's
    ///   error.
    static func check(
        _ meta: MetaPage, before: MetaPage?, known: [UInt64] = [], in file: DataFile
    ) throws(LMDBError) -> [UInt64] {
        do throws(LMDBError) {
            var walk = try PageWalk(meta, before, file, measuresValues: false)
            if try walk.run() == known { return known }
        } catch {
            guard error.code == .corrupted else { throw error }
        }
        // A value that shrank within one transaction keeps its pages, which only its own header
        // says. That is rare, and looks like damage above.
        var walk = try PageWalk(meta, before, file, measuresValues: true)
        return try walk.run()
    }

    private init(
        _ meta: MetaPage, _ before: MetaPage?, _ file: DataFile, measuresValues: Bool
    ) throws(LMDBError) {
        let sizeBytes = UInt64(try file.byteCount())
        filePageCount = sizeBytes / UInt64(meta.pageSizeBytes)
        // A page past the end of the file is free, and listed as such in eight bytes.
        guard meta.lastPageNumber < filePageCount + sizeBytes / 8 else {
            throw LMDBError(
                .truncated, dataFile: file.path,
                "the file has \(filePageCount) pages of \(meta.lastPageNumber + 1)")
        }
        (self.meta, self.file, self.measuresValues) = (meta, file, measuresValues)
        replaced = Self.rootsReplaced(by: meta, of: before)
    }

    /// The roots of the snapshot before that the last commit has replaced, to be found as freed.
    ///
    /// They are not, if the meta page before is of a later commit whose number is damaged. If the
    /// write of a meta page failed, LMDB has left the roots of the failed commit there, with the
    /// number and the last page of the commit before; where that shows, they say nothing.
    private static func rootsReplaced(by meta: MetaPage, of before: MetaPage?) -> [UInt64] {
        guard let before, before.lastPageNumber >= meta.lastPageNumber,
            before.roots.allSatisfy({ $0 <= before.lastPageNumber })
        else { return [] }
        return before.roots.filter { !meta.roots.contains($0) }
    }

    /// - Returns: The pages of the file that are neither in use nor free.
    private mutating func run() throws(LMDBError) -> [UInt64] {
        try visit(meta.freeList, .freeList, "free list")
        try visit(meta.main, .main, "main database")
        let end = meta.lastPageNumber + 1
        var lost: [UInt64] = []
        while let number = reached.firstMissing(in: (lost.last.map { $0 + 1 } ?? 2)..<end) {
            // A page that was ever in use is in the file.
            guard number < filePageCount, lost.count < Self.lostLimit else {
                throw corrupted(number, "it is neither in use nor free")
            }
            lost.append(number)
        }
        guard replaced.isEmpty else {
            throw LMDBError(
                .commitInDoubt, dataFile: file.path,
                "the older meta page is not of the commit before \(meta.transactionID): a commit "
                    + "failed before it was finished, or the page was damaged and the last commit "
                    + "may be missing")
        }
        return lost
    }

    // MARK: - Trees

    private mutating func visit(
        _ tree: TreeRecord, _ kind: Kind, _ name: String
    ) throws(LMDBError) {
        var tally = Tally()
        if let root = tree.root {
            guard TreePage.depths.contains(tree.depth) else {
                throw corrupted(root, "the \(name) has \(tree.depth) levels")
            }
            var order = KeyOrder(isNumeric: kind == .freeList)
            try visit(root, kind, levels: tree.depth, &order, &tally)
            if let (number, count) = tally.lastLongValue {
                guard try checkHeader(of: number, atLeast: count) == count else {
                    throw corrupted(number, "its value does not have \(count) pages")
                }
            }
        }
        guard tally.entries == tree.entries, tally.branchPages == tree.branchPages,
            tally.leafPages == tree.leafPages, tally.overflowPages == tree.overflowPages,
            tree.root != nil || tree.depth == 0
        else {
            throw LMDBError(
                .corrupted, dataFile: file.path,
                "the \(name) has \(tally.entries) entries but says otherwise")
        }
    }

    /// Visits a page and all below it.
    private mutating func visit(
        _ number: UInt64, _ kind: Kind, levels: Int, _ order: inout KeyOrder, _ tally: inout Tally
    ) throws(LMDBError) {
        let page = try take(number, isLeaf: levels == 1)
        guard levels > 1 else {
            tally.leafPages += 1
            tally.entries += UInt64(page.nodes.count)
            guard order.advance(overLeaf: page) else {
                throw corrupted(number, "its keys are not in order")
            }
            for node in page.nodes { try visit(node, of: page, number, kind, &tally) }
            return
        }
        tally.branchPages += 1
        // LMDB asserts that: without exception when it deletes.
        guard page.nodes.count > 1 else {
            throw corrupted(number, "it is a branch of one page")
        }
        for (index, node) in page.nodes.enumerated() {
            if index > 0 {
                guard kind != .freeList || node.keySize == Self.freedKeyBytes else {
                    throw corrupted(number, "a key of the free list has \(node.keySize) bytes")
                }
                guard order.advance(overBranch: page, index) else {
                    throw corrupted(number, "its keys are not in order")
                }
            }
            try visit(node.child, kind, levels: levels - 1, &order, &tally)
        }
    }

    private mutating func visit(
        _ node: TreePage.Node, of page: TreePage, _ number: UInt64, _ kind: Kind,
        _ tally: inout Tally
    ) throws(LMDBError) {
        if kind == .freeList {
            return try visitFreed(node, of: page, number, &tally)
        }
        tally.lastLongValue = nil
        if node.isLong {
            try visitLong(node, of: page, number, &tally)
        } else if node.isTree {
            guard kind == .main, node.valueSize == TreeRecord.byteCount else {
                throw corrupted(number, "a database begins where none can")
            }
            let tree = TreeRecord(page.content, at: node.value)
            let name = String(decoding: page.content.bytes[node.key..<node.value], as: UTF8.self)
            guard tree.flags == 0 else {
                throw corrupted(number, "the database \(name) has the flags \(tree.flags)")
            }
            try visit(tree, .named, "database \(name)")
        }
    }

    /// Counts the pages of a long value.
    ///
    /// - Returns: The first of them.
    @discardableResult
    private mutating func visitLong(
        _ node: TreePage.Node, of page: TreePage, _ number: UInt64, _ tally: inout Tally,
        measured: Bool = false
    ) throws(LMDBError) -> UInt64 {
        let first = page.content.load(node.value, UInt64.self)
        // A page size is a power of two, and the processor divides slowly.
        let lastByte = TreePage.headerBytes - 1 + node.valueSize
        var count = UInt64(lastByte >> meta.pageSizeBytes.trailingZeroBitCount + 1)
        try checkPresence(of: first, count: count, from: number)
        if measured || measuresValues {
            count = try checkHeader(of: first, atLeast: count)
            try checkPresence(of: first, count: count, from: number)
        }
        try reach(first..<first + count)
        tally.overflowPages += count
        tally.lastLongValue = (first, count)
        return first
    }

    /// Takes the pages that one commit has freed: a count and that many numbers, descending.
    private mutating func visitFreed(
        _ node: TreePage.Node, of page: TreePage, _ number: UInt64, _ tally: inout Tally
    ) throws(LMDBError) {
        guard node.keySize == Self.freedKeyBytes, !node.isTree, node.valueSize >= 8,
            node.valueSize % 8 == 0
        else {
            throw corrupted(number, "an entry of the free list has no room for its numbers")
        }
        let commit = page.content.load(node.key, UInt64.self)
        guard commit > 0, commit <= meta.transactionID else {
            throw corrupted(number, "the free list has an entry of commit \(commit)")
        }
        var start = Int(number) * meta.pageSizeBytes + node.value
        if node.isLong {
            let first = try visitLong(node, of: page, number, &tally, measured: true)
            start = Int(first) * meta.pageSizeBytes + TreePage.headerBytes
        }
        var piece = try bytes(at: start, count: 8)
        let count = piece.load(0, UInt64.self)
        guard count < UInt64(node.valueSize / 8) else {
            throw corrupted(number, "an entry of the free list has \(count) numbers")
        }
        var above = UInt64.max
        for index in 0..<Int(count) {
            let place = index % Self.freedPieceCount
            if place == 0 {
                piece = try bytes(
                    at: start + 8 + index * 8,
                    count: min(Self.freedPieceCount, Int(count) - index) * 8)
            }
            let freed = piece.load(place * 8, UInt64.self)
            guard freed < above, freed > 1, freed <= meta.lastPageNumber else {
                throw corrupted(number, "it names page \(freed) as free")
            }
            try reach(freed..<freed + 1)
            above = freed
            if commit == meta.transactionID { replaced.removeAll { $0 == freed } }
        }
    }

    // MARK: - Pages

    private mutating func take(_ number: UInt64, isLeaf: Bool) throws(LMDBError) -> TreePage {
        try checkPresence(of: number, count: 1, from: number)
        try reach(number..<number + 1)
        let size = meta.pageSizeBytes
        let content = try bytes(at: Int(number) * size, count: size)
        do throws(TreePage.Fault) {
            return try TreePage(content, number: number, isLeaf: isLeaf)
        } catch {
            throw corrupted(number, error.reason)
        }
    }

    /// Notes pages that something leads to; nothing else may.
    private mutating func reach(_ pages: Range<UInt64>) throws(LMDBError) {
        guard reached.insert(pages) else {
            throw corrupted(pages.lowerBound, "it is reached twice")
        }
    }

    /// Throws unless the pages are in the file.
    @inline(__always)
    private func checkPresence(
        of number: UInt64, count: UInt64, from page: UInt64
    ) throws(LMDBError) {
        guard number > 1, number <= meta.lastPageNumber,
            count <= meta.lastPageNumber - number + 1
        else { throw corrupted(page, "it leads to \(count) pages from page \(number) on") }
        guard number + count <= filePageCount else { throw missing(number) }
    }

    /// Throws unless a long value begins at a page, with a header that a writer can act on.
    ///
    /// - Returns: The number of its pages.
    @discardableResult
    private func checkHeader(
        of number: UInt64, atLeast least: UInt64
    ) throws(LMDBError) -> UInt64 {
        let header = try bytes(
            at: Int(number) * meta.pageSizeBytes, count: TreePage.headerBytes)
        let count = UInt64(header.load(12, UInt32.self))  // mp_pages
        guard header.load(0, UInt64.self) == number, header.load(10, UInt16.self) == 0x04,
            count >= least
        else { throw corrupted(number, "no long value of \(least) pages begins there") }
        return count
    }

    /// The bytes at an offset of the file.
    private func bytes(at offset: Int, count: Int) throws(LMDBError) -> FileBytes {
        let bytes = try file.bytes(at: offset, count: count)
        guard let bytes else { throw missing(UInt64(offset / meta.pageSizeBytes)) }
        return bytes
    }

    private func missing(_ number: UInt64) -> LMDBError {
        LMDBError(
            .truncated, dataFile: file.path,
            "the file has \(filePageCount) pages, and page \(number) is in use")
    }

    private func corrupted(_ number: UInt64, _ reason: String) -> LMDBError {
        LMDBError(.corrupted, dataFile: file.path, "page \(number) is damaged: \(reason)")
    }
}
