internal import Certification
public import Events
public import TamperEvidence

/// What a proof of a day's steps proves, under a log's public key.
public struct ProvenDays: Sendable {
    /// The steps events of one of the days, laid open.
    public struct Steps: Hashable, Sendable {
        /// Whose they are.
        public let date: CivilDate
        /// How many events there are.
        public let events: UInt64
        /// What they add up to by themselves, computed without the code that displayed it; nil if
        /// they do not speak of the date.
        ///
        /// It is less than what was displayed if something of before the day counted on it: a
        /// total or a reading that only earlier events tell of.
        public let sum: UInt64?
    }

    /// The records of the days, in order.
    public let days: [DayClosed]
    /// The events of one of them; nil if the proof has none.
    public let steps: Steps?
    /// The checkpoint that vouches for them.
    public let checkpoint: Checkpoint

    /// Checks a proof.
    ///
    /// - Throws: ``DayProofError`` if the key does not vouch for it, or it is about something else.
    public init(_ proof: SectionProof, by key: NoteVerifier) throws(DayProofError) {
        guard let checkpoint = proof.verified(by: key) else {
            throw DayProofError(.notSigned)
        }
        guard proof.section.number == BlockReader.section(of: .day) else {
            throw DayProofError(.otherSection)
        }
        var days: [DayClosed] = []
        do throws(DamagedBlock) {
            try BlockReader.forEach(inSection: proof.section.bytes.span, of: .day) { event in
                if event.header.source == 0, case .dayClosed(let day) = event.decoded {
                    days.append(day)
                }
            }
        } catch {
            throw DayProofError(.otherSection)
        }
        guard !days.isEmpty else { throw DayProofError(.otherSection) }
        self.days = days
        self.checkpoint = checkpoint
        steps = try proof.attachment.isEmpty ? nil : Self.steps(proof.attachment, of: days)
    }

    private static func steps(
        _ bytes: [UInt8], of days: [DayClosed]
    ) throws(DayProofError) -> Steps {
        let hash = StateDigest(ofCanonicalBytes: bytes).bytes
        guard let day = days.first(where: { $0.stepsSHA256 == hash }) else {
            throw DayProofError(.otherSteps)
        }
        var certifier = StepsCertifier(zoneOffsetMinutes: day.offsetMinutes)
        var count: UInt64 = 0
        do throws(FieldError) {
            try CanonicalEvents.forEach(in: bytes.span) { event in
                certifier.take(event)
                count += 1
            }
        } catch {
            // Whoever keeps the log has signed a hash over bytes that are no events.
            throw DayProofError(.otherSteps)
        }
        return Steps(date: day.date, events: count, sum: certifier.sum(on: day.date))
    }
}

/// Why a proof of a day's steps proves nothing.
public struct DayProofError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why.
    public enum Code: Hashable, Sendable {
        /// The key has not signed what the proof leads to.
        case notSigned
        /// What is proven is no record of a day.
        case otherSection
        /// The steps beside it are not those of the record.
        case otherSteps
    }

    /// Why.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    /// What is wrong, for who received the proof.
    public var description: String {
        switch code {
        case .notSigned:
            "This key does not vouch for it: the proof was changed, or is of another log."
        case .otherSection: "What is proven is no record of a day's steps."
        case .otherSteps:
            "The steps beside the record are not those that the record was made of."
        }
    }
}
