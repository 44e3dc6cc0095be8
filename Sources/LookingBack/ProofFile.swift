internal import Sensors
package import TamperEvidence
internal import Words

/// The file of a proof or of a checkpoint.
package struct ProofFile {
    private let path: String

    /// Names a file.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads a proof.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or holds no proof.
    package func proof() throws -> SectionProof {
        guard let proof = try text().flatMap({ SectionProof($0) }) else {
            throw CommandFailure(.badData, "\(path) is not a complete proof.")
        }
        return proof
    }

    /// Reads the checkpoint of a proof, or one that stands by itself.
    ///
    /// - Parameter key: The key that must have signed it.
    /// - Returns: The checkpoint.
    /// - Throws: ``CommandFailure`` if the file cannot be read, holds no checkpoint, or one of
    ///   another log.
    package func checkpoint(signedBy key: NoteVerifier) throws -> Checkpoint {
        try checkpoint(of: note(), signedBy: key)
    }

    /// Reads the note of a proof, or one that stands by itself; no signature is looked at yet.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or holds none.
    package func note() throws -> SignedNote {
        let note = try text().flatMap { SectionProof($0)?.checkpoint ?? SignedNote($0) }
        guard let note else {
            throw CommandFailure(.badData, "\(path) is neither a proof nor a checkpoint.")
        }
        return note
    }

    /// The checkpoint of a note that was read.
    ///
    /// - Throws: ``CommandFailure`` if the key has not signed it.
    package func checkpoint(
        of note: SignedNote, signedBy key: NoteVerifier
    ) throws -> Checkpoint {
        guard let checkpoint = Checkpoint(note, signedBy: key) else {
            throw CommandFailure(
                .finding,
                "\(path) is not signed with the key \(key.vkey): it was changed, or is of another "
                    + "log.")
        }
        return checkpoint
    }

    private func text() throws -> String? {
        let bytes = try FilePlace.contents(of: path, limitBytes: SectionProof.limitBytes)
        return String(validating: bytes, as: UTF8.self)
    }
}
