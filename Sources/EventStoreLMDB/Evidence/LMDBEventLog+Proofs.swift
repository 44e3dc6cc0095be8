public import EventStore
public import Events
internal import LMDB
public import TamperEvidence

extension LMDBEventLog {
    /// The public key that signs this log; nil if it was never sealed.
    ///
    /// - Throws: ``EventLogError``.
    public func publicKey() throws(EventLogError) -> NoteVerifier? {
        let vkey = try store.read { transaction, environment throws(StoreFailure) in
            try LogEvidence(transaction, environment).vkey
        }
        return vkey.flatMap { NoteVerifier(vkey: $0) }
    }

    /// The last checkpoint of this log, as it was signed; nil if there is none.
    ///
    /// - Throws: ``EventLogError``.
    public func lastCheckpoint() throws(EventLogError) -> String? {
        try store.read { transaction, environment throws(StoreFailure) in
            try LogEvidence(transaction, environment).lastCheckpoint?.text
        }
    }

    /// Proves what a lane's section of a block holds, under the last checkpoint.
    ///
    /// - Parameters:
    ///   - lane: The lane whose section is laid open.
    ///   - position: The position of an event in the block.
    ///   - attachment: What is told beside it.
    /// - Returns: The proof; nil if no checkpoint vouches for the block yet.
    /// - Throws: ``EventLogError``; `damaged` if the block is not as it was sealed.
    public func proof(
        of lane: Lane, at position: Position, attachment: [UInt8] = []
    ) throws(EventLogError) -> SectionProof? {
        let evidence = try store.read(LogEvidence.init)
        guard let secret = evidence.secret, let last = evidence.lastCheckpoint,
            let note = SignedNote(last.text)
        else { return nil }
        var leaves: [TreeHash] = []
        var place: (ordinal: UInt64, position: Position)?
        try forEachLeaf { ordinal, first, leaf in
            guard ordinal < last.size else { return false }
            leaves.append(leaf)
            if first <= position { place = (ordinal, first) }
            return true
        }
        guard let place, let block = try block(holding: position) else { return nil }
        let salts = SectionSalts(secret: secret)
        do throws(DamagedBlock) {
            // A block after the last one that is signed is not that one.
            guard try BlockReader.heads(of: block.span).first == place.position else {
                return nil
            }
            let section = try OpenedSection(
                of: lane, in: block, ordinal: place.ordinal, salts: salts)
            return SectionProof(
                section, attachment: attachment,
                inclusion: InclusionProof(of: Int(place.ordinal), in: leaves), checkpoint: note)
        } catch {
            throw EventLogError(DamagedBlock(error.code, position: place.position))
        }
    }

    /// The block that holds a position, if the log goes so far.
    private func block(holding position: Position) throws(EventLogError) -> [UInt8]? {
        var found: [UInt8]?
        try readBlocks(from: position) { block in
            found = [UInt8](copying: block)
            return false
        }
        return found
    }
}
