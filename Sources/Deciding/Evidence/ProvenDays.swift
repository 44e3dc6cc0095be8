package import Certification
package import Events
package import TamperEvidence

/// What a proof of a day's steps proves, under a log's public key.
package struct ProvenDays: Sendable {
    /// The records of the days, in order; one, but for what earlier versions recorded.
    package let records: [DayRecord]
    /// The events of one of them, and its date; nil if the proof has none.
    package let opened: (date: CivilDate, events: DayEvents)?
    /// The checkpoint that vouches for them.
    package let checkpoint: Checkpoint

    /// Checks a proof.
    ///
    /// - Throws: ``DayProofError`` if the key does not vouch for it, or it is about something else.
    package init(_ proof: SectionProof, by key: NoteVerifier) throws(DayProofError) {
        guard let checkpoint = proof.verified(by: key) else {
            throw DayProofError(code: .notSigned)
        }
        guard proof.section.number == BlockReader.section(of: .day) else {
            throw DayProofError(code: .otherSection)
        }
        var records: [DayRecord] = []
        do throws(DamagedBlock) {
            try BlockReader.forEach(inSection: proof.section.bytes.span, of: .day) { event in
                if let record = DayRecord(event) { records.append(record) }
            }
        } catch {
            throw DayProofError(code: .otherSection)
        }
        guard !records.isEmpty else { throw DayProofError(code: .otherSection) }
        (self.records, self.checkpoint) = (records, checkpoint)
        opened = try proof.attachment.isEmpty ? nil : Self.events(proof.attachment, of: records)
    }

    private static func events(
        _ bytes: [UInt8], of records: [DayRecord]
    ) throws(DayProofError) -> (CivilDate, DayEvents) {
        let hash = FileDigest(bytes).bytes
        guard let record = records.first(where: { $0.day.eventsSHA256 == hash }) else {
            throw DayProofError(code: .otherSteps)
        }
        do throws(FieldError) {
            let events = try DayEvents(bytes.span, of: record)
            guard events.count == record.day.eventCount else {
                throw FieldError(.mismatch, field: "")
            }
            return (record.day.date, events)
        } catch {
            // Whoever keeps the log has signed a hash over bytes that are no such events.
            throw DayProofError(code: .otherSteps)
        }
    }
}

/// Why a proof of a day's steps proves nothing.
package struct DayProofError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why.
    package enum Code: Hashable, Sendable {
        /// The key has not signed what the proof leads to.
        case notSigned
        /// What is proven is not a day's record.
        case otherSection
        /// The steps next to it are not those of the record.
        case otherSteps
    }

    /// Why.
    package let code: Code

    /// What is wrong, for whoever received the proof.
    package var description: String {
        switch code {
        case .notSigned:
            "This key does not vouch for it: the proof was changed, or is another log's."
        case .otherSection: "It does not prove a record of a day's steps."
        case .otherSteps:
            "The steps next to the record are not those it was made from."
        }
    }
}
