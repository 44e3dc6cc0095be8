/// The head of a growing tree of hashes (RFC 6962, 2.1): its size, and what its root is made of.
///
/// It keeps one hash for each complete subtree, at most 64, and none of the leaves.
public struct MerkleTree: Hashable, Sendable {
    /// The number of leaves.
    public private(set) var size: UInt64 = 0
    /// The roots of the complete subtrees, the largest first: one for each bit that ``size`` has.
    private var subtrees: [TreeHash] = []

    /// The tree without leaves.
    public init() {}

    /// The tree of some leaves.
    init(_ leaves: some Sequence<TreeHash>) {
        for leaf in leaves { append(leaf) }
    }

    /// How many of more leaves than one the left subtree has, which is complete: the largest power
    /// of two below their count.
    static func split(of count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }

    /// Adds a leaf after the last one.
    public mutating func append(_ leaf: TreeHash) {
        var node = leaf
        var rest = size
        while rest & 1 == 1 {
            node = TreeHash(ofNode: subtrees.removeLast(), node)
            rest >>= 1
        }
        subtrees.append(node)
        size += 1
        assert(subtrees.count == size.nonzeroBitCount, "Each bit of the size has a subtree.")
    }

    /// Its frontier: the size, 8 bytes big-endian, then the roots of the complete subtrees, the
    /// largest first.
    public var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: size >> (56 - 8 * $0)) } + subtrees.flatMap(\.bytes)
    }

    /// Takes a frontier; nil if it is none.
    ///
    /// That it is a certain tree's only its root can show.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        size = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        subtrees = TreeHash.hashes(in: bytes[8...])
        guard bytes.count == 8 + size.nonzeroBitCount * TreeHash.byteCount else { return nil }
        assert(self.bytes == bytes, "A frontier has the bytes that it was read from.")
    }

    /// The hash that stands for all leaves in their order.
    public var root: TreeHash {
        guard var node = subtrees.last else { return .ofEmptyTree }
        for left in subtrees.dropLast().reversed() { node = TreeHash(ofNode: left, node) }
        return node
    }
}
