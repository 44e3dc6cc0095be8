internal import Crypto

/// A SHA-256 hash of a tree: of a leaf or of a node (RFC 6962, 2.1).
public struct TreeHash: Hashable, Sendable {
    /// The number of bytes of a hash (FIPS 180-4).
    public static let byteCount = 32
    /// The root of a tree without leaves: SHA-256 of nothing.
    public static let ofEmptyTree = TreeHash(SHA256.hash(data: [UInt8]()))

    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Takes bytes as a hash; nil unless there are 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The hash of a leaf: SHA-256 of a zero byte and the leaf's data.
    public init(ofLeafData data: [UInt8]) {
        var hasher = SHA256()
        hasher.update(data: [0])
        hasher.update(data: data)
        self.init(hasher.finalize())
    }

    /// The hash of a node: SHA-256 of a byte 1 and its two children.
    init(ofNode left: TreeHash, _ right: TreeHash) {
        var hasher = SHA256()
        hasher.update(data: [1])
        hasher.update(data: left.bytes)
        hasher.update(data: right.bytes)
        self.init(hasher.finalize())
    }

    private init(_ digest: SHA256.Digest) {
        bytes = Array(digest)
    }
}

extension TreeHash: CustomStringConvertible {
    /// The bytes as base64, as notes and proofs write them.
    public var description: String { Base64.text(of: bytes) }
}
