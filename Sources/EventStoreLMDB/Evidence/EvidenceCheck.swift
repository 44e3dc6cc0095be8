internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Holds a log against its tree, its checkpoints and what is kept of it outside.
///
/// Leaves are computed again from the blocks, roots from the leaves; each checkpoint must have the
/// root of its size and the signature of the log's key. What can be told of a block by itself is in
/// a ``JudgedPortion``; here it is put in order.
struct EvidenceCheck {
    private let log: LMDBEventLog
    private(set) var report = EvidenceReport()
    /// The first thing that is wrong with the blocks.
    private(set) var failure: EventLogError?
    /// What the blocks are judged by.
    private(set) var judge = PortionJudge()
    private var tree = MerkleTree()
    /// The position after the last sealed block that was compared.
    private var next: Position = 0
    /// Where the blocks begin that no good checkpoint vouches for.
    private var unsigned: Position = 0
    /// What is wrong with the first bad checkpoint; those after it still count.
    private var badCheckpoint: String?
    /// What is wrong with the row that names the key.
    private var badKey: String?
    /// What cannot be used of what is kept outside.
    private var badFolder: CheckpointError?
    /// In what the store and what is kept outside differ.
    private var difference: (any CustomStringConvertible & Sendable)?
    /// The roots that were signed as far as is known outside, by their sizes.
    private var knownRoots: [UInt64: TreeHash] = [:]
    /// Where the blocks begin that no checkpoint vouches for which is known here and outside.
    private var disputed: Position = 0
    /// The last checkpoint that is kept outside.
    private var outsideHead: Checkpoint?
    /// Whether the failure is that a block is not its leaf's.
    private var isBlockBad = false
    /// Whether there is a key, and nothing that it has signed.
    private var areSignaturesGone = false
    /// The first checkpoint over more blocks than are sealed; its head is nil if it is bad.
    private var beyond: (size: UInt64, head: Checkpoint?)?

    init(_ log: LMDBEventLog) {
        self.log = log
    }

    /// Reads what the log is held against, but for the leaves and the checkpoints over them.
    ///
    /// - Parameter folder: What is kept of the log outside of its store; nil not to look there.
    /// - Throws: ``EventLogError`` `damaged` with the first bad position.
    mutating func begin(_ folder: CheckpointFolder?) throws(EventLogError) {
        // What is outside is read first, then the store in one view: meanwhile others may seal.
        let outside = folder.map { Self.read($0) }
        var row: (size: UInt64, note: [UInt8])?
        let evidence = try log.store.read { transaction, environment in
            try Self.refuseUnknownRows(transaction, environment)
            let evidence = try LogEvidence(transaction, environment)
            try transaction.forEachRow(
                .checkpoint, from: evidence.leafCount == 0 ? 0 : evidence.leafCount + 1,
                of: environment
            ) { size, note in
                row = (size, [UInt8](copying: note))
                return false
            }
            return evidence
        }
        var own: NoteVerifier?
        if case .success(let outside) = outside { own = outside.key }
        try readKey(evidence, own)
        judge.leafCount = evidence.leafCount
        beyond = row.map { ($0.size, judge.head(of: $0.note, size: $0.size)) }
        let last = evidence.lastCheckpoint.flatMap {
            judge.head(of: Array($0.text.utf8), size: $0.size)
        }
        switch outside {
        case .success(let outside):
            if let folder { compare(outside, in: folder, last) }
            let hasKey = evidence.vkey != nil || outside.key != nil
            if hasKey, evidence.lastCheckpoint == nil, outside.kept.last == nil {
                areSignaturesGone = Self.hasSigned(outside.kept.earlier, folder)
            }
        case .failure(let error): badFolder = error
        case nil: break
        }
        if report.isComparedOutside { judge.firstRead = last?.size ?? 0 }
    }

    /// Whether the events of some blocks are not read, because our own key vouches for them.
    var trustsBlocks: Bool { judge.firstRead > 0 }

    /// Whether nothing more is to be learned from the blocks.
    var isOver: Bool { failure != nil || tree.size == judge.leafCount }

    /// Says what is wrong, once all blocks are compared.
    ///
    /// - Throws: ``EventLogError`` `damaged` with the first bad position.
    mutating func end() throws(EventLogError) {
        if let beyond, beyond.head == nil { take(checkpointOver: beyond.size, nil) }
        if badCheckpoint != nil { report.isComparedOutside = false }
        if let failure {
            guard isBlockBad, try !areLeavesSigned() else { throw failure }
            throw damaged(at: max(unsigned, disputed), failure.detail)
        }
        guard tree.size == judge.leafCount else {
            throw damaged(
                at: next, "\(judge.leafCount) blocks have leaves, \(tree.size) were read")
        }
        if let badCheckpoint { throw damaged(at: max(unsigned, disputed), badCheckpoint) }
        if let badKey { throw damaged(at: max(unsigned, disputed), badKey) }
        if let beyond {
            throw damaged(
                at: unsigned,
                "a checkpoint over \(beyond.size) blocks was signed, and \(tree.size) are sealed: "
                    + "the store is an older state of its log, or was cut off")
        }
        if let difference { throw damaged(at: disputed, difference.description) }
        if areSignaturesGone {
            throw damaged(at: 0, "it was signed once, and the signatures are gone")
        }
        // Nothing is said of the events by a file that cannot be read.
        if let badFolder { throw EventLogError(.damaged, detail: badFolder.description) }
        report.sealedBlocks = tree.size
    }

    // MARK: - What is there

    /// A row that nobody wrote may be one whose name was changed.
    private static func refuseUnknownRows(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        let names = LogIdentity.names + [LogEvidence.secretName, LogEvidence.keyName]
        let known = Set(names.map { Array($0.utf8) })
        try transaction.withCursor(in: environment.meta) { cursor in
            while try cursor.moveToNext() {
                let isKnown = cursor.withEntry { key, _ in
                    NumberedKey.leaf.number(of: key) != nil
                        || NumberedKey.checkpoint.number(of: key) != nil
                        || known.contains([UInt8](copying: key))
                }
                guard isKnown else {
                    let detail = "its table meta has a row that no version known here writes"
                    throw EventLogError(.damaged, position: 0, detail: detail)
                }
            }
        }
    }

    private mutating func readKey(
        _ evidence: LogEvidence, _ own: NoteVerifier?
    ) throws(EventLogError) {
        guard
            evidence.leafCount > 0 || evidence.lastCheckpoint != nil || evidence.secret != nil
                || evidence.vkey != nil
        else { return }
        let named = evidence.vkey.flatMap { NoteVerifier(vkey: $0) }
        let verifier = named?.name == log.origin ? named : nil
        if verifier == nil { badKey = "the key that it names is malformed" }
        guard let verifier = verifier ?? (own?.name == log.origin ? own : nil) else {
            throw damaged(at: 0, badKey ?? "")
        }
        guard evidence.secret?.count == SectionSalts.secretBytes else {
            throw damaged(at: 0, "its secret is missing or of impossible length")
        }
        judge.verifier = verifier
        judge.salts = evidence.secret.map { SectionSalts(secret: $0) }
        report.vkey = verifier.vkey
    }

    /// What is kept of a log outside of its store.
    private typealias Outside = (key: NoteVerifier?, kept: CheckpointFolder.KeptCheckpoints)

    private static func read(_ folder: CheckpointFolder) -> Result<Outside, CheckpointError> {
        do throws(CheckpointError) {
            let kept = try folder.keptCheckpoints()
            return .success((try folder.signer()?.verifier, kept))
        } catch {
            return .failure(error)
        }
    }

    /// Whether a key without a checkpoint has signed, as far as the list of checkpoints shows.
    ///
    /// Beside one that has not signed yet stands an empty list: if there was none when the key was
    /// read, another process may have made both since.
    private static func hasSigned(_ earlier: [SignedNote]?, _ folder: CheckpointFolder?) -> Bool {
        if let earlier { return !earlier.isEmpty }
        do throws(CheckpointError) {
            return try folder?.checkpoints() == nil
        } catch {
            return true
        }
    }

    /// Holds what is kept outside against the store.
    ///
    /// - Parameters:
    ///   - outside: What is kept.
    ///   - folder: Where.
    ///   - stored: The last checkpoint in the store, if it is good.
    private mutating func compare(
        _ outside: Outside, in folder: CheckpointFolder, _ stored: Checkpoint?
    ) {
        // A store of before its first checkpoint names no key.
        let verifier = outside.key ?? judge.verifier
        let heads = outside.kept.heads(signedBy: verifier)
        for head in heads {
            if let root = knownRoots.updateValue(head.root, forKey: head.size), root != head.root {
                difference = CheckpointError(.fork(knownLeaves: head.size))
            }
        }
        guard judge.verifier == nil || verifier == judge.verifier else {
            difference = CheckpointError(
                .keyUnusable, detail: "\(folder.path)/key is not the key of this log")
            return
        }
        if let last = outside.kept.last, verifier.flatMap({ Checkpoint(last, signedBy: $0) }) == nil
        {
            difference = CheckpointError(
                .folder, detail: "\(folder.path)/checkpoint is not signed by this log's key")
        }
        guard let head = heads.max(by: { $0.size < $1.size }) else { return }
        // Of a row that is bad what was known outside may still vouch for the blocks.
        outsideHead = head
        guard let stored, stored.size >= head.size else {
            if judge.leafCount < head.size {
                difference = CheckpointError(
                    .rollback(knownLeaves: head.size, leaves: judge.leafCount))
            } else {
                difference =
                    "a checkpoint over \(head.size) blocks was signed, and is missing from "
                    + "the store"
            }
            return
        }
        report.isComparedOutside = difference == nil
    }

    // MARK: - The comparison

    /// Compares the blocks that come next, and the checkpoints over them.
    mutating func take(_ portion: JudgedPortion) {
        var checkpoints = portion.checkpoints[...]
        for (index, block) in portion.blocks.enumerated() {
            guard !isOver else { return }
            let leaf = index < portion.leaves.count ? portion.leaves[index] : nil
            guard compare(block, with: leaf) else { return }
            while let checkpoint = checkpoints.first, checkpoint.size <= tree.size {
                take(checkpointOver: checkpoint.size, checkpoint.head)
                checkpoints.removeFirst()
            }
            guard isKnown(tree.root) else { return }
            if let outsideHead, outsideHead.size == tree.size { sign(with: outsideHead) }
        }
    }

    /// Whether a root is the one that is known outside, if one of its size is.
    private mutating func isKnown(_ root: TreeHash) -> Bool {
        guard let known = knownRoots[tree.size] else { return true }
        guard known == root else {
            failure = failure ?? differing(tree.size, from: disputed)
            return false
        }
        disputed = next
        return true
    }

    /// Whether the leaves around a bad block are those that were signed next, here or outside, so
    /// that those before it are vouched for; true as well if no later checkpoint is known.
    private func areLeavesSigned() throws(EventLogError) -> Bool {
        var signed: [(size: UInt64, root: TreeHash)] = []
        if let next = knownRoots.filter({ $0.key > tree.size }).min(by: { $0.key < $1.key }) {
            signed.append((next.key, next.value))
        }
        try log.store.read { transaction, environment in
            try transaction.forEachRow(.checkpoint, from: tree.size + 1, of: environment) {
                size, note in
                let head = judge.head(of: [UInt8](copying: note), size: size)
                if let head { signed.append((size, head.root)) }
                return head == nil
            }
        }
        do throws(EventLogError) {
            // The two may be by different keys: then neither vouches for what the other does not.
            for (size, root) in signed {
                let leaves = try log.tree(ofFirst: size)
                guard leaves.size < size || leaves.root == root else { return false }
            }
            return true
        } catch {
            guard error.code == .damaged else { throw error }
            return true  // Of a row that is none nothing follows.
        }
    }

    private func differing(_ size: UInt64, from position: Position) -> EventLogError {
        damaged(at: position, "the first \(size) blocks are not those that were signed")
    }

    /// Adds the next leaf.
    ///
    /// - Returns: Whether it is that of its block.
    private mutating func compare(_ block: JudgedBlock, with leaf: SealedBlock?) -> Bool {
        guard let leaf, leaf.position == next, block.key == next, let computed = block.leaf else {
            failure = .leafMismatch(next)
            isBlockBad = true
            return false
        }
        switch computed {
        case .success(leaf.leaf):
            tree.append(leaf.leaf)
            next += UInt64(block.eventCount)
            return true
        case .success:
            failure = damaged(at: next, "block \(tree.size) is not as it was sealed")
        case .failure(let error):
            failure = EventLogError(DamagedBlock(error.code, position: next))
        }
        isBlockBad = true
        return false
    }

    private mutating func take(checkpointOver size: UInt64, _ head: Checkpoint?) {
        guard let head else {
            badCheckpoint =
                badCheckpoint ?? "the checkpoint over \(size) blocks is not as it was signed"
            return
        }
        if size == tree.size { sign(with: head) }
    }

    /// Compares the root with one that was signed.
    private mutating func sign(with head: Checkpoint) {
        guard head.root == tree.root else {
            failure = failure ?? differing(head.size, from: unsigned)
            return
        }
        // The same may be known twice, in the store and outside.
        if report.signedEvents < next { report.checkpoints += 1 }
        unsigned = next
        report.signedEvents = next
    }

    private func damaged(at position: Position, _ detail: String) -> EventLogError {
        EventLogError(.damaged, position: position, detail: detail)
    }
}
