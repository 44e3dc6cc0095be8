public import Events

/// A sealed block as it is passed on: sections laid open with their salts, and the hashes of those
/// that are withheld; the leaf can be computed from it either way.
public struct OpenedBlock: Hashable, Sendable {
    private enum Section: Hashable {
        case open(salt: [UInt8], bytes: [UInt8])
        case withheld(hash: [UInt8])
    }

    /// The number of the block in the log, from 0.
    public let ordinal: UInt64
    /// The format of the block, 2 bytes.
    private let blockFormat: [UInt8]
    /// The order, then the lanes 0 to 6.
    private let sections: [Section]

    /// Opens a block.
    ///
    /// The order section is laid open if all lanes are: it tells how the events lie among others.
    ///
    /// - Parameters:
    ///   - block: The bytes of the block.
    ///   - ordinal: Its number in the log, from 0.
    ///   - salts: Those of the store.
    ///   - opens: Whether an event may be told; of a lane with one that may not, only the hash is.
    /// - Throws: `DamagedBlock` if the block cannot be read.
    public init(
        _ block: [UInt8], ordinal: UInt64, salts: SectionSalts, where opens: (EventKind) -> Bool
    ) throws(DamagedBlock) {
        var isOpen = [Bool](repeating: true, count: LeafData.sectionCount)
        try BlockReader.forEach(in: block.span) { event in
            let kind = event.header.kind
            if let lane = kind.lane, !opens(kind) {
                isOpen[BlockReader.section(of: lane)] = false
                isOpen[0] = false
            }
            return true
        }
        let places = try BlockReader.sections(of: block.span)
        let blockSalts = salts.salts(ofBlock: ordinal)
        self.ordinal = ordinal
        blockFormat = Array(block[4..<6])
        sections = places.indices.map { number in
            let salt = blockSalts.salt(ofSection: number)
            let bytes = Array(block[places[number]])
            return isOpen[number]
                ? .open(salt: salt, bytes: bytes)
                : .withheld(hash: LeafData.hash(ofSection: number, salt: salt, bytes))
        }
    }

    /// The leaf of the block.
    public var leaf: TreeHash {
        let hashes = sections.enumerated().flatMap { number, section in
            switch section {
            case .open(let salt, let bytes):
                LeafData.hash(ofSection: number, salt: salt, bytes)
            case .withheld(let hash): hash
            }
        }
        return LeafData(blockFormat: blockFormat, hashes: hashes).hash
    }

    /// The bytes of the block, as the log has them; nil if a section is withheld.
    public var block: [UInt8]? {
        var content: [[UInt8]] = []
        for section in sections {
            guard case .open(_, let bytes) = section else { return nil }
            content.append(bytes)
        }
        return BlockReader.block(
            of: content, format: UInt16(blockFormat[0]) | UInt16(blockFormat[1]) << 8)
    }
}

// MARK: - As bytes

extension OpenedBlock {
    /// The ordinal, 8 bytes, the format, 2, and the sections.
    ///
    /// A section is a 1, its salt, its length in 2 bytes and its bytes; or a 0 and its hash.
    /// Numbers are little-endian.
    public var encoded: [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: ordinal >> (8 * $0)) } + blockFormat
        for section in sections {
            switch section {
            case .open(let salt, let content):
                let length = [UInt8(truncatingIfNeeded: content.count), UInt8(content.count >> 8)]
                bytes += [1] + salt + length + content
            case .withheld(let hash): bytes += [0] + hash
            }
        }
        return bytes
    }

    /// Reads ``encoded`` bytes; nil if they are something else.
    public init?(encoded: [UInt8]) {
        var rest = encoded[...]
        guard let number = rest.take(8), let format = rest.take(2) else { return nil }
        var sections: [Section] = []
        for _ in 0..<LeafData.sectionCount {
            switch rest.take(1) {
            case [1]:
                guard let salt = rest.take(SectionSalts.saltBytes), let length = rest.take(2),
                    let bytes = rest.take(Int(length[0]) | Int(length[1]) << 8)
                else { return nil }
                sections.append(.open(salt: salt, bytes: bytes))
            case [0]:
                guard let hash = rest.take(TreeHash.byteCount) else { return nil }
                sections.append(.withheld(hash: hash))
            default: return nil
            }
        }
        guard rest.isEmpty else { return nil }
        ordinal = number.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        blockFormat = format
        self.sections = sections
    }
}
