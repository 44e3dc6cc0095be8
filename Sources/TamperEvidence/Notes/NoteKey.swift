/// The public key of signed notes (C2SP signed-note, Ed25519), to check a signature with.
///
/// Its text, the *vkey*, is what a third party is given: `name+id+key`, with eight hexadecimal
/// digits and base64.
public struct NoteVerifier: Hashable, Sendable {
    /// The number that says that a key and a signature are of Ed25519.
    static let algorithm: UInt8 = 1

    /// The name of the key: visible characters of ASCII, and no plus sign.
    public let name: String
    /// The 32 bytes of the public key (RFC 8032, 5.1.5).
    public let publicKey: [UInt8]
    /// The first four bytes of SHA-256 of name, newline, algorithm and key.
    let id: [UInt8]

    init?(name: String, publicKey: [UInt8]) {
        guard Self.isName(name), publicKey.count == Ed25519.keyBytes else { return nil }
        (self.name, self.publicKey) = (name, publicKey)
        let hash = SHA256.hash(Array(name.utf8) + [0x0A, Self.algorithm] + publicKey)
        id = Array(hash.bytes.prefix(4))
    }

    /// Reads a vkey; nil if it isn't one.
    public init?(vkey: String) {
        // Base64 has plus signs of its own.
        let parts = vkey.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Base64.bytes(of: parts[2]), key.first == Self.algorithm,
            let verifier = NoteVerifier(name: String(parts[0]), publicKey: Array(key.dropFirst())),
            verifier.vkey.utf8.elementsEqual(vkey.utf8)
        else { return nil }
        self = verifier
    }

    /// The key as a third party is given it.
    public var vkey: String {
        "\(name)+\(Hexadecimal.text(of: id))+\(Base64.text(of: [Self.algorithm] + publicKey))"
    }

    private static func isName(_ name: String) -> Bool {
        // Notes may have other names as well; of ASCII nothing looks like something else.
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "+") }
    }
}

/// The secret key of signed notes.
///
/// Its text is what a key file holds, in the form of Go's note package:
/// `PRIVATE+KEY+name+id+seed`. It is in no event, no message and no other file.
public struct NoteSigner: Sendable {
    /// The number of random bytes that a key is made of (RFC 8032, 5.1.5).
    public static let seedBytes = Ed25519.keyBytes
    private static let prefix = "PRIVATE+KEY+"

    /// The public half.
    public let verifier: NoteVerifier
    private let key: Ed25519

    /// Makes a key; nil if the name is no name, or there are not 32 bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - seed: 32 bytes that nobody can guess.
    public init?(name: String, seed: [UInt8]) {
        guard let key = Ed25519(seed: seed),
            let verifier = NoteVerifier(name: name, publicKey: key.publicKey)
        else { return nil }
        (self.key, self.verifier) = (key, verifier)
    }

    /// Reads the text of a key file; nil if it isn't one.
    public init?(text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(
            separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Base64.bytes(of: parts[2]),
            key.first == NoteVerifier.algorithm,
            let signer = NoteSigner(name: String(parts[0]), seed: Array(key.dropFirst())),
            signer.text.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = signer
    }

    /// The text of a key file.
    public var text: String {
        let seed = [NoteVerifier.algorithm] + key.seed
        return "\(Self.prefix)\(verifier.name)+\(Hexadecimal.text(of: verifier.id))+"
            + Base64.text(of: seed)
    }

    /// Signs a text.
    func signature(of text: [UInt8]) -> [UInt8] {
        key.signature(of: text)
    }
}
