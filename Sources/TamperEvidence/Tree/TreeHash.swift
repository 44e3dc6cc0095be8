/// A SHA-256 hash of a tree: of a leaf or of a node (RFC 6962, 2.1).
public struct TreeHash: Hashable, Sendable {
    /// The number of bytes of a hash (FIPS 180-4).
    public static let byteCount = 32
    /// The root of a tree without leaves: SHA-256 of nothing.
    public static let ofEmptyTree = SHA256.hash([])
    private static let leafPrefix: [UInt8] = [0]
    private static let nodePrefix: [UInt8] = [1]

    /// In place, because a tree has one for each block of a log.
    private let content: SIMD32<UInt8>

    /// The 32 bytes.
    public var bytes: [UInt8] { (0..<Self.byteCount).map { content[$0] } }

    /// Takes bytes as a hash; nil unless there are 32.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var content = SIMD32<UInt8>()
        for index in 0..<Self.byteCount { content[index] = bytes[index] }
        self.init(content)
    }

    /// Takes bytes as a hash; nil unless there are 32.
    public init?(bytes: [UInt8]) {
        self.init(bytes: bytes.span)
    }

    /// The hash of a leaf: SHA-256 of a zero byte and the leaf's data.
    public init(ofLeafData data: [UInt8]) {
        var hasher = SHA256()
        hasher.update(Self.leafPrefix.span)
        hasher.update(data.span)
        self = hasher.finalize()
    }

    /// The hash of a node: SHA-256 of a byte 1 and its two children.
    init(ofNode left: TreeHash, _ right: TreeHash) {
        var hasher = SHA256()
        hasher.update(Self.nodePrefix.span)
        hasher.update(left)
        hasher.update(right)
        self = hasher.finalize()
    }

    /// Takes 32 bytes as a hash.
    init(_ content: SIMD32<UInt8>) {
        self.content = content
    }

    /// The hashes that bytes are, one after the other; what is left at the end is none.
    static func hashes(in bytes: ArraySlice<UInt8>) -> [TreeHash] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: byteCount).compactMap {
            TreeHash(bytes: Array(bytes[$0...].prefix(byteCount)))
        }
    }

    /// The byte at an index below ``byteCount``.
    subscript(index: Int) -> UInt8 { content[index] }
}

extension TreeHash: CustomStringConvertible {
    /// The bytes as base64, as notes and proofs write them.
    public var description: String { Base64.text(of: bytes) }
}
