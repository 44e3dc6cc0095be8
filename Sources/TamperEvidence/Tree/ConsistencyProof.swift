/// The hashes that show that a tree only grew since it had an older size (RFC 6962, 2.1.2): its
/// first leaves are still the same, in the same order.
public struct ConsistencyProof: Hashable, Sendable {
    /// No proof has more hashes, however large the tree.
    static let hashLimit = 64

    /// The number of leaves that the tree had.
    public let oldSize: UInt64
    /// Roots of subtrees, in the RFC's order; at most 64.
    public let hashes: [TreeHash]

    /// Takes a proof as it was given; nothing of it is believed yet.
    public init(oldSize: UInt64, hashes: [TreeHash]) {
        (self.oldSize, self.hashes) = (oldSize, hashes)
    }

    /// Proves that a tree continues from its own first leaves.
    ///
    /// It is a programmer error if there are fewer leaves than that.
    ///
    /// - Parameters:
    ///   - oldSize: How many leaves the tree had.
    ///   - leaves: All leaves that it has, in order.
    public init(since oldSize: Int, in leaves: [TreeHash]) {
        precondition((0...leaves.count).contains(oldSize), "The older tree is larger.")
        self.oldSize = UInt64(oldSize)
        hashes = oldSize == 0 ? [] : Self.path(oldSize, in: leaves[...], isOwnRoot: true)
    }

    /// Looks whether a tree continues from an older one.
    ///
    /// - Parameters:
    ///   - oldRoot: The root over the first ``oldSize`` leaves.
    ///   - root: The root of the tree.
    ///   - size: The number of leaves of the tree.
    /// - Returns: Whether the proof shows it.
    public func connects(_ oldRoot: TreeHash, to root: TreeHash, size: UInt64) -> Bool {
        guard oldSize > 0, oldSize < size else {
            let isSame = oldSize == size && oldRoot == root
            return hashes.isEmpty && (isSame || oldSize == 0 && oldRoot == .ofEmptyTree)
        }
        var (place, last) = (oldSize - 1, size - 1)
        // The largest subtree that the old tree ends with.
        while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
        // If that is all of the old tree, its root is known and not in the proof.
        guard let first = place == 0 ? oldRoot : hashes.first else { return false }
        var (oldNode, node) = (first, first)
        for hash in place == 0 ? hashes[...] : hashes.dropFirst() {
            guard last > 0 else { return false }
            if place & 1 == 1 || place == last {
                oldNode = TreeHash(ofNode: hash, oldNode)
                node = TreeHash(ofNode: hash, node)
                // A node that has no sibling is its own parent.
                while place & 1 == 0, place > 0 { (place, last) = (place >> 1, last >> 1) }
            } else {
                node = TreeHash(ofNode: node, hash)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        return last == 0 && oldNode == oldRoot && node == root
    }

    /// SUBPROOF of the RFC; if the old tree is a subtree, its receiver has the root already
    /// (`isOwnRoot`).
    private static func path(
        _ oldSize: Int, in leaves: ArraySlice<TreeHash>, isOwnRoot: Bool
    ) -> [TreeHash] {
        guard oldSize < leaves.count else {
            return isOwnRoot ? [] : [MerkleTree(leaves).root]
        }
        let split = MerkleTree.split(of: leaves.count)
        let (left, right) = (leaves.prefix(split), leaves.dropFirst(split))
        return oldSize <= split
            ? path(oldSize, in: left, isOwnRoot: isOwnRoot) + [MerkleTree(right).root]
            : path(oldSize - split, in: right, isOwnRoot: false) + [MerkleTree(left).root]
    }
}

// MARK: - In a proof

extension ConsistencyProof {
    /// The bytes that a proof carries; see the record format, "The proof".
    var encoded: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: oldSize >> (8 * $0)) }
            + [UInt8(hashes.count)] + hashes.flatMap(\.bytes)
    }

    /// Reads what a proof carries, and moves past it; nil if it isn't one.
    init?(_ encoded: inout ArraySlice<UInt8>) {
        guard let size = encoded.take(8), let count = encoded.take(1)?.first,
            count <= Self.hashLimit, let bytes = encoded.take(Int(count) * TreeHash.byteCount)
        else { return nil }
        oldSize = size.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        hashes = TreeHash.hashes(in: bytes[...])
    }
}
