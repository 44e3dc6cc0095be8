internal import Crypto

// The one file of this target that knows of pointers: swift-crypto takes and gives nothing else
// without memory of its own. See the decision page on hashing in place.

extension HashFunction {
    /// Takes bytes in where they stand.
    mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe update(bufferPointer: bytes) }
    }

    /// Takes in a hash that was made before.
    mutating func update(_ hash: TreeHash) {
        unsafe withUnsafeBytes(of: hash) { bytes in unsafe update(bufferPointer: bytes) }
    }

    /// Takes in what another hash came to.
    mutating func update(_ digest: SHA512.Digest) {
        unsafe digest.withUnsafeBytes { bytes in unsafe update(bufferPointer: bytes) }
    }
}

extension TreeHash {
    /// Takes what a hash came to.
    init(_ digest: SHA256.Digest) {
        self = unsafe digest.withUnsafeBytes { bytes in
            TreeHash(unsafe bytes.loadUnaligned(as: SIMD32<UInt8>.self))
        }
    }
}

extension SIMD64<UInt8> {
    /// Takes what a hash came to.
    init(_ digest: SHA512.Digest) {
        self = unsafe digest.withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(as: SIMD64<UInt8>.self)
        }
    }
}
