internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// What a store says of its evidence, in one view.
struct LogEvidence {
    static let secretName = "secret"
    static let keyName = "vkey"
    static let frontierName = "frontier"

    /// What salts are made of; nil if the log was never sealed.
    let secret: [UInt8]?
    /// The public key that signs the log; nil if it was never sealed.
    let vkey: String?
    /// The number of leaves.
    let leafCount: UInt64
    /// The last signed checkpoint, unread.
    let lastCheckpoint: (size: UInt64, note: [UInt8])?
    /// The tree that this checkpoint signs; nil if there is none, or it is not as written.
    let frontier: MerkleTree?
    private let format: StoreFormat

    init(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        secret = try transaction.row(Self.secretName, of: environment)
        vkey = try transaction.row(Self.keyName, of: environment)
            .map { String(decoding: $0, as: UTF8.self) }
        leafCount = try transaction.lastLeaf(of: environment).map { $0.ordinal + 1 } ?? 0
        lastCheckpoint = try transaction.lastRow(.checkpoint, of: environment) {
            ($0, [UInt8](copying: $1))
        }
        frontier = try transaction.row(Self.frontierName, of: environment)
            .flatMap { MerkleTree(bytes: $0) }
        format = try StoreFormat(reading: transaction, of: environment)
    }

    /// The last checkpoint of the store; nil if there is none, or a key has not signed it.
    func head(signedBy verifier: NoteVerifier?) -> Checkpoint? {
        lastCheckpoint.flatMap { Checkpoint($0.note, over: $0.size, signedBy: verifier) }
    }

    /// What is wrong with the frontier; nil if nothing is, or the last checkpoint is not as it was
    /// signed, which is another matter.
    func frontierFault(_ verifier: NoteVerifier?) -> String? {
        let head = head(signedBy: verifier)
        guard format == .leavesByPosition, (head == nil) == (lastCheckpoint == nil),
            frontier?.size != head?.size || frontier?.root != head?.root
        else { return nil }
        return "the frontier of its tree is not the one that its last checkpoint signs"
    }
}

extension Checkpoint {
    /// The checkpoint that a row of a store holds; nil if a key has signed none of that size.
    init?(_ row: [UInt8], over size: UInt64, signedBy verifier: NoteVerifier?) {
        guard let verifier,
            let note = String(validating: row, as: UTF8.self).flatMap({ SignedNote($0) })
        else { return nil }
        self.init(note, signedBy: verifier)
        guard self.size == size else { return nil }
    }
}

extension SectionSalts {
    /// Makes the salts of a store whose blocks are sealed.
    ///
    /// - Parameters:
    ///   - secret: Its row.
    ///   - position: Whose block is to be compared.
    /// - Throws: ``EventLogError`` `damaged` if it is not as written.
    init(secret: [UInt8]?, at position: Position) throws(EventLogError) {
        guard let secret, secret.count == Self.secretBytes else {
            throw .damaged("its secret is missing or of impossible length", at: position)
        }
        self.init(secret: secret)
    }
}

extension WriteTransaction {
    /// The secret of the store; made, with the key that signs it, if there is none.
    ///
    /// - Returns: The secret; nil if the store names another key, as when two that know of
    ///   different folders make its first checkpoint at the same time.
    mutating func secret(
        or made: [UInt8], _ vkey: String, _ environment: Environment
    ) throws -> [UInt8]? {
        if let secret = try reading.row(LogEvidence.secretName, of: environment) {
            guard secret.count == SectionSalts.secretBytes else {
                throw EventLogError.damaged("its secret is of impossible length")
            }
            let named = try reading.row(LogEvidence.keyName, of: environment)
            return named == Array(vkey.utf8) ? secret : nil
        }
        // Leaves were made with a secret: with another one they would never again be their blocks'.
        guard try reading.lastLeaf(of: environment) == nil else {
            throw EventLogError.damaged("its secret is missing")
        }
        try put(made, at: LogEvidence.secretName, environment)
        try put(Array(vkey.utf8), at: LogEvidence.keyName, environment)
        return made
    }

    /// Names the leaves by the positions of their blocks, where they are named by their numbers.
    ///
    /// - Throws: ``EventLogError`` `damaged` if one is missing or not as written; `LMDBError`.
    mutating func nameLeavesByPosition(_ environment: Environment) throws {
        guard try StoreFormat(reading: reading, of: environment) == .leavesByNumber else { return }
        let size = try reading.lastRow(.checkpoint, of: environment) { size, _ in size } ?? 0
        var (leaves, frontier) = ([SealedBlock](), MerkleTree())
        let fault = try reading.forEachLeaf(number: 0, of: environment) { leaf in
            leaves.append(leaf)
            if frontier.size < size { frontier.append(leaf.leaf) }
            return true
        }
        if let fault { throw fault }
        assert(frontier.size == min(size, UInt64(leaves.count)), "A frontier of other leaves.")
        for leaf in leaves { try delete(NumberedKey.leaf.key(leaf.ordinal), in: environment.meta) }
        for leaf in leaves { try put(leaf, environment) }
        if size > 0 { try put(frontier.bytes, at: LogEvidence.frontierName, environment) }
        try StoreFormat.leavesByPosition.write(to: &self, of: environment)
    }

    /// Writes a leaf that nobody has written.
    mutating func put(_ leaf: SealedBlock, _ environment: Environment) throws(LMDBError) {
        let value = NumberedKey.bytes(of: leaf.ordinal) + leaf.leaf.bytes
        let key = NumberedKey.leaf.key(leaf.position)
        try put(value.span, at: key, in: environment.meta, .insert)
    }

    /// Keeps a checkpoint, and the tree that it signs, unless a later one is there.
    mutating func keep(
        _ note: SignedNote, of tree: MerkleTree, _ environment: Environment
    ) throws {
        let key = NumberedKey.checkpoint.key(tree.size)
        try put(Array(note.content.utf8).span, at: key, in: environment.meta)
        let last = try reading.lastRow(.checkpoint, of: environment) { size, _ in size }
        guard last == tree.size else { return }
        try put(tree.bytes, at: LogEvidence.frontierName, environment)
    }

    private mutating func put(
        _ value: [UInt8], at name: String, _ environment: Environment
    ) throws(LMDBError) {
        try put(value.span, at: Array(name.utf8), in: environment.meta)
    }
}

// MARK: - Walks

extension LMDBEventLog {
    /// Hands the leaves on, in order, out of one view: a million takes a tenth of a second.
    ///
    /// - Parameters:
    ///   - last: The one before the first; nil to begin with the first of all.
    ///   - body: Called with the leaf; false ends it.
    /// - Throws: ``EventLogError`` `damaged` if a row is malformed or missing.
    func forEachLeaf(
        after last: SealedBlock? = nil, _ body: (SealedBlock) -> Bool
    ) throws(EventLogError) {
        let (start, number) = last.map { ($0.position + 1, $0.ordinal + 1) } ?? (0, 0)
        let fault = try store.read { transaction, environment in
            try transaction.forEachLeaf(from: start, number: number, of: environment, body)
        }
        if let fault { throw fault }
    }

    /// The tree of the first leaves, as many as there are.
    ///
    /// - Throws: ``EventLogError`` `damaged` if a row is malformed or missing.
    func tree(ofFirst count: UInt64) throws(EventLogError) -> MerkleTree {
        var tree = MerkleTree()
        guard count > 0 else { return tree }
        try forEachLeaf { leaf in
            tree.append(leaf.leaf)
            return tree.size < count
        }
        return tree
    }
}
