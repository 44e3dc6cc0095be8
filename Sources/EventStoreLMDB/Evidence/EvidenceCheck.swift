internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Holds a log against its tree, its checkpoints and what is kept of it outside.
///
/// Leaves are computed again from the blocks, roots from the leaves; each checkpoint must have the
/// root of its size and the signature of the log's key.
struct EvidenceCheck {
    private let log: LMDBEventLog
    private(set) var report = EvidenceReport()
    private var verifier: NoteVerifier?
    /// Checkpoints whose signature is good, in order of size, those in the store and the one
    /// outside.
    private var heads: [Checkpoint] = []
    private var tree = MerkleTree()
    /// The position after the last sealed block that was compared.
    private var next: Position = 0
    /// Where the blocks begin that no good checkpoint vouches for.
    private var unsigned: Position = 0

    init(_ log: LMDBEventLog) {
        self.log = log
    }

    /// Looks at everything.
    ///
    /// - Parameter folder: What is kept of the log outside of its store; nil not to look there.
    /// - Throws: ``EventLogError`` `damaged` with the first bad position.
    mutating func run(_ folder: CheckpointFolder?) throws(EventLogError) {
        // What is outside is read first, then the store in one view: meanwhile others may seal.
        let outside = folder.map { Self.read($0) }
        var rows: [(size: UInt64, note: [UInt8])] = []
        let evidence = try log.store.read { transaction, environment throws(StoreFailure) in
            try Self.refuseUnknownRows(transaction, environment)
            try transaction.forEachRow(.checkpoint, of: environment) { size, note in
                rows.append((size, [UInt8](copying: note)))
                return true
            }
            return try LogEvidence(transaction, environment)
        }
        try readKey(evidence)
        // A bad checkpoint is told with the first position that it should vouch for.
        let badCheckpoint = readCheckpoints(rows)
        let badOutside = compare(outside, folder)
        try compareBlocks(evidence)
        guard tree.size == evidence.leafCount else {
            throw damaged(
                at: next, "\(evidence.leafCount) blocks have leaves, \(tree.size) were read")
        }
        if let badCheckpoint { throw damaged(at: unsigned, badCheckpoint) }
        if let head = heads.first(where: { $0.size > tree.size }) {
            throw damaged(
                at: next,
                "a checkpoint over \(head.size) blocks was signed, and \(tree.size) are sealed: "
                    + "the store is an older state of its log, or was cut off")
        }
        if let badOutside { throw damaged(at: next, badOutside.description) }
        report.sealedBlocks = tree.size
    }

    // MARK: - What is there

    /// A row that nobody wrote may be one whose name was changed.
    private static func refuseUnknownRows(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws(StoreFailure) {
        let names = LogIdentity.names + [LogEvidence.secretName, LogEvidence.keyName]
        let known = Set(names.map { Array($0.utf8) })
        try transaction.withCursor(in: environment.meta) { cursor throws(StoreFailure) in
            var stands: Bool
            do throws(LMDBError) {
                stands = try cursor.moveToFirst()
            } catch {
                throw .environment(error)
            }
            while stands {
                let isKnown = cursor.withEntry { key, _ in
                    NumberedKey.leaf.number(of: key) != nil
                        || NumberedKey.checkpoint.number(of: key) != nil
                        || known.contains([UInt8](copying: key))
                }
                guard isKnown else {
                    let detail = "its table meta has a row that no version known here writes"
                    throw .log(EventLogError(.damaged, position: 0, detail: detail))
                }
                do throws(LMDBError) {
                    stands = try cursor.moveToNext()
                } catch {
                    throw .environment(error)
                }
            }
        }
    }

    private mutating func readKey(_ evidence: LogEvidence) throws(EventLogError) {
        guard
            evidence.leafCount > 0 || evidence.lastCheckpoint != nil || evidence.secret != nil
                || evidence.vkey != nil
        else { return }
        guard let vkey = evidence.vkey, let verifier = NoteVerifier(vkey: vkey),
            verifier.name == log.origin
        else { throw damaged(at: 0, "the key that it names is not as written") }
        guard evidence.secret?.count == SectionSalts.secretBytes else {
            throw damaged(at: 0, "its secret is missing or of no possible length")
        }
        self.verifier = verifier
        report.vkey = vkey
    }

    /// Reads the checkpoints in the store.
    ///
    /// - Returns: What is wrong with the first bad one.
    private mutating func readCheckpoints(_ rows: [(size: UInt64, note: [UInt8])]) -> String? {
        guard let verifier else { return nil }
        for row in rows {
            let note = String(validating: row.note, as: UTF8.self).flatMap { SignedNote($0) }
            guard let head = note.flatMap({ Checkpoint($0, signedBy: verifier) }),
                head.size == row.size
            else { return "the checkpoint over \(row.size) blocks is not as it was signed" }
            heads.append(head)
        }
        return nil
    }

    /// What is kept of a log outside of its store.
    private typealias Outside = Result<(key: NoteVerifier?, note: SignedNote?), CheckpointError>

    private static func read(_ folder: CheckpointFolder) -> Outside {
        do throws(CheckpointError) {
            return .success((try folder.signer()?.verifier, try folder.checkpoint()))
        } catch {
            return .failure(error)
        }
    }

    /// Holds what is kept outside against the store.
    ///
    /// - Returns: What is wrong with it.
    private mutating func compare(
        _ outside: Outside?, _ folder: CheckpointFolder?
    ) -> CheckpointError? {
        guard let outside, let folder else { return nil }
        do throws(CheckpointError) {
            let (key, note) = try outside.get()
            guard key == nil || verifier == nil || key == verifier else {
                throw CheckpointError(
                    .keyUnusable, detail: "\(folder.path)/key is not the key of this log")
            }
            guard let note else { return nil }
            // A store of before its first checkpoint names no key.
            guard let head = (verifier ?? key).flatMap({ Checkpoint(note, signedBy: $0) }) else {
                throw CheckpointError(
                    .folder, detail: "\(folder.path)/checkpoint is not signed by this log's key")
            }
            guard let last = heads.last, last.size >= head.size else {
                throw CheckpointError(
                    .rollback(knownLeaves: head.size, leaves: heads.last?.size ?? 0))
            }
            heads.append(head)
            report.isComparedOutside = true
            return nil
        } catch {
            return error
        }
    }

    // MARK: - The comparison

    private mutating func compareBlocks(_ evidence: LogEvidence) throws(EventLogError) {
        guard let secret = evidence.secret else { return }
        let salts = SectionSalts(secret: secret)
        var failure: EventLogError?
        do throws(EventLogError) {
            try log.forEachSealedBlock { ordinal, block, sealed in
                guard ordinal < evidence.leafCount else { return false }
                failure = sealed.mismatch(with: block, ordinal: ordinal, salts)
                guard failure == nil else { return false }
                failure = take(sealed, block)
                return failure == nil
            }
        } catch {
            guard error.code == .damaged else { throw error }
            failure = error
        }
        if let failure { throw failure }
    }

    /// Adds a leaf, and compares the root where a checkpoint tells it.
    private mutating func take(_ sealed: SealedBlock, _ block: Span<UInt8>) -> EventLogError? {
        tree.append(sealed.leaf)
        next = sealed.position + UInt64(BlockReader.count(of: block))
        var isSigned = false
        for head in heads where head.size == tree.size {
            guard head.root == tree.root else {
                return damaged(
                    at: unsigned,
                    "the first \(head.size) blocks are not those that were signed")
            }
            isSigned = true
        }
        if isSigned {
            unsigned = next
            report.signedEvents = next
            report.checkpoints += 1
        }
        return nil
    }

    private func damaged(at position: Position, _ detail: String) -> EventLogError {
        EventLogError(.damaged, position: position, detail: detail)
    }
}
