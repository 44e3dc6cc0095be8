/// Makes the salts of a store's sections (record format, "The leaf").
///
/// Without its salt nobody can tell a section by trying what it may hold.
public struct SectionSalts: Sendable {
    /// The number of bytes of a store's secret.
    public static let secretBytes = 32
    /// The number of bytes of a salt.
    public static let saltBytes = 16

    /// Begun once with the secret; a copy of it makes the salts of a block.
    private let codes: HMACSHA512

    /// Begins with the secret of a store.
    ///
    /// - Parameter secret: 32 random bytes, which are in backups and never in exports.
    public init(secret: [UInt8]) {
        codes = HMACSHA512(key: secret)
    }

    /// Makes the salts of a block's eight sections.
    ///
    /// - Parameter ordinal: The number of the block in the log, from 0.
    /// - Returns: Those of the order, then of the lanes.
    func salts(ofBlock ordinal: UInt64) -> BlockSalts {
        var codes = codes
        var message = (0..<8).map { UInt8(truncatingIfNeeded: ordinal >> (8 * $0)) } + [0]
        let first = codes.code(of: message.span)
        message[8] = 1
        return BlockSalts(first: first, second: codes.code(of: message.span))
    }
}

/// The salts of a block's eight sections.
struct BlockSalts {
    /// The salts of the sections 0 to 3, and of 4 to 7.
    let first: SIMD64<UInt8>
    let second: SIMD64<UInt8>

    /// A byte of the salt of a section.
    func byte(_ index: Int, ofSection number: Int) -> UInt8 {
        let place = SectionSalts.saltBytes * number + index
        return place < 64 ? first[place] : second[place - 64]
    }

    /// The salt of a section.
    func salt(ofSection number: Int) -> [UInt8] {
        (0..<SectionSalts.saltBytes).map { byte($0, ofSection: number) }
    }
}
