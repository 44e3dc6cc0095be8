/// A branch or leaf page whose header and nodes lie within it, as LMDB takes for granted.
///
/// The layout is that of `MDB_page` and `MDB_node` in LMDB 0.9, `mdb.c`, without sorted duplicates.
struct TreePage {
    /// A key, and the page below it or its value.
    struct Node {
        /// Where the key begins.
        let key: Int
        let keySize: Int
        /// `mn_lo`, `mn_hi` and `mn_flags`.
        let word: UInt64

        /// The page below a node of a branch page, in 48 bits.
        var child: UInt64 { word }
        /// What a node of a leaf page holds: `F_BIGDATA`, `F_SUBDATA` or nothing.
        var flags: UInt16 { UInt16(truncatingIfNeeded: word >> 32) }
        var valueSize: Int { Int(UInt32(truncatingIfNeeded: word)) }
        var value: Int { key + keySize }
        var isLong: Bool { flags == 0x01 }
        var isTree: Bool { flags == 0x02 }
    }

    /// What is wrong with a page.
    struct Fault: Error {
        let reason: String
    }

    /// Trees as LMDB makes them are never deeper (`CURSOR_STACK`).
    static let depths = 1...32
    /// Bytes of `MDB_page` before its pointers, and of `MDB_node` before its key.
    static let headerBytes = 16
    private static let nodeHeaderBytes = 8
    private static let largestKeyBytes = 511

    let content: FileBytes
    let nodes: [Node]

    /// Takes a page apart.
    ///
    /// - Parameters:
    ///   - page: Its bytes.
    ///   - number: Its number, which it must bear.
    ///   - isLeaf: Whether it is expected to be a leaf.
    /// - Throws: ``Fault`` if LMDB could not follow it.
    init(_ page: FileBytes, number: UInt64, isLeaf: Bool) throws(Fault) {
        guard page.load(0, UInt64.self) == number else {
            throw Fault(reason: "it bears the number \(page.load(0, UInt64.self))")
        }
        // P_BRANCH or P_LEAF, and nothing else: what only memory knows is never on the disk.
        guard page.load(10, UInt16.self) == (isLeaf ? 0x02 : 0x01) else {
            throw Fault(reason: "it is not a \(isLeaf ? "leaf" : "branch")")
        }
        let lower = Int(page.load(12, UInt16.self))
        let upper = Int(page.load(14, UInt16.self))
        guard lower > Self.headerBytes, lower & 1 == 0, upper & 1 == 0, lower <= upper,
            upper < page.count
        else { throw Fault(reason: "its free space is from \(lower) to \(upper)") }
        content = page
        nodes = try Self.nodes(of: page, lower: lower, upper: upper, isLeaf: isLeaf)
    }

    /// The nodes in the order of their pointers; they fill the page from `upper` on without a gap.
    private static func nodes(
        of page: FileBytes, lower: Int, upper: Int, isLeaf: Bool
    ) throws(Fault) -> [Node] {
        var nodes: [Node] = []
        nodes.reserveCapacity((lower - headerBytes) / 2)
        // The size of the node that begins at each even offset, and 0 where none does.
        var sizes = [UInt16](repeating: 0, count: page.count / 2)
        for pointer in stride(from: headerBytes, to: lower, by: 2) {
            let start = Int(page.load(pointer, UInt16.self))
            guard start >= upper, start & 1 == 0, start + nodeHeaderBytes <= page.count,
                sizes[start / 2] == 0
            else { throw Fault(reason: "a node begins at its byte \(start)") }
            let node = Node(
                key: start + nodeHeaderBytes, keySize: Int(page.load(start + 6, UInt16.self)),
                word: page.load(start, UInt64.self) & 0xFFFF_FFFF_FFFF)
            let isFirstOfBranch = !isLeaf && nodes.isEmpty
            guard node.keySize <= largestKeyBytes, node.keySize > 0 || isFirstOfBranch else {
                throw Fault(reason: "a key has \(node.keySize) bytes")
            }
            var end = node.value
            if isLeaf {
                guard node.flags <= 0x02 else {
                    throw Fault(reason: "a node has the flags \(node.flags)")
                }
                end += node.isLong ? 8 : node.valueSize
            }
            guard end <= page.count else { throw Fault(reason: "a node ends past the page") }
            sizes[start / 2] = UInt16((end + 1) / 2 * 2 - start)
            nodes.append(node)
        }
        var offset = upper
        var count = 0
        while offset < page.count, sizes[offset / 2] > 0 {
            offset += Int(sizes[offset / 2])
            count += 1
        }
        guard offset == page.count, count == nodes.count else {
            throw Fault(reason: "its nodes overlap or leave a gap")
        }
        return nodes
    }

    /// The bytes of a node's key.
    func key(_ index: Int) -> Range<Int> {
        nodes[index].key..<nodes[index].value
    }
}
