internal import Files

/// Where the values of databases lie in a data file that may be damaged anywhere.
///
/// The trees are followed as far as their pages hold: never through the map, never by LMDB, no page
/// twice and none outside of the file. What a damaged page led to is missing. Nothing is known of
/// the values themselves.
public enum ValuePlaces {
    /// Follows the trees of the last commit whose meta page can be read.
    ///
    /// - Parameters:
    ///   - databases: The names of the databases.
    ///   - path: The path of a data file, which is only read.
    ///   - body: Called with the name of a database, a key, and where its value lies in the file.
    /// - Returns: Whether every page of LMDB's own holds, so that these are all values.
    /// - Throws: ``LMDBError`` with the system's error if the file cannot be opened, or with
    ///   `invalidFile` if it is not a regular file.
    public static func find(
        of databases: [String], inFile path: String,
        _ body: (_ database: String, _ key: Span<UInt8>, _ place: Range<Int>) -> Void
    ) throws(LMDBError) -> Bool {
        let open = try FileSystem.open(dataFile: path)
        let file = DataFile(descriptor: open.descriptor, path: path)
        let metas = MetaPages.found(file).compactMap(\.value)
        guard
            let last = metas.filter({ $0.pageSizeBytes == metas[0].pageSizeBytes })
                .max(by: { $0.transactionID < $1.transactionID })
        else { return false }
        var tree = TolerantTree(file: file, meta: last)
        var records: [String: TreeRecord] = [:]
        tree.visit(last.main) { node, page, _ in
            let name = String(decoding: page.content.bytes[node.key..<node.value], as: UTF8.self)
            guard node.isTree, node.valueSize == TreeRecord.byteCount, databases.contains(name)
            else { return }
            records[name] = TreeRecord(page.content, at: node.value)
        }
        for (name, record) in records {
            tree.visit(record) { node, page, offset in
                guard !node.isTree else { return }
                var start = offset + node.value
                if node.isLong {
                    let first = page.content.load(node.value, UInt64.self)
                    guard first <= last.lastPageNumber else { return }
                    start = Int(first) * last.pageSizeBytes + TreePage.headerBytes
                }
                let key = page.content.bytes.span.extracting(node.key..<node.value)
                body(name, key, start..<start + node.valueSize)
            }
        }
        return isSound(file, last)
    }

    /// Whether LMDB could follow each page of the last commit.
    private static func isSound(_ file: DataFile, _ last: MetaPage) -> Bool {
        do throws(LMDBError) {
            let metas = try MetaPages(file)
            guard let (page, before) = metas.page(of: last.transactionID) else { return false }
            return try PageWalk.check(page, before: before, in: file).isEmpty
        } catch {
            return false
        }
    }
}

/// Trees of a file that may be damaged: what holds of them is visited, once.
private struct TolerantTree {
    let file: DataFile
    let meta: MetaPage
    var visited: Set<UInt64> = []

    /// Visits the nodes of all leaves, with their page and where that begins in the file.
    mutating func visit(
        _ tree: TreeRecord, _ body: (TreePage.Node, TreePage, _ offset: Int) -> Void
    ) {
        visited = []
        guard let root = tree.root, TreePage.depths.contains(tree.depth) else { return }
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
            let size = meta.pageSizeBytes
            let bytes = try file.bytes(at: Int(number) * size, count: size)
            return try bytes.map { bytes throws(TreePage.Fault) in
                try TreePage(bytes, number: number, isLeaf: isLeaf)
            }
        } catch {
            return nil
        }
    }
}
