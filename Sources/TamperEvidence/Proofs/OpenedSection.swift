public import Events

/// One section of a block, laid open beside the hashes of the others: what a leaf can be computed
/// from, and nothing of the other sections can be learned from.
public struct OpenedSection: Hashable, Sendable {
    /// The format of the block.
    public let blockFormat: UInt16
    /// Which section it is: 0 the order, 1 to 7 the lanes 0 to 6.
    public let number: Int
    /// The salt of the section, 16 bytes.
    let salt: [UInt8]
    /// The bytes of the section.
    public let bytes: [UInt8]
    /// The hashes of the other seven, in order.
    let others: [SectionHash]

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
        let leaf = try LeafData(of: block, ordinal: ordinal, salts: salts)
        number = BlockReader.section(of: lane)
        blockFormat = leaf.blockFormat
        salt = salts.salt(ordinal: ordinal, section: number)
        bytes = Array(block[try BlockReader.sections(of: block.span)[number]])
        var others = leaf.sections
        others.remove(at: number)
        self.others = others
    }

    /// The leaf that this section is part of.
    public var leaf: TreeHash {
        var sections = others
        sections.insert(SectionHash(of: bytes[...], number: number, salt: salt), at: number)
        return LeafData(blockFormat: blockFormat, sections: sections).hash
    }
}

// MARK: - In a proof

extension OpenedSection {
    private static let format: UInt8 = 1

    /// The bytes that a proof carries; see the record format, "The proof".
    var encoded: [UInt8] {
        var encoded: [UInt8] = [
            Self.format, UInt8(truncatingIfNeeded: blockFormat),
            UInt8(truncatingIfNeeded: blockFormat >> 8), UInt8(number),
        ]
        encoded += salt
        encoded += [UInt8(truncatingIfNeeded: bytes.count), UInt8(bytes.count >> 8)]
        encoded += bytes
        encoded += others.flatMap(\.bytes)
        return encoded
    }

    /// Reads what a proof carries, and moves past it; nil if it is none.
    init?(_ encoded: inout ArraySlice<UInt8>) {
        guard let head = encoded.take(4), head[0] == Self.format,
            head[3] < BlockReader.sectionCount, let salt = encoded.take(SectionHash.saltBytes),
            let length = encoded.take(2),
            let bytes = encoded.take(Int(length[0]) | Int(length[1]) << 8)
        else { return nil }
        var others: [SectionHash] = []
        for _ in 1..<BlockReader.sectionCount {
            guard let hash = encoded.take(TreeHash.byteCount).flatMap(SectionHash.init(bytes:))
            else { return nil }
            others.append(hash)
        }
        blockFormat = UInt16(head[1]) | UInt16(head[2]) << 8
        number = Int(head[3])
        self.salt = salt
        self.bytes = bytes
        self.others = others
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= self.count else { return nil }
        defer { self = dropFirst(count) }
        return Array(prefix(count))
    }
}
