internal import Sensors
internal import TamperEvidence
internal import Words

/// The file of a proof.
struct ProofFile {
    let path: String

    /// Reads a proof.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or holds no proof.
    func proof() throws(CommandFailure) -> SectionProof {
        let bytes = try reading { () throws(FileError) in
            try InputFile.contents(of: path, limitBytes: SectionProof.limitBytes)
        }
        guard let text = String(validating: bytes, as: UTF8.self), let proof = SectionProof(text)
        else { throw CommandFailure(.badData, "\(path) is not a proof that is whole.") }
        return proof
    }

    /// Writes a proof into a new file, which is there whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` if there is such a file, or it cannot be written.
    func write(_ proof: SectionProof) throws(CommandFailure) {
        let file = try OutputFile(path)
        try file.write(Array(proof.text.utf8))
        try file.finish()
    }
}
