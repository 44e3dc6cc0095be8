/// A text with one signature or more (C2SP signed-note).
///
/// The text is only lent to whoever names a key whose signature is good.
public struct SignedNote: Hashable, Sendable {
    /// No note that is read is longer.
    static let limitBytes = 64 * 1_024
    private static let dash = "\u{2014} "

    /// The note as it was signed, to the byte.
    public let content: String
    private let text: String
    private let signatures: [Signature]

    private struct Signature: Hashable {
        let name: Substring
        let id: [UInt8]
        let bytes: [UInt8]
    }

    /// Signs a text, which ends with a newline.
    init(signing text: String, with signer: NoteSigner) {
        let bytes = signer.signature(of: Array(text.utf8))
        let (name, id) = (signer.verifier.name, signer.verifier.id)
        self.text = text
        signatures = [Signature(name: Substring(name), id: id, bytes: bytes)]
        content = "\(text)\n\(Self.dash)\(name) \(Base64.text(of: id + bytes))\n"
    }

    /// Reads a note; nil if it isn't one.
    ///
    /// No signature is looked at yet.
    public init?(_ content: String) {
        guard content.utf8.count <= Self.limitBytes,
            content.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }),
            let split = Self.lastEmptyLine(of: content)
        else { return nil }
        self.content = content
        text = String(content[...split.text])
        let lines = content[split.signatures...]
        guard lines.hasSuffix("\n") else { return nil }
        var signatures: [Signature] = []
        for line in lines.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix(Self.dash) else { return nil }
            let parts = line.dropFirst(Self.dash.count).split(
                separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, let bytes = Base64.bytes(of: parts[1]), bytes.count > 4 else {
                return nil
            }
            signatures.append(
                Signature(
                    name: parts[0], id: Array(bytes.prefix(4)), bytes: Array(bytes.dropFirst(4))))
        }
        self.signatures = signatures
    }

    /// The text, if a key has signed it.
    ///
    /// - Parameter verifier: The key; signatures of others are passed over.
    /// - Returns: The text; nil if the key has not signed, or one of its signatures is bad.
    public func text(signedBy verifier: NoteVerifier) -> String? {
        let own = signatures.filter {
            $0.id == verifier.id && $0.name.utf8.elementsEqual(verifier.name.utf8)
        }
        let bytes = Array(text.utf8)
        let areGood = own.allSatisfy {
            Ed25519.isSignature($0.bytes, of: bytes, by: verifier.publicKey)
        }
        guard !own.isEmpty, areGood else { return nil }
        return text
    }

    /// Where the text ends, with its newline, and where the signatures begin.
    private static func lastEmptyLine(
        of content: String
    ) -> (text: String.Index, signatures: String.Index)? {
        var found: (String.Index, String.Index)?
        let bytes = content.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = bytes.index(after: index)
            if next < bytes.endIndex, bytes[index] == 0x0A, bytes[next] == 0x0A {
                found = (index, bytes.index(after: next))
            }
            index = next
        }
        return found
    }
}
