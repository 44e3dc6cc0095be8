internal import Glibc
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

    /// Writes a proof into a new file.
    ///
    /// - Throws: ``CommandFailure`` if there is such a file, or it cannot be written.
    func write(_ proof: SectionProof) throws(CommandFailure) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else {
            let isThere = errno == EEXIST
            let reason = isThere ? "it exists; name another file" : words()
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(reason).")
        }
        defer { close(descriptor) }
        var rest = Array(proof.text.utf8)[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, Array(rest), rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = words()
                unlink(path)
                throw CommandFailure(.inputOutput, "\(path) cannot be written: \(reason).")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The system's words for its last error.
    private func words() -> String { String(cString: strerror(errno)) }
}
