internal import EventStore
public import Events
public import TamperEvidence

/// Signed heads of the log's tree, which has a leaf for each sealed block.
extension LMDBEventLog {
    /// What checkpoints of this log name: `pulselog/` and its identity in hexadecimal digits.
    public var origin: String { "pulselog/" + Hexadecimal.text(of: id) }

    /// Seals every block, and signs what the log holds.
    ///
    /// Blocks are read whole and given their leaves; the leaves are read back and computed again;
    /// the tree must continue the last checkpoint, the one in the store and the one outside; only
    /// then it is signed, and kept in both places. A log's first checkpoint makes its secret and
    /// its key. Appends continue meanwhile, but for the milliseconds of a commit.
    ///
    /// - Parameters:
    ///   - folder: Where the key and the copy of the last checkpoint are.
    ///   - random: Gives that many bytes that nobody can guess, for the first checkpoint.
    /// - Returns: The checkpoint; the last one again if nothing was appended since.
    /// - Throws: ``CheckpointError``.
    @discardableResult
    public func makeCheckpoint(
        in folder: CheckpointFolder, random: @Sendable (Int) -> [UInt8]
    ) async throws(CheckpointError) -> Checkpoint {
        do {
            return try await sealAndSign(folder, random)
        } catch {
            throw CheckpointError(error, in: directory)
        }
    }

    private func sealAndSign(
        _ folder: CheckpointFolder, _ random: @Sendable (Int) -> [UInt8]
    ) async throws -> Checkpoint {
        guard let writer else {
            throw EventLogError(.permission, detail: "\(directory) is open for reading only")
        }
        // Whether this is a copy could not be told.
        _ = try folder.place()
        // Read before the store: what another process seals meanwhile is not a rollback.
        let outside = try folder.keptCheckpoints()
        let before = try store.read(LogEvidence.init)
        if outside.last != nil || outside.earlier?.isEmpty == false,
            try knownSigner(of: before, in: folder) == nil
        {
            // Something was already signed: no other key must stand in for that one.
            throw CheckpointError(.keyMissing, detail: "\(folder.path)/key")
        }
        let signer = try signer(of: before, in: folder, random)
        let known = try Self.knownHeads(before, outside, of: folder, signer.verifier)
        try refuseRollback(known, before)
        let secret = before.secret ?? random(SectionSalts.secretBytes)
        guard try await seal(with: writer, secret, signer.verifier) else {
            throw CheckpointError(
                .keyMissing, detail: "\(folder.path)/key is not the one that the log names")
        }
        let tree = try readBack(after: before.frontier, known)
        let checkpoint = Checkpoint(origin: origin, size: tree.size, root: tree.root)
        if checkpoint != known.stored || before.frontier != tree {
            let note = checkpoint.signed(by: signer)
            try await writer.change { transaction, environment in
                try transaction.keep(note, of: tree, environment)
            }
        }
        try keep(checkpoint, by: signer, in: folder)
        return checkpoint
    }

    /// Looks whether the log could be signed here and now, without reading its blocks.
    ///
    /// - Parameter folder: Where the key and the copy of the last checkpoint are.
    /// - Returns: The position after the last event that a checkpoint vouches for.
    /// - Throws: ``CheckpointError`` that making one would end with.
    public func signedEvents(in folder: CheckpointFolder) throws(CheckpointError) -> Position {
        do {
            let outside = try folder.keptCheckpoints()
            let evidence = try store.read(LogEvidence.init)
            guard let signer = try knownSigner(of: evidence, in: folder) else { return 0 }
            let known = try Self.knownHeads(evidence, outside, of: folder, signer.verifier)
            try refuseRollback(known, evidence)
            guard let size = known.stored?.size, size > 0 else { return 0 }
            let leaf = try store.read { transaction, environment in
                try transaction.lastLeaf(upTo: size - 1, of: environment)
            }
            guard let leaf, leaf.ordinal == size - 1 else { throw EventLogError.leafMismatch(0) }
            var end: Position = 0
            try readBlocks(from: leaf.position) { block in
                end = leaf.position + UInt64(BlockReader.count(of: block))
                return false
            }
            return end
        } catch {
            throw CheckpointError(error, in: directory)
        }
    }

    private func refuseRollback(
        _ known: KnownHeads, _ evidence: LogEvidence
    ) throws(CheckpointError) {
        let size = known.outside.map(\.size).max() ?? 0
        guard size > evidence.leafCount else { return }
        throw CheckpointError(.rollback(knownLeaves: size, leaves: evidence.leafCount))
    }

    // MARK: - Who signs

    private func signer(
        of evidence: LogEvidence, in folder: CheckpointFolder,
        _ random: @Sendable (Int) -> [UInt8]
    ) throws(CheckpointError) -> NoteSigner {
        // A first key that the log does not name yet may not be on disk, with who made it dead.
        if evidence.vkey != nil, let known = try knownSigner(of: evidence, in: folder) {
            return known
        }
        _ = try folder.makeSigner(named: origin, seed: random(NoteSigner.seedBytes))
        // Another process may have been faster.
        guard let made = try knownSigner(of: evidence, in: folder) else {
            throw CheckpointError(.keyMissing, detail: "\(folder.path)/key")
        }
        return made
    }

    /// The key of this log; nil if it has none yet.
    private func knownSigner(
        of evidence: LogEvidence, in folder: CheckpointFolder
    ) throws(CheckpointError) -> NoteSigner? {
        guard let signer = try folder.signer() else {
            guard evidence.vkey == nil else {
                throw CheckpointError(.keyMissing, detail: "\(folder.path)/key")
            }
            return nil
        }
        guard signer.verifier.name == origin,
            evidence.vkey == nil || evidence.vkey == signer.verifier.vkey
        else {
            throw CheckpointError(
                .keyMissing, detail: "\(folder.path)/key is another, for \(signer.verifier.name)")
        }
        return signer
    }

    // MARK: - What is already known

    /// The last checkpoints that are known.
    private struct KnownHeads {
        var stored: Checkpoint?
        var outside: [Checkpoint] = []
        var all: [Checkpoint] { [stored].compactMap(\.self) + outside }
    }

    private static func knownHeads(
        _ evidence: LogEvidence, _ outside: CheckpointFolder.KeptCheckpoints,
        of folder: CheckpointFolder, _ verifier: NoteVerifier
    ) throws(CheckpointError) -> KnownHeads {
        var heads = KnownHeads()
        if let last = evidence.lastCheckpoint {
            heads.stored = evidence.head(signedBy: verifier)
            guard heads.stored != nil else {
                let detail = "the checkpoint over \(last.size) blocks is not as it was signed"
                throw CheckpointError(.log(.damaged(detail)))
            }
        }
        guard outside.last.map({ Checkpoint($0, signedBy: verifier) != nil }) ?? true else {
            throw CheckpointError(
                .folder, detail: "\(folder.path)/checkpoint is not signed by this log's key")
        }
        heads.outside = outside.heads(signedBy: verifier)
        return heads
    }

    // MARK: - Steps

    /// Seals all blocks, as many transactions as that takes.
    ///
    /// - Returns: false if the store names another key: then nothing is sealed.
    private func seal(
        with writer: LogWriter, _ secret: [UInt8], _ verifier: NoteVerifier
    ) async throws(EventLogError) -> Bool {
        var isComplete: Bool?
        repeat {
            isComplete = try await writer.change { transaction, environment -> Bool? in
                let secret = try transaction.secret(or: secret, verifier.vkey, environment)
                guard let secret else { return nil }
                return try Sealing(salts: SectionSalts(secret: secret))
                    .sealBlocks(&transaction, environment)
            }
        } while isComplete == false
        return isComplete != nil
    }

    /// The tree as the store has it; what the last checkpoint does not sign was computed again from
    /// the blocks.
    ///
    /// The leaves that it signs are not read: their tree is the frontier that was kept with it, and
    /// has its root. They are if it has not, or if what is kept outside does not end with it.
    ///
    /// - Parameters:
    ///   - frontier: What was kept.
    ///   - known: The checkpoints that are known.
    /// - Returns: The tree, which continues all of them.
    /// - Throws: ``CheckpointError`` `fork`; ``EventLogError`` `damaged` if a leaf is not its
    ///   block's.
    private func readBack(after frontier: MerkleTree?, _ known: KnownHeads) throws -> MerkleTree {
        let signedSize = known.stored?.size ?? 0
        var (tree, last, heads) = (MerkleTree(), SealedBlock?.none, known.all)
        // In the list of those that are kept outside, and as the last one.
        if let frontier, signedSize > 0, frontier.size == signedSize,
            frontier.root == known.stored?.root,
            known.outside.suffix(2) == [known.stored, known.stored].compactMap(\.self)[...]
        {
            last = try store.read { transaction, environment in
                try transaction.lastLeaf(upTo: signedSize - 1, of: environment)
            }
            guard let last, last.ordinal == signedSize - 1 else {
                throw EventLogError.leafMismatch(last?.position ?? 0)
            }
            (tree, heads) = (frontier, [])
        }
        var roots = [tree.size: tree.root]
        let sizes = Set(heads.map(\.size))
        var first: Position?
        try forEachLeaf(after: last) { leaf in
            if leaf.ordinal >= signedSize { first = first ?? leaf.position }
            tree.append(leaf.leaf)
            assert(tree.size == leaf.ordinal + 1, "The tree has another number of leaves.")
            if sizes.contains(tree.size) { roots[tree.size] = tree.root }
            return true
        }
        if let first { try readBlocks(from: first) { _ in true } }
        for head in heads where roots[head.size] != head.root {
            throw CheckpointError(.fork(knownLeaves: head.size))
        }
        return tree
    }

    /// Keeps a checkpoint outside.
    private func keep(
        _ checkpoint: Checkpoint, by signer: NoteSigner, in folder: CheckpointFolder
    ) throws(CheckpointError) {
        try folder.inTurn { () throws(CheckpointError) in
            // Another process may have kept a later one.
            let kept = try folder.checkpoint().flatMap { Checkpoint($0, signedBy: signer.verifier) }
            if kept?.size ?? 0 <= checkpoint.size { try folder.keep(checkpoint.signed(by: signer)) }
            if original(in: folder) == nil { try folder.keepPlace(of: directory) }
        }
    }
}
