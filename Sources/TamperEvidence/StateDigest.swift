/// SHA-256 over a state's canonical bytes: equal states, equal digests, on every machine.
public struct StateDigest: Hashable, Sendable {
    /// The 32 bytes of the hash (FIPS 180-4).
    public let bytes: [UInt8]

    /// Hashes canonical bytes.
    public init(ofCanonicalBytes bytes: [UInt8]) {
        self.bytes = SHA256.hash(bytes).bytes
    }

    /// That of canonical bytes that came in pieces.
    public init(_ hashed: FileDigest) {
        bytes = hashed.bytes
    }
}

extension StateDigest: CustomStringConvertible {
    /// The digest as `sha256:` and 64 hexadecimal digits.
    public var description: String { "sha256:" + Hexadecimal.text(of: bytes) }
}
