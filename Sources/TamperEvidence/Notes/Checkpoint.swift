/// The signed head of a tree (C2SP tlog-checkpoint): which log, how many leaves, their root.
public struct Checkpoint: Hashable, Sendable {
    /// Which log; its key has the same name.
    public let origin: String
    /// The number of leaves.
    public let size: UInt64
    /// The root over them.
    public let root: TreeHash

    /// Describes the head of a tree.
    public init(origin: String, size: UInt64, root: TreeHash) {
        (self.origin, self.size, self.root) = (origin, size, root)
    }

    /// The text that is signed: three lines.
    var text: String { "\(origin)\n\(size)\n\(root)\n" }

    /// Signs it.
    public func signed(by signer: NoteSigner) -> SignedNote {
        SignedNote(signing: text, with: signer)
    }

    /// Reads the checkpoint of a note that a key has signed; nil if it has not, or if the text is
    /// no checkpoint of the key's log.
    ///
    /// Lines after the third are an extension that nothing here writes: none is taken.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - verifier: The key, whose name is the log's.
    public init?(_ note: SignedNote, signedBy verifier: NoteVerifier) {
        guard let text = note.text(signedBy: verifier) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, let size = UInt64(lines[1]),
            let root = Base64.bytes(of: lines[2]).flatMap({ TreeHash(bytes: $0) })
        else { return nil }
        self.init(origin: verifier.name, size: size, root: root)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }
}
