internal import CSodium

/// A pair of keys that signs by Ed25519 (RFC 8032, 5.1).
///
/// The secret half is in one place of memory, which is wiped when nobody holds the pair any longer.
@safe final class Ed25519: @unchecked Sendable {  // Nobody writes after `init`.
    /// The number of bytes of a seed and of a public key.
    static let keyBytes = Int(crypto_sign_ed25519_SEEDBYTES)
    private static let secretBytes = 2 * keyBytes
    private static let signatureBytes = Int(crypto_sign_ed25519_BYTES)
    /// Each process must initialize the library once; it does nothing a second time.
    private static let isReady = sodium_init() >= 0

    /// The seed, then the public key.
    private let secret: UnsafeMutablePointer<UInt8>
    /// The public key.
    let publicKey: [UInt8]

    /// Takes a seed; nil unless it has ``keyBytes``.
    init?(seed: [UInt8]) {
        guard seed.count == Self.keyBytes else { return nil }
        precondition(Self.isReady, "libsodium failed to start.")
        let secret = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.secretBytes)
        var publicKey = [UInt8](repeating: 0, count: Self.keyBytes)
        let failure = unsafe crypto_sign_ed25519_seed_keypair(&publicKey, secret, seed)
        precondition(failure == 0, "libsodium made no key of a seed.")
        unsafe self.secret = secret
        self.publicKey = publicKey
    }

    deinit {
        unsafe sodium_memzero(secret, Self.secretBytes)
        unsafe secret.deallocate()
    }

    /// The seed; what is returned is the caller's to keep.
    var seed: [UInt8] { unsafe Array(UnsafeBufferPointer(start: secret, count: Self.keyBytes)) }

    /// Signs a text; the same text, the same signature.
    func signature(of text: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.signatureBytes)
        let failure = unsafe crypto_sign_ed25519_detached(
            &signature, nil, text, UInt64(text.count), secret)
        precondition(failure == 0, "libsodium made no signature.")
        return signature
    }

    /// Whether bytes are the signature of a text by the holder of a public key.
    static func isSignature(
        _ signature: [UInt8], of text: [UInt8], by publicKey: [UInt8]
    ) -> Bool {
        guard signature.count == signatureBytes, publicKey.count == keyBytes else { return false }
        precondition(isReady, "libsodium failed to start.")
        return unsafe crypto_sign_ed25519_verify_detached(
            signature, text, UInt64(text.count), publicKey) == 0
    }
}
