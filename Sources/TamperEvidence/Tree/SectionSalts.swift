internal import Crypto

/// Makes the salts of a store's sections (record format, "The leaf").
///
/// Without its salt nobody can tell a section by trying what it may hold.
public struct SectionSalts: Sendable {
    /// The number of bytes of a store's secret.
    public static let secretBytes = 32
    /// The number of bytes of a salt.
    public static let saltBytes = 16
    /// How many salts one code gives.
    private static let saltsOfCode = 4

    /// Keyed once; a copy of it makes four salts.
    private let keyed: HMAC<SHA512>

    /// Begins with the secret of a store.
    ///
    /// - Parameter secret: 32 random bytes, which are in backups and never in exports.
    public init(secret: [UInt8]) {
        keyed = HMAC<SHA512>(key: SymmetricKey(data: secret))
    }

    /// Makes the salts of a block's eight sections.
    ///
    /// - Parameter ordinal: The number of the block in the log, from 0.
    /// - Returns: 8 times 16 bytes, one after the other.
    func salts(ofBlock ordinal: UInt64) -> [UInt8] {
        var message = (0..<8).map { UInt8(truncatingIfNeeded: ordinal >> (8 * $0)) } + [0]
        var salts: [UInt8] = []
        for part in 0..<LeafData.sectionCount / Self.saltsOfCode {
            message[8] = UInt8(part)
            var code = keyed
            code.update(data: message)
            salts += Array(code.finalize())
        }
        return salts
    }

    /// The salt of one of the sections among those of its block.
    static func salt(of section: Int, in salts: [UInt8]) -> ArraySlice<UInt8> {
        salts[saltBytes * section..<saltBytes * (section + 1)]
    }
}
