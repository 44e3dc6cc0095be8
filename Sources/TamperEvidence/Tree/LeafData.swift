internal import Crypto
public import Events

/// What a leaf of the tree is the hash of: a block's format and the hashes of its sections
/// (record format, "The leaf").
public struct LeafData: Hashable, Sendable {
    /// The number of sections of a block: the order, then the seven lanes.
    static let sectionCount = BlockReader.sectionCount
    /// What each section's hash begins with, so that it is no hash of anything else.
    private static let tag = Array("pulselog.section".utf8)

    /// The 258 bytes.
    let bytes: [UInt8]

    /// Puts together what is known of a block.
    ///
    /// - Parameters:
    ///   - blockFormat: The format of the block, 2 bytes.
    ///   - hashes: Those of the eight sections, one after the other.
    init(blockFormat: [UInt8], hashes: [UInt8]) {
        bytes = blockFormat + hashes
    }

    /// Hashes the sections of a block.
    ///
    /// - Parameters:
    ///   - block: The bytes of the block.
    ///   - ordinal: Its number in the log, from 0.
    ///   - salts: Those of the store.
    /// - Throws: `DamagedBlock` if the block has another size than its header says.
    public init(
        of block: [UInt8], ordinal: UInt64, salts: SectionSalts
    ) throws(DamagedBlock) {
        let places = try BlockReader.sections(of: block.span)
        let salts = salts.salts(ofBlock: ordinal)
        var bytes = Array(block[4..<6])
        bytes.reserveCapacity(2 + Self.sectionCount * TreeHash.byteCount)
        var prefix = Self.tag + [0] + [UInt8](repeating: 0, count: SectionSalts.saltBytes)
        for number in 0..<Self.sectionCount {
            prefix[Self.tag.count] = UInt8(number)
            prefix.replaceSubrange(
                (Self.tag.count + 1)..., with: SectionSalts.salt(of: number, in: salts))
            bytes += Self.hash(prefix, block[places[number]])
        }
        self.bytes = bytes
    }

    /// The hashes of the sections, in order.
    var hashes: [ArraySlice<UInt8>] {
        stride(from: 2, to: bytes.count, by: TreeHash.byteCount).map {
            bytes[$0..<$0 + TreeHash.byteCount]
        }
    }

    /// The leaf.
    public var hash: TreeHash { TreeHash(ofLeafData: bytes) }

    /// The hash of a section: of a tag, its number, its salt and its bytes.
    static func hash(
        ofSection number: Int, salt: [UInt8], _ section: [UInt8]
    ) -> [UInt8] {
        hash(tag + [UInt8(number)] + salt, section[...])
    }

    private static func hash(_ prefix: [UInt8], _ section: ArraySlice<UInt8>) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(data: prefix)
        hasher.update(data: section)
        return Array(hasher.finalize())
    }
}
