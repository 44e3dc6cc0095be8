internal import Crypto
public import Events

/// The hash of one section of a block, and the salt that keeps it from being guessed
/// (record format, "The leaf").
public struct SectionHash: Hashable, Sendable {
    /// The number of bytes of a salt.
    public static let saltBytes = 16
    /// What each section's hash begins with, so that it is no hash of anything else.
    private static let tag = Array("pulselog.section".utf8)

    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Takes bytes as a hash; nil unless there are 32.
    init?(bytes: [UInt8]) {
        guard bytes.count == TreeHash.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Hashes a section.
    ///
    /// - Parameters:
    ///   - section: The bytes of the section.
    ///   - number: 0 for the order, 1 to 7 for the lanes 0 to 6.
    ///   - salt: 16 bytes that only the store can make.
    init(of section: ArraySlice<UInt8>, number: Int, salt: [UInt8]) {
        var hasher = SHA256()
        hasher.update(data: Self.tag + [UInt8(number)] + salt)
        hasher.update(data: section)
        bytes = Array(hasher.finalize())
    }
}

/// Makes the salts of a store's sections.
public struct SectionSalts: Sendable {
    /// The number of bytes of a store's secret.
    public static let secretBytes = 32
    /// Keyed once; a copy of it makes a salt.
    private let keyed: HMAC<SHA256>

    /// Begins with the secret of a store.
    ///
    /// - Parameter secret: 32 random bytes, which are in backups and never in exports.
    public init(secret: [UInt8]) {
        keyed = HMAC<SHA256>(key: SymmetricKey(data: secret))
    }

    /// Makes the salt of a section.
    ///
    /// - Parameters:
    ///   - ordinal: The number of the block in the log, from 0.
    ///   - section: The number of the section, 0 to 7.
    /// - Returns: 16 bytes.
    func salt(ordinal: UInt64, section: Int) -> [UInt8] {
        var code = keyed
        var message = (0..<8).map { UInt8(truncatingIfNeeded: ordinal >> (8 * $0)) }
        message.append(UInt8(section))
        code.update(data: message)
        return Array(code.finalize().prefix(SectionHash.saltBytes))
    }
}

/// What a leaf of the tree is the hash of: a block's format and the hashes of its sections.
public struct LeafData: Hashable, Sendable {
    /// The format of the block.
    let blockFormat: UInt16
    /// The hashes of the eight sections, in order.
    let sections: [SectionHash]

    init(blockFormat: UInt16, sections: [SectionHash]) {
        self.blockFormat = blockFormat
        self.sections = sections
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
        blockFormat = UInt16(block[4]) | UInt16(block[5]) << 8
        sections = places.indices.map { number in
            SectionHash(
                of: block[places[number]], number: number,
                salt: salts.salt(ordinal: ordinal, section: number))
        }
    }

    /// The 258 bytes.
    var bytes: [UInt8] {
        [UInt8(truncatingIfNeeded: blockFormat), UInt8(truncatingIfNeeded: blockFormat >> 8)]
            + sections.flatMap(\.bytes)
    }

    /// The leaf.
    public var hash: TreeHash { TreeHash(ofLeafData: bytes) }
}
