internal import Files

/// Where the values of one database lie in a data file that may be damaged anywhere.
///
/// The trees are followed as far as their pages hold: never through the map, never by LMDB, no page
/// twice and none outside of the file. What a damaged page led to is missing. Nothing is known of
/// the values themselves.
public struct ValuePlaces: Sendable {
    /// The offset in the file of the value of each key that is a ``RecordKey``.
    public private(set) var offsets: [UInt64: Int] = [:]
    /// Whether every page of LMDB's own holds, so that these are all values, as of the last commit.
    public private(set) var areAll = false

    /// Follows the trees of the last commit whose meta page can be read.
    ///
    /// - Parameters:
    ///   - file: The path of a data file, which is only read.
    ///   - database: The name of the database.
    /// - Throws: ``LMDBError`` with the system's error if the file cannot be opened, or with
    ///   `invalidFile` if it is not a regular file.
    public init(inFile file: String, database: String) throws(LMDBError) {
        var offsets = offsets
        var isSound = false
        try Self.visit(database, inFile: file) { node, page, start, meta in
            let key = Array(page.content.bytes[node.key..<node.value])
            guard !node.isTree, let key = RecordKey(key.span) else { return }
            guard node.isLong else {
                offsets[key.number] = start + node.value
                return
            }
            let first = page.content.load(node.value, UInt64.self)
            guard first <= meta.lastPageNumber else { return }
            offsets[key.number] = Int(first) * meta.pageSizeBytes + TreePage.headerBytes
        } whole: {
            isSound = Self.isSound($0, file, $1)
        }
        self.offsets = offsets
        areAll = isSound
    }

    /// The short values of a database, as far as what leads to them holds.
    ///
    /// - Parameters:
    ///   - database: The name of the database.
    ///   - file: The path of a data file, which is only read.
    /// - Returns: The bytes, by their keys.
    /// - Throws: ``LMDBError`` as ``init(inFile:database:)``.
    public static func shortValues(
        of database: String, inFile file: String
    ) throws(LMDBError) -> [[UInt8]: [UInt8]] {
        var values: [[UInt8]: [UInt8]] = [:]
        try visit(database, inFile: file) { node, page, _, _ in
            guard !node.isTree, !node.isLong else { return }
            let bytes = page.content.bytes
            values[Array(bytes[node.key..<node.value])] =
                Array(bytes[node.value..<node.value + node.valueSize])
        } whole: { _, _ in
        }
        return values
    }

    /// Visits the leaves of a database that are still led to.
    ///
    /// - Parameters:
    ///   - database: Its name.
    ///   - file: The path of the data file.
    ///   - body: Called with each node, its page, where that begins in the file, and the meta page.
    ///   - whole: Called first, with the open file and the last meta page that can be read.
    /// - Throws: ``LMDBError`` as ``init(inFile:database:)``.
    private static func visit(
        _ database: String, inFile file: String,
        _ body: (TreePage.Node, TreePage, _ offset: Int, MetaPage) -> Void,
        whole: (_ descriptor: Int32, MetaPage) -> Void
    ) throws(LMDBError) {
        let open = try FileSystem.open(dataFile: file)
        let descriptor = open.descriptor
        guard
            let last = metas(descriptor).max(by: { $0.transactionID < $1.transactionID })
        else { return }
        whole(descriptor, last)
        var tree = TolerantTree(descriptor: descriptor, meta: last)
        var record: TreeRecord?
        tree.visit(last.main) { node, page, _ in
            let name = page.content.bytes[node.key..<node.value]
            if node.isTree, node.valueSize == TreeRecord.byteCount,
                name.elementsEqual(database.utf8)
            {
                record = TreeRecord(page.content, at: node.value)
            }
        }
        if let record {
            tree.visit(record) { node, page, offset in body(node, page, offset, last) }
        }
    }

    /// Whether LMDB could follow each page of the last commit.
    private static func isSound(_ descriptor: Int32, _ file: String, _ last: MetaPage) -> Bool {
        do throws(LMDBError) {
            let metas = try MetaPages(descriptor: descriptor, path: file)
            guard let (page, before) = metas.page(of: last.transactionID) else { return false }
            try PageWalk.check(page, before: before, descriptor: descriptor, path: file)
            return true
        } catch {
            return false
        }
    }

    /// The meta pages that parse.
    private static func metas(_ descriptor: Int32) -> [MetaPage] {
        guard let first = meta(descriptor, at: 0) else {
            // The size of a page is not known: it is the one that the other says of itself.
            for size in MetaPage.pageSizes {
                if let other = meta(descriptor, at: size), other.pageSizeBytes == size {
                    return [other]
                }
            }
            return []
        }
        let second = meta(descriptor, at: first.pageSizeBytes)
        return [first, second].compactMap(\.self).filter { $0.pageSizeBytes == first.pageSizeBytes }
    }

    private static func meta(_ descriptor: Int32, at offset: Int) -> MetaPage? {
        do {
            let bytes = try FileBytes(
                descriptor: descriptor, offset: offset, count: MetaPage.byteCount)
            return try bytes.map { bytes throws(MetaPage.Flaw) in try MetaPage(bytes) }
        } catch {
            return nil
        }
    }
}

/// Trees of a file that may be damaged: what holds of them is visited, once.
private struct TolerantTree {
    /// Trees as LMDB makes them are never deeper (`CURSOR_STACK`).
    private static let greatestDepth = 32

    private let descriptor: Int32
    private let meta: MetaPage
    private var visited: Set<UInt64> = []

    init(descriptor: Int32, meta: MetaPage) {
        self.descriptor = descriptor
        self.meta = meta
    }

    /// Visits the nodes of all leaves, with their page and where that begins in the file.
    mutating func visit(
        _ tree: TreeRecord, _ body: (TreePage.Node, TreePage, _ offset: Int) -> Void
    ) {
        guard let root = tree.root, (1...Self.greatestDepth).contains(tree.depth) else { return }
        visit(root, levels: tree.depth, body)
    }

    private mutating func visit(
        _ number: UInt64, levels: Int, _ body: (TreePage.Node, TreePage, _ offset: Int) -> Void
    ) {
        guard number > 1, number <= meta.lastPageNumber, visited.insert(number).inserted,
            let page = page(number, isLeaf: levels == 1)
        else { return }
        for node in page.nodes {
            if levels == 1 {
                body(node, page, Int(number) * meta.pageSizeBytes)
            } else {
                visit(node.child, levels: levels - 1, body)
            }
        }
    }

    /// A page whose nodes lie within it; nil if it is malformed, or cannot be read.
    private func page(_ number: UInt64, isLeaf: Bool) -> TreePage? {
        do {
            let bytes = try FileBytes(
                descriptor: descriptor, offset: Int(number) * meta.pageSizeBytes,
                count: meta.pageSizeBytes)
            return try bytes.map { bytes throws(TreePage.Fault) in
                try TreePage(bytes, number: number, isLeaf: isLeaf)
            }
        } catch {
            return nil
        }
    }
}
