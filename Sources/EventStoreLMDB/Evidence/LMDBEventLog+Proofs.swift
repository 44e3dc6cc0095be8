public import EventStore
public import Events
public import TamperEvidence

extension LMDBEventLog {
    /// The public key that signs this log; nil if it was never sealed.
    ///
    /// - Throws: ``EventLogError``.
    public func publicKey() throws(EventLogError) -> NoteVerifier? {
        try store.read(LogEvidence.init).vkey.flatMap { NoteVerifier(vkey: $0) }
    }

    /// The last checkpoint of this log, as it was signed; nil if there is none.
    ///
    /// - Throws: ``EventLogError``.
    public func lastCheckpoint() throws(EventLogError) -> String? {
        try store.read(LogEvidence.init).lastCheckpoint
            .map { String(decoding: $0.note, as: UTF8.self) }
    }

    /// Proves what a lane's section of a block holds, under the last checkpoint.
    ///
    /// - Parameters:
    ///   - lane: The lane whose section is laid open.
    ///   - position: The position of an event in the block.
    ///   - attachment: What is told next to it.
    ///   - older: A checkpoint of this log: the proof then shows that the log continues from it, if
    ///     it does.
    /// - Returns: The proof; nil if no checkpoint vouches for the block yet.
    /// - Throws: ``EventLogError``; `damaged` if the block is not as it was sealed.
    public func proof(
        of lane: Lane, at position: Position, attachment: [UInt8] = [],
        since older: Checkpoint? = nil
    ) throws(EventLogError) -> SectionProof? {
        let evidence = try store.read(LogEvidence.init)
        guard let secret = evidence.secret, let last = evidence.lastCheckpoint,
            let note = SignedNote(String(decoding: last.note, as: UTF8.self))
        else { return nil }
        var leaves: [TreeHash] = []
        var place: SealedBlock?
        try forEachLeaf { leaf in
            guard leaf.ordinal < last.size else { return false }
            leaves.append(leaf.leaf)
            if leaf.position <= position { place = leaf }
            return true
        }
        guard let place else { return nil }
        var found: [UInt8]?
        try readBlocks(from: position) { block in
            found = [UInt8](copying: block)
            return false
        }
        guard let block = found else { return nil }
        let salts = SectionSalts(secret: secret)
        return try readBlock(at: place.position) { () throws(DamagedBlock) in
            // A block after the last one that is signed is not that one.
            guard try BlockReader.heads(of: block.span).first == place.position else {
                return nil
            }
            let section = try OpenedSection(
                of: lane, in: block, ordinal: place.ordinal, salts: salts)
            let oldSize = older.map(\.size).flatMap { $0 <= leaves.count ? Int($0) : nil }
            return SectionProof(
                section, attachment: attachment,
                consistency: oldSize.map { ConsistencyProof(since: $0, in: leaves) },
                inclusion: InclusionProof(of: Int(place.ordinal), in: leaves), checkpoint: note)
        }
    }

    /// Hands sealed blocks on, in order, so that somebody else can compute their leaves.
    ///
    /// - Parameters:
    ///   - first: The number of the first block.
    ///   - opens: Whether an event of a kind may be told; lanes with one that may not are withheld.
    ///   - body: Called with the block, and the positions of its events; false ends it.
    /// - Throws: ``EventLogError``; `damaged` if a block is not as it was sealed.
    public func forEachSealedBlock(
        from first: UInt64, opening opens: (EventKind) -> Bool,
        _ body: (OpenedBlock, Range<Position>) -> Bool
    ) throws(EventLogError) {
        guard let secret = try store.read(LogEvidence.init).secret else { return }
        let salts = SectionSalts(secret: secret)
        let (start, last) = try store.read { transaction, environment in
            let last = try transaction.lastLeaf(of: environment)
            return (try transaction.lastLeaf(upTo: first, of: environment), last)
        }
        guard let start, let last, first <= last.ordinal else { return }
        guard start.ordinal == first else { throw EventLogError.leafMismatch(start.position) }
        var next = start
        try openBlocks(from: start.position) { block throws(DamagedBlock) in
            let end = next.position + UInt64(BlockReader.count(of: block))
            let opened = try OpenedBlock(
                [UInt8](copying: block), ordinal: next.ordinal, salts: salts, where: opens)
            defer { next = SealedBlock(position: end, ordinal: next.ordinal + 1, leaf: next.leaf) }
            return body(opened, next.position..<end) && next.position < last.position
        }
    }

    /// Holds this log against a checkpoint of it that somebody kept, from its first block on.
    ///
    /// - Parameter head: What the log's key signed at some time.
    /// - Returns: Whether its blocks and their leaves are unchanged.
    /// - Throws: ``EventLogError``; `damaged` if a block is not as it was sealed here.
    public func compare(with head: Checkpoint) throws(EventLogError) -> SealedLog {
        let evidence = try store.read(LogEvidence.init)
        guard head.size <= evidence.leafCount else { return .shorter(blocks: evidence.leafCount) }
        let tree = try tree(ofFirst: head.size)
        // Each block is compared with its leaf when it is read.
        var (end, blocks): (Position, UInt64) = (0, 0)
        if head.size > 0 {
            try readBlocks(from: 0) { block in
                end += UInt64(BlockReader.count(of: block))
                blocks += 1
                return blocks < head.size
            }
        }
        return tree.size == head.size && tree.root == head.root ? .same(events: end) : .other
    }
}

/// What a log is to somebody who kept a checkpoint of it.
public enum SealedLog: Hashable, Sendable {
    /// The log as it was, or what it became: the checkpoint vouches for so many events.
    case same(events: UInt64)
    /// An older state: only so many blocks are sealed.
    case shorter(blocks: UInt64)
    /// Another history.
    case other
}
