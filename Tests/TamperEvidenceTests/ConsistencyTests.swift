import Events
import Testing

@testable import TamperEvidence

@Suite("Consistency proof")
struct ConsistencyTests {
    /// A tree as RFC 6962, 2.1 defines it, and nothing faster.
    private static func root(_ leaves: ArraySlice<TreeHash>) -> TreeHash {
        guard let first = leaves.first else { return .ofEmptyTree }
        guard leaves.count > 1 else { return first }
        var split = 1
        while split * 2 < leaves.count { split *= 2 }
        return TreeHash(ofNode: root(leaves.prefix(split)), root(leaves.dropFirst(split)))
    }

    /// SUBPROOF of RFC 6962, 2.1.2.
    private static func subproof(
        _ old: Int, _ leaves: ArraySlice<TreeHash>, _ isWhole: Bool
    ) -> [TreeHash] {
        if old == leaves.count { return isWhole ? [] : [root(leaves)] }
        var split = 1
        while split * 2 < leaves.count { split *= 2 }
        let (left, right) = (leaves.prefix(split), leaves.dropFirst(split))
        return old <= split
            ? subproof(old, left, isWhole) + [root(right)]
            : subproof(old - split, right, false) + [root(left)]
    }

    private static func leaves(_ count: Int) -> [TreeHash] {
        (0..<count).map { TreeHash(ofLeafData: [UInt8($0)]) }
    }

    @Test("is that of RFC 6962, 2.1.3, for its tree of seven leaves")
    func example() {
        let leaves = Self.leaves(7)
        let (c, d, j) = (leaves[2], leaves[3], leaves[6])
        let g = TreeHash(ofNode: leaves[0], leaves[1])
        let h = TreeHash(ofNode: c, d)
        let i = TreeHash(ofNode: leaves[4], leaves[5])
        let k = TreeHash(ofNode: g, h)
        let l = TreeHash(ofNode: i, j)
        #expect(ConsistencyProof(since: 3, in: leaves).hashes == [c, d, g, l])
        #expect(ConsistencyProof(since: 4, in: leaves).hashes == [l])
        #expect(ConsistencyProof(since: 6, in: leaves).hashes == [i, j, k])
    }

    @Test("is the RFC's, and connects those two trees alone, for every two sizes up to 70")
    func everyPair() {
        let leaves = Self.leaves(70)
        let roots = (0...70).map { Self.root(leaves.prefix($0)) }
        for new in 1...70 {
            for old in 1...new {
                let proof = ConsistencyProof(since: old, in: Array(leaves.prefix(new)))
                #expect(proof.hashes == Self.subproof(old, leaves.prefix(new), true))
                let connected = (0...70).filter {
                    proof.connects(roots[old], to: roots[$0], size: UInt64($0))
                }
                #expect(connected == [new], "from \(old)")
                let others = roots.indices.filter {
                    proof.connects(roots[$0], to: roots[new], size: UInt64(new))
                }
                #expect(others == [old], "to \(new)")
            }
        }
    }

    @Test("of nothing is empty, and every tree goes on from there")
    func empty() {
        let leaves = Self.leaves(5)
        let proof = ConsistencyProof(since: 0, in: leaves)
        let root = Self.root(leaves[...])
        #expect(proof.hashes.isEmpty && proof.connects(.ofEmptyTree, to: root, size: 5))
        #expect(!proof.connects(leaves[0], to: root, size: 5))
    }

    @Test("is refused with any bit changed, a hash more, less or moved, or another size")
    func refusals() throws {
        for (old, new) in [(1, 2), (3, 7), (4, 7), (6, 7), (8, 13), (13, 64), (33, 64), (63, 64)] {
            let leaves = Self.leaves(new)
            let (oldRoot, root) = (Self.root(leaves.prefix(old)), Self.root(leaves[...]))
            let proof = ConsistencyProof(since: old, in: leaves)
            func connects(
                _ hashes: [TreeHash], oldSize: Int? = nil, from: TreeHash? = nil,
                to: TreeHash? = nil, size: Int? = nil
            ) -> Bool {
                ConsistencyProof(oldSize: UInt64(oldSize ?? old), hashes: hashes).connects(
                    from ?? oldRoot, to: to ?? root, size: UInt64(size ?? new))
            }
            #expect(connects(proof.hashes))
            for bit in 0..<256 {
                #expect(!connects(proof.hashes, from: try oldRoot.changed(bit)))
                #expect(!connects(proof.hashes, to: try root.changed(bit)))
                for index in proof.hashes.indices {
                    var hashes = proof.hashes
                    hashes[index] = try hashes[index].changed(bit)
                    #expect(!connects(hashes))
                }
            }
            for index in proof.hashes.indices {
                var hashes = proof.hashes
                let removed = hashes.remove(at: index)
                #expect(!connects(hashes))
                #expect(!connects(proof.hashes + [removed]))
                #expect(
                    proof.hashes.count == 1 || !connects(hashes + [removed])
                        || index == hashes.count)
            }
            for size in 0...70 where size != old { #expect(!connects(proof.hashes, oldSize: size)) }
            #expect(!connects([TreeHash](repeating: root, count: 64)))
        }
    }

    @Test("is total on sizes that no tree has", arguments: [0, 1, 2, 3, 64])
    func hostile(_ count: Int) {
        let root = TreeHash(ofLeafData: [])
        let sizes: [UInt64] = [1, 2, 1 << 32, 1 << 63, .max - 1, .max]
        for old in sizes {
            let hashes = [TreeHash](repeating: root, count: count)
            let proof = ConsistencyProof(oldSize: old, hashes: hashes)
            for size in sizes + [0] where size != old {
                #expect(!proof.connects(root, to: root, size: size))
            }
        }
    }
}

@Suite("Proof since an older one")
struct ProofSinceTests {
    private let signer: NoteSigner
    private let older: Checkpoint
    private let proof: SectionProof

    init() throws {
        let salts = SectionSalts(secret: [UInt8](0..<32))
        let events = Array("events".utf8)
        let block =
            [0, 0, 0, 0, 1, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [6, 0] + events
        let blockLeaf = try LeafData(of: block.span, ordinal: 4, salts: salts).hash
        let leaves =
            (0..<4).map { TreeHash(ofLeafData: [$0]) } + [blockLeaf, TreeHash(ofLeafData: [5])]
        let signer = try #require(
            NoteSigner(name: "pulselog/log", seed: [UInt8](repeating: 7, count: 32)))
        func checkpoint(_ size: Int) -> Checkpoint {
            let root = MerkleTree(leaves.prefix(size)).root
            return Checkpoint(origin: "pulselog/log", size: UInt64(size), root: root)
        }
        self.signer = signer
        older = checkpoint(3)
        proof = SectionProof(
            try OpenedSection(of: .day, in: block, ordinal: 4, salts: salts),
            attachment: [],
            consistency: ConsistencyProof(since: 3, in: leaves),
            inclusion: InclusionProof(of: 4, in: leaves),
            checkpoint: checkpoint(6).signed(by: signer))
    }

    /// Whether a file proves that nothing before changed.
    private func holds(_ text: String, since older: Checkpoint) throws -> Bool {
        // Of what lies beside it a section may say what it is; this one does not.
        guard let proof = SectionProof(text), proof.attachment.isEmpty,
            let checkpoint = proof.verified(by: signer.verifier)
        else { return false }
        do throws(ConsistencyError) {
            try proof.verify(since: older, under: checkpoint)
            return true
        } catch {
            return false
        }
    }

    @Test("is read back as it was written, and holds since the older one alone")
    func holds() throws {
        #expect(SectionProof(proof.text) == proof)
        #expect(try holds(proof.text, since: older))
        let checkpoint = try #require(proof.verified(by: signer.verifier))
        #expect(try holds(proof.text, since: checkpoint))
        func code(_ size: UInt64, _ root: TreeHash) -> ConsistencyError.Code? {
            let older = Checkpoint(origin: older.origin, size: size, root: root)
            do throws(ConsistencyError) {
                try proof.verify(since: older, under: checkpoint)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(3, checkpoint.root) == .rewritten(within: 3))
        #expect(code(6, older.root) == .rewritten(within: 6))
        #expect(code(2, older.root) == .untold(since: 2))
        #expect(code(7, older.root) == .shrank(from: 7, to: 6))
    }

    @Test("is refused with any bit changed")
    func everyBit() throws {
        let bytes = Array(proof.text.utf8)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                guard let text = String(validating: changed, as: UTF8.self) else { continue }
                #expect(
                    try !holds(text, since: older), "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("is refused if it is cut off, or has more hashes than any tree gives")
    func malformed() throws {
        let encoded = try #require(proof.consistency).encoded
        for count in encoded.indices {
            var cut = encoded.prefix(count)
            #expect(ConsistencyProof(&cut) == nil)
        }
        var long = (Array(encoded.prefix(8)) + [65] + [UInt8](repeating: 0, count: 65 * 32))[...]
        #expect(ConsistencyProof(&long) == nil)
    }
}

extension TreeHash {
    /// The hash with one bit changed.
    fileprivate func changed(_ bit: Int) throws -> TreeHash {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return try #require(TreeHash(bytes: bytes))
    }
}
