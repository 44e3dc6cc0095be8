@testable import TamperEvidence
import TestSupport
import Testing

@Suite("Merkle tree")
struct TreeTests {
    /// The leaves of the reference trees of Certificate Transparency, and the roots of the trees
    /// of the first 1 to 8 of them.
    private static let leaves: [[UInt8]] = [
        [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
        Array(0x50...0x57), Array(0x60...0x6F),
    ]
    private static let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    @Test("has the roots of Certificate Transparency's reference trees")
    func vectors() {
        var tree = MerkleTree()
        #expect(
            Hexadecimal.text(of: tree.root.bytes)
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        for (leaf, root) in zip(Self.leaves, Self.roots) {
            tree.append(TreeHash(ofLeafData: leaf))
            #expect(Hexadecimal.text(of: tree.root.bytes) == root)
        }
    }

    @Test("proves each leaf of trees of every size up to 70, and no other")
    func inclusion() throws {
        var tree = MerkleTree()
        var leaves: [TreeHash] = []
        for number in 0..<70 {
            leaves.append(TreeHash(ofLeafData: [UInt8(number)]))
            tree.append(leaves[number])
            for index in leaves.indices {
                let proof = InclusionProof(of: index, in: leaves)
                #expect(proof.root(over: leaves[index], size: tree.size) == tree.root)
                let other = leaves[(index + 1) % leaves.count]
                #expect(
                    leaves.count == 1 || proof.root(over: other, size: tree.size) != tree.root)
            }
        }
    }

    @Test("refuses proofs that are longer, shorter, of another leaf or another size")
    func refusals() {
        let leaves = (0..<13).map { TreeHash(ofLeafData: [UInt8($0)]) }
        var tree = MerkleTree()
        for leaf in leaves { tree.append(leaf) }
        for index in leaves.indices {
            let proof = InclusionProof(of: index, in: leaves)
            for other in UInt64(0)..<16 where other != UInt64(index) {
                let moved = InclusionProof(index: other, siblings: proof.siblings)
                #expect(moved.root(over: leaves[index], size: 13) != tree.root)
            }
            #expect(proof.root(over: leaves[index], size: UInt64(index)) == nil)
            let long = InclusionProof(index: UInt64(index), siblings: proof.siblings + [leaves[0]])
            #expect(long.root(over: leaves[index], size: 13) != tree.root)
            let short = InclusionProof(
                index: UInt64(index), siblings: Array(proof.siblings.dropLast()))
            #expect(short.root(over: leaves[index], size: 13) != tree.root)
        }
        let hostile = InclusionProof(
            index: .max - 1, siblings: [TreeHash](repeating: leaves[0], count: 64))
        #expect(hostile.root(over: leaves[0], size: .max) != tree.root)
    }
}

@Suite("Leaf")
struct LeafTests {
    /// What Python's hmac and hashlib give.
    @Test("has the salts that another program makes of the secret, also of a long one")
    func salts() {
        let salts = SectionSalts(secret: Array(0..<32)).salts(ofBlock: 0x01_0203_0405)
        #expect(
            Hexadecimal.text(of: (0..<8).flatMap { salts.salt(ofSection: $0) })
                == "f2fbacff0000d11698484eca6d45d9bc5a3586b13f088e2b253d97bec855d383"
                + "f61879dacc447f9b19f598ea914b67bef6d0ebbf1aa07e6b95c6ed499d12ec9b"
                + "bca46aca7f0f310061ae54d6bd51ace1eaccbd09f5c53ea97853b8bfae7bcf14"
                + "c07af44d2f315b26cda18079a3fc46e8b75da57ae64c55c011a229962c59ecfd")
        let other = SectionSalts(secret: Array(0..<200)).salts(ofBlock: 0x01_0203_0405)
        #expect(
            Hexadecimal.text(of: (0..<2).flatMap { other.salt(ofSection: $0) })
                == "ab6fa1cf4b89f7ac399bad8b112975530da6582740bba0a8edc98cfe6fb98573")
    }

    /// What Python's hmac and hashlib give.
    @Test("is what another program computes of the same block")
    func leaf() throws {
        let sections = [5, 0, 64, 31, 300, 2, 95, 128].enumerated().map { number, count in
            (0..<count).map { UInt8(truncatingIfNeeded: 31 * number + $0) }
        }
        var block: [UInt8] = [0xAA, 0xBB, 0xCC, 0xDD, 1, 0, 3, 0]
        for count in sections.map(\.count) { block += [UInt8(count & 255), UInt8(count >> 8)] }
        block += sections.joined()
        let leaf = try LeafData(
            of: block.span, ordinal: 0x01_0203_0405, salts: SectionSalts(secret: Array(0..<32)))
        #expect(leaf.bytes.count == 258)
        #expect(
            Hexadecimal.text(of: leaf.hash.bytes)
                == "45301191ac22ea494526e4b7e2ef52c2c0d84c68ae90334e9cccc1bb2501bfc1")
    }
}

@Suite("Base64")
struct Base64Tests {
    @Test(
        "is that of RFC 4648, 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ bytes: String, _ text: String) {
        #expect(Base64.text(of: Array(bytes.utf8)) == text)
        #expect(Base64.bytes(of: text) == Array(bytes.utf8))
    }

    @Test(
        "has one text for each byte string",
        arguments: [
            "Zh==", "Zm9=", "Zg=", "Zg", "Z", "Z===", "====", "Zm9v=", "Zm 9v", "Zg==Zg==", "Zm-_",
        ])
    func refusals(_ text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }

    @Test("gives back what it wrote", arguments: UInt64(0)..<40)
    func roundTrip(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<Int(seed)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
    }
}
