internal import Crypto

/// Makes the salts of a store's sections (record format, "The leaf").
///
/// Without its salt nobody can tell a section by trying what it may hold.
public struct SectionSalts: Sendable {
    /// The number of bytes of a store's secret.
    public static let secretBytes = 32
    /// The number of bytes of a salt.
    public static let saltBytes = 16

    /// The two hashes that make a code (RFC 2104, 2), each begun with the key.
    ///
    /// Begun once; copies of them make four salts. The library's own HMAC is of any hash, and
    /// asks each time which: it takes twice as long.
    private let inner: SHA512
    private let outer: SHA512

    /// Begins with the secret of a store.
    ///
    /// - Parameter secret: 32 random bytes, which are in backups and never in exports.
    public init(secret: [UInt8]) {
        var key = secret
        if key.count > SHA512.blockByteCount { key = Array(SHA512.hash(data: secret)) }
        key += [UInt8](repeating: 0, count: SHA512.blockByteCount - key.count)
        inner = Self.hasher(begunWith: key, pad: 0x36)
        outer = Self.hasher(begunWith: key, pad: 0x5C)
    }

    private static func hasher(begunWith key: [UInt8], pad: UInt8) -> SHA512 {
        var hasher = SHA512()
        hasher.update(data: key.map { $0 ^ pad })
        return hasher
    }

    /// Makes the salts of a block's eight sections.
    ///
    /// - Parameter ordinal: The number of the block in the log, from 0.
    /// - Returns: Those of the order, then of the lanes.
    func salts(ofBlock ordinal: UInt64) -> BlockSalts {
        var message = (0..<8).map { UInt8(truncatingIfNeeded: ordinal >> (8 * $0)) } + [0]
        let first = code(of: message.span)
        message[8] = 1
        return BlockSalts(first: SIMD64(first), second: SIMD64(code(of: message.span)))
    }

    /// The HMAC of a message, as RFC 2104, 2.
    private func code(of message: Span<UInt8>) -> SHA512.Digest {
        var messageHasher = inner
        messageHasher.update(message)
        var codeHasher = outer
        codeHasher.update(messageHasher.finalize())
        return codeHasher.finalize()
    }
}

/// The salts of a block's eight sections.
struct BlockSalts {
    /// The salts of the sections 0 to 3, and of 4 to 7.
    private let first: SIMD64<UInt8>
    private let second: SIMD64<UInt8>

    init(first: SIMD64<UInt8>, second: SIMD64<UInt8>) {
        self.first = first
        self.second = second
    }

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
