internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Holds a log against its tree, its checkpoints and what is kept of it outside.
///
/// Leaves are computed again from the blocks, roots from the leaves; each checkpoint must have the
/// root of its size and the signature of the log's key. What can be told of a block by itself is in
/// a ``JudgedBlock``; here it is put in order.
struct EvidenceCheck {
    /// What is wrong with something else than a block, and from where on, which the walk shows; nil
    /// if nothing is said of the events by it.
    private typealias Finding = (detail: String, position: @Sendable (EvidenceCheck) -> Position?)

    private let log: LMDBEventLog
    private(set) var report = EvidenceReport()
    /// The key that signs the log; nil if nothing is sealed.
    private(set) var verifier: NoteVerifier?
    /// The number of the first block whose events are read: what was sealed by our own key was
    /// read whole before, and is the same.
    private(set) var firstRead: UInt64 = 0
    private var leafCount: UInt64 = 0
    private var tree = MerkleTree()
    /// The position after the last sealed block that was compared.
    private var next: Position = 0
    /// Where the blocks begin that no good checkpoint vouches for.
    private var unsigned: Position = 0
    /// Where the blocks begin that no checkpoint vouches for which is known here and outside.
    private var disputed: Position = 0
    /// The first thing that is wrong with the blocks, and whether one of them is not its leaf's: it
    /// ends the comparison.
    private var failure: (error: EventLogError, isOfBlock: Bool)?
    /// What else is wrong, and what is wrong with checkpoints that were met; the first counts.
    private var (findings, badCheckpoints): ([Finding], [Finding]) = ([], [])
    /// The roots that were signed as far as is known outside, by their sizes.
    private var knownRoots: [UInt64: TreeHash] = [:]
    /// The size of the last checkpoint that is kept outside.
    private var outsideSize: UInt64?

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
        var beyond: (size: UInt64, note: [UInt8])?
        var rowCount: UInt64 = 0
        let evidence = try log.store.read { transaction, environment in
            rowCount = try Self.countLeaves(transaction, environment)
            let evidence = try LogEvidence(transaction, environment)
            let least = evidence.leafCount == 0 ? 0 : evidence.leafCount + 1
            try transaction.forEachRow(.checkpoint, from: least, of: environment) { size, note in
                beyond = (size, [UInt8](copying: note))
                return false
            }
            return evidence
        }
        leafCount = evidence.leafCount
        var own: NoteVerifier?
        if case .success(let outside) = outside { own = outside.key }
        try readKey(evidence, own)
        if let beyond {
            let isGood = Checkpoint(beyond.note, over: beyond.size, signedBy: verifier) != nil
            let detail =
                isGood
                ? "a checkpoint over \(beyond.size) blocks was signed, and \(leafCount) are "
                    + "sealed: the store is an older state of its log, or was cut off"
                : Self.notAsSigned(beyond.size)
            findings.append((detail, { isGood ? $0.unsigned : $0.unvouched }))
        }
        let last = evidence.head(signedBy: verifier)
        if case .success(let outside) = outside, let folder {
            if let difference = compare(outside, in: folder, last) {
                findings.append(("\(difference)", { $0.disputed }))
            }
            let hasKey = evidence.vkey != nil || outside.key != nil
            if hasKey, evidence.lastCheckpoint == nil, outside.kept.last == nil,
                Self.hasSigned(outside.kept.earlier, folder)
            {
                findings.append(("it was signed once, and the signatures are gone", { _ in 0 }))
            }
        }
        // What is missing is missed where its block is.
        if rowCount > leafCount {
            findings.append(("a leaf of its tree stands there twice", { $0.unvouched }))
        }
        if let fault = evidence.frontierFault(verifier) {
            findings.append((fault, { $0.unvouched }))
        }
        if case .failure(let error) = outside { findings.append(("\(error)", { _ in nil })) }
        if report.isComparedOutside { firstRead = last?.size ?? 0 }
    }

    /// Whether the events of some blocks are not read, because our own key vouches for them.
    var trustsBlocks: Bool { firstRead > 0 }

    /// Whether nothing more is to be learned from the blocks.
    var isOver: Bool { failure != nil || tree.size == leafCount }

    /// Says what is wrong, once all blocks are compared.
    ///
    /// - Throws: ``EventLogError`` `damaged` with the first bad position.
    mutating func end() throws(EventLogError) {
        if let (error, isOfBlock) = failure {
            guard isOfBlock, try !areLeavesSigned() else { throw error }
            throw .damaged(error.detail, at: unvouched)
        }
        guard tree.size == leafCount else {
            throw .damaged("\(leafCount) blocks have leaves, \(tree.size) were read", at: next)
        }
        if let first = badCheckpoints.first ?? findings.first {
            throw .damaged(first.detail, at: first.position(self))
        }
        report.sealedBlocks = tree.size
    }

    /// Where the blocks begin of which neither is known.
    private var unvouched: Position { max(unsigned, disputed) }

    private static func notAsSigned(_ size: UInt64) -> String {
        "the checkpoint over \(size) blocks is not as it was signed"
    }

    // MARK: - What is there

    /// Counts the rows of leaves; a row that nobody wrote may be one whose name was changed.
    private static func countLeaves(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws -> UInt64 {
        let names =
            LogIdentity.names
            + [LogEvidence.secretName, LogEvidence.keyName, LogEvidence.frontierName]
        let known = Set(names.map { Array($0.utf8) })
        return try transaction.withCursor(in: environment.meta) { cursor in
            var count: UInt64 = 0
            while try cursor.moveToNext() {
                let isKnown = cursor.withEntry { key, _ in
                    let isLeaf = NumberedKey.leaf.number(of: key) != nil
                    if isLeaf { count += 1 }
                    return isLeaf || NumberedKey.checkpoint.number(of: key) != nil
                        || known.contains([UInt8](copying: key))
                }
                guard isKnown else {
                    let detail = "its table meta has a row that no version known here writes"
                    throw EventLogError.damaged(detail, at: 0)
                }
            }
            return count
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
        if let key = [named, own].compactMap(\.self).first(where: { $0.name == log.origin }) {
            verifier = key
        }
        let fault = "the key that it names is malformed"
        guard let verifier else { throw .damaged(fault, at: 0) }
        if verifier != named { findings.append((fault, { $0.unvouched })) }
        _ = try SectionSalts(secret: evidence.secret, at: 0)
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
    /// A key that has not signed yet has an empty list next to it: if there was none when the key
    /// was read, another process may have made both since.
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
    /// - Returns: In what they differ; nil if they do not.
    private mutating func compare(
        _ outside: Outside, in folder: CheckpointFolder, _ stored: Checkpoint?
    ) -> (any CustomStringConvertible)? {
        // A store of before its first checkpoint names no key.
        let own = outside.key ?? verifier
        let heads = outside.kept.heads(signedBy: own)
        var difference: CheckpointError?
        for head in heads {
            if let root = knownRoots.updateValue(head.root, forKey: head.size), root != head.root {
                difference = CheckpointError(.fork(knownLeaves: head.size))
            }
        }
        guard verifier == nil || own == verifier else {
            return CheckpointError(
                .keyUnusable, detail: "\(folder.path)/key is not the key of this log")
        }
        if let last = outside.kept.last, own.flatMap({ Checkpoint(last, signedBy: $0) }) == nil {
            difference = CheckpointError(
                .folder, detail: "\(folder.path)/checkpoint is not signed by this log's key")
        }
        guard let size = heads.map(\.size).max() else { return difference }
        // Of a row that is bad what was known outside may still vouch for the blocks.
        outsideSize = size
        guard let stored, stored.size >= size else {
            if leafCount < size {
                return CheckpointError(.rollback(knownLeaves: size, leaves: leafCount))
            }
            return "a checkpoint over \(size) blocks was signed, and is missing from the store"
        }
        report.isComparedOutside = difference == nil
        return difference
    }

    // MARK: - The comparison

    /// Compares the blocks that come next, and the checkpoints over them.
    ///
    /// - Parameters:
    ///   - blocks: Blocks in order.
    ///   - checkpoints: Those that end with one of them; nil where the key has signed no such one.
    mutating func take(
        _ blocks: [JudgedBlock], _ checkpoints: [(size: UInt64, head: Checkpoint?)]
    ) {
        var checkpoints = checkpoints[...]
        for block in blocks {
            guard !isOver, compare(block) else { return }
            while let (size, head) = checkpoints.first, size <= tree.size {
                checkpoints.removeFirst()
                if head == nil {
                    report.isComparedOutside = false
                    badCheckpoints.append((Self.notAsSigned(size), { $0.unvouched }))
                }
                if let head, size == tree.size { sign(with: head.root) }
            }
            guard let known = knownRoots[tree.size] else { continue }
            guard known == tree.root else { return fail(differing(from: disputed)) }
            disputed = next
            if outsideSize == tree.size { sign(with: known) }
        }
    }

    private mutating func fail(_ error: EventLogError, isOfBlock: Bool = false) {
        failure = failure ?? (error, isOfBlock)
    }

    /// Adds the leaf of the next block.
    ///
    /// - Returns: Whether it is that of its block.
    private mutating func compare(_ block: JudgedBlock) -> Bool {
        guard let leaf = block.leaf, leaf.position == next, leaf.ordinal == tree.size else {
            fail(.leafMismatch(next), isOfBlock: true)
            return false
        }
        if let mismatch = block.mismatch {
            fail(mismatch, isOfBlock: true)
            return false
        }
        tree.append(leaf.leaf)
        next += UInt64(block.eventCount)
        return true
    }

    /// Compares the root with one that was signed.
    private mutating func sign(with root: TreeHash) {
        guard root == tree.root else { return fail(differing(from: unsigned)) }
        // The same may be known twice, in the store and outside.
        if report.signedEvents < next { report.checkpoints += 1 }
        assert(unsigned <= next && disputed <= next, "Positions ascend.")
        unsigned = next
        report.signedEvents = next
    }

    /// Whether the leaves around a bad block are those that were signed next, here or outside, so
    /// that those before it are vouched for; true as well if no later checkpoint is known.
    private func areLeavesSigned() throws(EventLogError) -> Bool {
        let next = knownRoots.filter { $0.key > tree.size }.min { $0.key < $1.key }
        var signed = [next.map { (size: $0.key, root: $0.value) }].compactMap(\.self)
        try log.store.read { transaction, environment in
            try transaction.forEachRow(.checkpoint, from: tree.size + 1, of: environment) {
                size, note in
                let head = Checkpoint([UInt8](copying: note), over: size, signedBy: verifier)
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
            return true  // A row that is not a leaf proves nothing.
        }
    }

    private func differing(from position: Position) -> EventLogError {
        .damaged("the first \(tree.size) blocks are not those that were signed", at: position)
    }
}
