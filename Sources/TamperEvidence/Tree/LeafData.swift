public import Events

/// What a leaf of the tree is the hash of: a block's format and the hashes of its sections
/// (record format, "The leaf").
public struct LeafData: Hashable, Sendable {
    /// The number of sections of a block: the order, then the seven lanes.
    static let sectionCount = BlockReader.sectionCount
    /// What each section's hash begins with, so that it is not a hash of anything else.
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
        of block: Span<UInt8>, ordinal: UInt64, salts: SectionSalts
    ) throws(DamagedBlock) {
        let places = try BlockReader.sections(of: block)
        let salts = salts.salts(ofBlock: ordinal)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 + Self.sectionCount * TreeHash.byteCount)
        bytes.append(block[4])
        bytes.append(block[5])
        var prefix = Self.tag + [UInt8](repeating: 0, count: 1 + SectionSalts.saltBytes)
        for number in 0..<Self.sectionCount {
            for index in 0..<SectionSalts.saltBytes {
                prefix[Self.tag.count + 1 + index] = salts.byte(index, ofSection: number)
            }
            prefix[Self.tag.count] = UInt8(number)
            let hash = Self.hash(prefix.span, block.extracting(places[number]))
            for index in 0..<TreeHash.byteCount { bytes.append(hash[index]) }
        }
        assert(bytes.count == 2 + Self.sectionCount * TreeHash.byteCount, "One hash a section.")
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
        hash((tag + [UInt8(number)] + salt).span, section.span).bytes
    }

    private static func hash(_ prefix: Span<UInt8>, _ section: Span<UInt8>) -> TreeHash {
        var hasher = SHA256()
        hasher.update(prefix)
        hasher.update(section)
        return hasher.finalize()
    }
}
