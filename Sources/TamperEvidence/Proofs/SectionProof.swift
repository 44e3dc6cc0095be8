/// A file that proves what a section of the log holds, to somebody who has only the log's public
/// key (C2SP tlog-proof).
///
/// ```swift
/// guard let proof = SectionProof(text), let proven = proof.verified(by: key) else { … }
/// ```
public struct SectionProof: Hashable, Sendable {
    /// No file that is read is longer: the steps of a day are a thousandth of it.
    public static let limitBytes = 64 << 20
    private static let header = "c2sp.org/tlog-proof@v1"
    /// The height of the largest tree.
    private static let siblingLimit = 64

    /// The section that is laid open.
    public let section: OpenedSection
    /// What is told next to it: nothing vouches for it but what the section says of it.
    public let attachment: [UInt8]
    /// That the log continues from an older checkpoint; nil if nobody asked.
    public let consistency: ConsistencyProof?
    /// The way from the block's leaf to the root.
    public let inclusion: InclusionProof
    /// The signed head of the tree.
    public let checkpoint: SignedNote

    /// Puts a proof together.
    public init(
        _ section: OpenedSection, attachment: [UInt8], consistency: ConsistencyProof? = nil,
        inclusion: InclusionProof, checkpoint: SignedNote
    ) {
        (self.section, self.attachment, self.consistency) = (section, attachment, consistency)
        (self.inclusion, self.checkpoint) = (inclusion, checkpoint)
    }

    /// The checkpoint under which the log's key has vouched for the section.
    ///
    /// - Parameter verifier: The log's public key.
    /// - Returns: The checkpoint; nil if the key has signed none that holds this section.
    public func verified(by verifier: NoteVerifier) -> Checkpoint? {
        guard let checkpoint = Checkpoint(checkpoint, signedBy: verifier),
            inclusion.root(over: section.leaf, size: checkpoint.size) == checkpoint.root
        else { return nil }
        return checkpoint
    }

    /// Holds the proof against an older checkpoint of the same log.
    ///
    /// - Parameters:
    ///   - older: What the same key signed before.
    ///   - checkpoint: The proof's own, as ``verified(by:)`` gave it.
    /// - Throws: ``ConsistencyError`` unless the log is shown to continue from the older one.
    public func verify(
        since older: Checkpoint, under checkpoint: Checkpoint
    ) throws(ConsistencyError) {
        let proof: ConsistencyProof
        if older.size == checkpoint.size {
            proof = ConsistencyProof(oldSize: older.size, hashes: [])
        } else {
            guard older.size < checkpoint.size else {
                throw ConsistencyError(code: .shrank(from: older.size, to: checkpoint.size))
            }
            guard let consistency, consistency.oldSize == older.size else {
                throw ConsistencyError(code: .untold(since: older.size))
            }
            proof = consistency
        }
        guard proof.connects(older.root, to: checkpoint.root, size: checkpoint.size) else {
            throw ConsistencyError(code: .rewritten(within: older.size))
        }
    }
}

// MARK: - The file

extension SectionProof {
    /// Forms of what the line `extra` holds: a section, and one with a consistency proof after it.
    private static let (form, formWithConsistency): (UInt8, UInt8) = (1, 2)

    /// The file.
    public var text: String {
        let form = consistency == nil ? Self.form : Self.formWithConsistency
        let extra = Base64.text(
            of: [form] + section.encoded + (consistency?.encoded ?? []) + attachment)
        let siblings = inclusion.siblings.map { "\($0)\n" }.joined()
        return "\(Self.header)\nextra \(extra)\nindex \(inclusion.index)\n\(siblings)\n"
            + checkpoint.content
    }

    /// Reads a file; nil if it is not a proof.
    ///
    /// Nothing that it says is believed yet.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.limitBytes, let split = text.firstRange(of: "\n\n"),
            let checkpoint = SignedNote(String(text[split.upperBound...]))
        else { return nil }
        // What follows the last hash that there can be is one more line, which is none.
        let head = text[..<split.lowerBound]
        var lines = head.split(
            separator: "\n", maxSplits: 3 + Self.siblingLimit, omittingEmptySubsequences: false
        )[...]
        guard lines.popFirst() == Self.header[...],
            let extra = lines.popFirst()?.value(of: "extra").flatMap({ Base64.bytes(of: $0) }),
            let index = lines.popFirst()?.value(of: "index").flatMap({ UInt64($0) })
        else { return nil }
        var siblings: [TreeHash] = []
        for line in lines {
            guard let hash = Base64.bytes(of: line).flatMap({ TreeHash(bytes: $0) }),
                siblings.count < Self.siblingLimit
            else { return nil }
            siblings.append(hash)
        }
        var rest = extra.dropFirst()
        guard let form = extra.first, form == Self.form || form == Self.formWithConsistency,
            let section = OpenedSection(&rest)
        else { return nil }
        let consistency = form == Self.form ? nil : ConsistencyProof(&rest)
        guard form == Self.form || consistency != nil else { return nil }
        self.init(
            section, attachment: Array(rest), consistency: consistency,
            inclusion: InclusionProof(index: index, siblings: siblings), checkpoint: checkpoint)
        // One proof, one text: a number has no second spelling.
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }
}

extension Substring {
    /// What follows a name and a space; nil if the line begins otherwise.
    fileprivate func value(of name: String) -> Substring? {
        hasPrefix(name + " ") ? dropFirst(name.count + 1) : nil
    }
}
