internal import LookingBack
internal import Sensors
internal import TamperEvidence
internal import Text
internal import Words

/// The file of a proof or of a checkpoint.
struct ProofFile {
    let path: String

    /// Reads a proof.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or holds no proof.
    func proof() throws(CommandFailure) -> SectionProof {
        guard let proof = try text().flatMap({ SectionProof($0) }) else {
            throw CommandFailure(.badData, "\(path) is not a proof that is whole.")
        }
        return proof
    }

    /// Reads the checkpoint of a proof, or one that stands by itself.
    ///
    /// - Parameter key: The key that must have signed it.
    /// - Returns: The checkpoint.
    /// - Throws: ``CommandFailure`` if the file cannot be read, holds no checkpoint, or one of
    ///   another log.
    func checkpoint(signedBy key: NoteVerifier) throws(CommandFailure) -> Checkpoint {
        try checkpoint(of: note(), signedBy: key)
    }

    /// Reads the note of a proof, or one that stands by itself; no signature is looked at yet.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or holds none.
    func note() throws(CommandFailure) -> SignedNote {
        let note = try text().flatMap { SectionProof($0)?.checkpoint ?? SignedNote($0) }
        guard let note else {
            throw CommandFailure(.badData, "\(path) is neither a proof nor a checkpoint.")
        }
        return note
    }

    /// The checkpoint of a note that was read.
    ///
    /// - Throws: ``CommandFailure`` if the key has not signed it.
    func checkpoint(
        of note: SignedNote, signedBy key: NoteVerifier
    ) throws(CommandFailure) -> Checkpoint {
        guard let checkpoint = Checkpoint(note, signedBy: key) else {
            throw CommandFailure(
                .finding,
                "\(path) is not signed with the key \(key.vkey): it was changed, or is of another "
                    + "log.")
        }
        return checkpoint
    }

    private func text() throws(CommandFailure) -> String? {
        let bytes = try reading { () throws(FileError) in
            try InputFile.contents(of: path, limitBytes: SectionProof.limitBytes)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Writes a proof or a checkpoint into a new file, which is there whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` if there is such a file, or it cannot be written.
    func write(_ text: String) throws(CommandFailure) {
        let file = try OutputFile(path)
        try file.write(Array(text.utf8))
        try file.finish()
    }
}
