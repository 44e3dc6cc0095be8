/// SHA-256 over bytes that come in pieces (FIPS 180-4).
public struct FileDigest {
    private var hash = SHA256()

    /// Begins with the bytes that are there, if there are any.
    public init(_ bytes: [UInt8] = []) {
        take(bytes.span)
    }

    /// Takes the next bytes in.
    public mutating func take(_ bytes: Span<UInt8>) {
        hash.update(bytes)
    }

    /// The 32 bytes of the hash of all that was taken in.
    public var bytes: [UInt8] { hash.finalize().bytes }

    /// The hash in hexadecimal digits.
    public var digits: String { Hexadecimal.text(of: bytes) }
}
