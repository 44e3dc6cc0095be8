internal import Glibc

/// A walk over every page that the trees of a closed data file use, to see that none is missing.
///
/// Reads branch and leaf pages and computes where overflow pages end; the layout is that of
/// `MDB_page`, `MDB_node` and `MDB_db` in LMDB 0.9, `mdb.c`, without sorted duplicates.
struct PageWalk {
    private let file: DataFile
    private let descriptor: Int32
    private let path: String
    /// Pages that are in the file and were not read yet.
    private var pending: [UInt64] = []
    private var visitedCount = 0

    /// Throws unless each page in use lies within the file.
    ///
    /// - Throws: ``LMDBError`` with `truncated`, with `corrupted` if a page is not what the tree
    ///   expects, or the system's error.
    static func checkPagesInUse(of file: DataFile, path: String) throws(LMDBError) {
        let descriptor = try LMDBError.checkSystem(
            unsafe open(path, O_RDONLY | O_CLOEXEC), "open", detail: path)
        defer { close(descriptor) }
        var walk = PageWalk(file: file, descriptor: descriptor, path: path)
        for root in file.roots { try walk.visitLater(root) }
        try walk.run()
    }

    private mutating func run() throws(LMDBError) {
        while let number = pending.popLast() {
            visitedCount += 1
            // Each page is in one tree, once: more of them than the file has is a circle.
            guard visitedCount + pending.count <= file.sizeBytes / file.pageSizeBytes else {
                throw corrupted(number)
            }
            try visit(number)
        }
    }

    private mutating func visit(_ number: UInt64) throws(LMDBError) {
        let size = file.pageSizeBytes
        let page = try FileBytes(
            descriptor: descriptor, offset: Int(number) * size, count: size)
        guard let page else { throw truncated(number) }

        let flags = page.load(10, UInt16.self) & 0x03  // P_BRANCH or P_LEAF
        let lower = Int(page.load(12, UInt16.self))
        guard page.load(0, UInt64.self) == number, flags == 0x01 || flags == 0x02,
            (16...size).contains(lower)
        else { throw corrupted(number) }
        for pointer in stride(from: 16, to: lower - 1, by: 2) {
            let node = Int(page.load(pointer, UInt16.self))
            guard node >= lower, node + 8 <= size else { throw corrupted(number) }
            if flags == 0x01 {
                // A node of a branch page: the number of a page below, in 48 bits.
                let high = UInt64(page.load(node + 4, UInt16.self))
                try visitLater(high << 32 | UInt64(page.load(node, UInt32.self)))
            } else {
                try visitLeaf(node, of: page, number)
            }
        }
    }

    /// A node of a leaf page: a value in place, one on overflow pages, or the root of a database.
    private mutating func visitLeaf(
        _ node: Int, of page: FileBytes, _ number: UInt64
    ) throws(LMDBError) {
        let valueSize = Int(page.load(node, UInt32.self))
        let flags = page.load(node + 4, UInt16.self)
        let value = node + 8 + Int(page.load(node + 6, UInt16.self))
        if flags & 0x01 != 0 {  // F_BIGDATA
            guard value + 8 <= page.count else { throw corrupted(number) }
            let pageCount = (16 - 1 + valueSize) / file.pageSizeBytes + 1
            try checkPresence(of: page.load(value, UInt64.self), count: UInt64(pageCount))
        } else if flags & 0x02 != 0 {  // F_SUBDATA: md_root is the last field
            guard valueSize == 48, value + 48 <= page.count else { throw corrupted(number) }
            let root = page.load(value + 40, UInt64.self)
            if root != .max { try visitLater(root) }
        }
    }

    private mutating func visitLater(_ number: UInt64) throws(LMDBError) {
        try checkPresence(of: number, count: 1)
        pending.append(number)
    }

    private func checkPresence(of number: UInt64, count: UInt64) throws(LMDBError) {
        guard number > 1, number <= file.lastPageNumber,
            count <= file.lastPageNumber - number + 1
        else { throw corrupted(number) }
        guard Int(number + count) * file.pageSizeBytes <= file.sizeBytes else {
            throw truncated(number)
        }
    }

    private func truncated(_ number: UInt64) -> LMDBError {
        LMDBError(
            .truncated, call: "inspect",
            text: "\(file.missingBytes) bytes are missing, and with them page \(number)",
            detail: path)
    }

    private func corrupted(_ number: UInt64) -> LMDBError {
        LMDBError(
            .corrupted, call: "inspect", text: "page \(number) is not what the tree expects",
            detail: path)
    }
}
