/// The hashes that lead from one leaf to the root of its tree (RFC 6962, 2.1.1).
public struct InclusionProof: Hashable, Sendable {
    /// The number of the leaf, from 0.
    public let index: UInt64
    /// The siblings on the way, from the leaf's up to the root's child; at most 64.
    public let siblings: [TreeHash]

    /// Takes a proof as it was given; nothing of it is believed yet.
    public init(index: UInt64, siblings: [TreeHash]) {
        (self.index, self.siblings) = (index, siblings)
    }

    /// Proves that a tree holds one of its leaves.
    ///
    /// It is a programmer error if there is no such leaf.
    ///
    /// - Parameters:
    ///   - index: The number of the leaf.
    ///   - leaves: All leaves of the tree, in order.
    public init(of index: Int, in leaves: [TreeHash]) {
        precondition(leaves.indices.contains(index), "No such leaf.")
        self.index = UInt64(index)
        siblings = Self.path(to: index, in: leaves[...])
    }

    /// The root of the tree that the proof leads to.
    ///
    /// - Parameters:
    ///   - leaf: The hash of the leaf.
    ///   - size: The number of leaves of the tree.
    /// - Returns: The root, to be compared with one that is known to be good; nil if a tree of that
    ///   size has no such leaf, or its way has another length.
    public func root(over leaf: TreeHash, size: UInt64) -> TreeHash? {
        guard index < size else { return nil }
        var (place, last) = (index, size - 1)
        var node = leaf
        for sibling in siblings {
            guard last > 0 else { return nil }
            if place & 1 == 1 || place == last {
                node = TreeHash(ofNode: sibling, node)
                // A node that has no sibling is its own parent.
                while place & 1 == 0, place > 0 { (place, last) = (place >> 1, last >> 1) }
            } else {
                node = TreeHash(ofNode: node, sibling)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        return last == 0 ? node : nil
    }

    private static func path(to index: Int, in leaves: ArraySlice<TreeHash>) -> [TreeHash] {
        guard leaves.count > 1 else { return [] }
        let split = MerkleTree.split(of: leaves.count)
        let (left, right) = (leaves.prefix(split), leaves.dropFirst(split))
        return index < split
            ? path(to: index, in: left) + [MerkleTree(right).root]
            : path(to: index - split, in: right) + [MerkleTree(left).root]
    }
}
