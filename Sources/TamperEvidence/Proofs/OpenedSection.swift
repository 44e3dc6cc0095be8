public import Events

/// One section of a block, disclosed with the hashes of the others: what a leaf can be computed
/// from, and nothing of the other sections can be learned from.
public struct OpenedSection: Hashable, Sendable {
    /// The format of the block, 2 bytes.
    private let blockFormat: [UInt8]
    /// Which section it is: 0 the order, 1 to 7 the lanes 0 to 6.
    public let number: Int
    /// The salt of the section, 16 bytes.
    private let salt: [UInt8]
    /// The bytes of the section.
    public let bytes: [UInt8]
    /// The hashes of the other seven, in order, one after the other.
    private let others: [UInt8]

    /// Opens a lane's section of a block.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - block: The bytes of the block.
    ///   - ordinal: Its number in the log, from 0.
    ///   - salts: Those of the store.
    /// - Throws: `DamagedBlock` if the block has another size than its header says.
    public init(
        of lane: Lane, in block: [UInt8], ordinal: UInt64, salts: SectionSalts
    ) throws(DamagedBlock) {
        let leaf = try LeafData(of: block.span, ordinal: ordinal, salts: salts)
        number = BlockReader.section(of: lane)
        blockFormat = Array(leaf.bytes.prefix(2))
        salt = salts.salts(ofBlock: ordinal).salt(ofSection: number)
        bytes = Array(block[try BlockReader.sections(of: block.span)[number]])
        var hashes = leaf.hashes
        hashes.remove(at: number)
        others = Array(hashes.joined())
    }

    /// The leaf that this section is part of.
    public var leaf: TreeHash {
        var hashes = others
        hashes.insert(
            contentsOf: LeafData.hash(ofSection: number, salt: salt, bytes),
            at: TreeHash.byteCount * number)
        return LeafData(blockFormat: blockFormat, hashes: hashes).hash
    }
}

// MARK: - In a proof

extension OpenedSection {
    private static let othersBytes = (LeafData.sectionCount - 1) * TreeHash.byteCount

    /// The bytes that a proof carries; see the record format, "The proof".
    var encoded: [UInt8] {
        let length = [UInt8(truncatingIfNeeded: bytes.count), UInt8(bytes.count >> 8)]
        return blockFormat + [UInt8(number)] + salt + length + bytes + others
    }

    /// Reads what a proof carries, and moves past it; nil if it isn't one.
    init?(_ encoded: inout ArraySlice<UInt8>) {
        guard let blockFormat = encoded.take(2), let number = encoded.take(1)?.first,
            number < LeafData.sectionCount,
            let salt = encoded.take(SectionSalts.saltBytes), let length = encoded.take(2),
            let bytes = encoded.take(Int(length[0]) | Int(length[1]) << 8),
            let others = encoded.take(Self.othersBytes)
        else { return nil }
        self.blockFormat = blockFormat
        self.number = Int(number)
        (self.salt, self.bytes, self.others) = (salt, bytes, others)
    }
}

extension ArraySlice<UInt8> {
    /// Takes that many bytes from the front; nil if there are fewer.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= self.count else { return nil }
        defer { self = dropFirst(count) }
        return Array(prefix(count))
    }
}
