internal import CNettle

/// SHA-256 (FIPS 180-4) over bytes that come in pieces: a value that needs no memory of its own.
struct SHA256 {
    private var context = sha256_ctx()

    /// Begins with no bytes.
    init() {
        unsafe nettle_sha256_init(&context)
    }

    /// Takes bytes in where they stand.
    mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe nettle_sha256_update(&context, bytes.count, bytes.baseAddress)
        }
    }

    /// Takes in a hash that was made before.
    mutating func update(_ hash: TreeHash) {
        unsafe withUnsafeBytes(of: hash) { bytes in
            let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self)
            unsafe nettle_sha256_update(&context, bytes.count, bytes.baseAddress)
        }
    }

    /// What all bytes came to.
    consuming func finalize() -> TreeHash {
        var digest = SIMD32<UInt8>()
        unsafe withUnsafeMutableBytes(of: &digest) { digest in
            let digest = unsafe digest.assumingMemoryBound(to: UInt8.self)
            unsafe nettle_sha256_digest(&context, digest.count, digest.baseAddress)
        }
        return TreeHash(digest)
    }

    /// The hash of bytes that are all there.
    static func hash(_ bytes: [UInt8]) -> TreeHash {
        var hasher = SHA256()
        hasher.update(bytes.span)
        return hasher.finalize()
    }
}
