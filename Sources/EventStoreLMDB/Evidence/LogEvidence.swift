internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// What a store says of its evidence, in one view.
struct LogEvidence {
    static let secretName = "secret"
    static let keyName = "vkey"

    /// What salts are made of; nil if the log was never sealed.
    let secret: [UInt8]?
    /// The public key that signs the log; nil if it was never sealed.
    let vkey: String?
    /// The number of leaves.
    let leafCount: UInt64
    /// The last signed checkpoint, unread.
    let lastCheckpoint: (size: UInt64, text: String)?

    init(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        secret = try transaction.row(Self.secretName, of: environment)
        vkey = try transaction.row(Self.keyName, of: environment)
            .map { String(decoding: $0, as: UTF8.self) }
        leafCount = try transaction.lastLeaf(of: environment).map { $0.ordinal + 1 } ?? 0
        lastCheckpoint = try transaction.lastRow(.checkpoint, of: environment)
            .map { ($0.number, String(decoding: $0.value, as: UTF8.self)) }
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
                throw EventLogError(.damaged, detail: "its secret is of impossible length")
            }
            let named = try reading.row(LogEvidence.keyName, of: environment)
            return named == Array(vkey.utf8) ? secret : nil
        }
        // Leaves were made with a secret: with another one they would never again be their blocks'.
        guard try reading.lastLeaf(of: environment) == nil else {
            throw EventLogError(.damaged, detail: "its secret is missing")
        }
        try put(made.span, at: Array(LogEvidence.secretName.utf8), in: environment.meta)
        try put(vkey, at: Array(LogEvidence.keyName.utf8), environment)
        return made
    }

    /// Forgets what vouches for the log, which continues as another one: its blocks are sealed,
    /// with another secret and another key.
    ///
    /// - Throws: `LMDBError`.
    mutating func forgetEvidence(_ environment: Environment) throws {
        var keys = [LogEvidence.secretName, LogEvidence.keyName].map { Array($0.utf8) }
        for name in [NumberedKey.leaf, .checkpoint] {
            try reading.forEachRow(name, of: environment) { number, _ in
                keys.append(name.key(number))
                return true
            }
        }
        for key in keys { try delete(key, in: environment.meta) }
    }

    mutating func put(
        _ text: String, at key: [UInt8], _ environment: Environment
    ) throws(LMDBError) {
        try put(Array(text.utf8).span, at: key, in: environment.meta)
    }
}

extension SealedBlock {
    /// What is wrong with a block whose leaf this should be; nil if nothing is.
    func mismatch(
        with block: Span<UInt8>, ordinal: UInt64, _ salts: SectionSalts
    ) -> EventLogError? {
        do throws(DamagedBlock) {
            let leaf = try LeafData(of: block, ordinal: ordinal, salts: salts)
            guard leaf.hash != self.leaf else { return nil }
            return EventLogError(
                .damaged, position: position, detail: "block \(ordinal) is not as it was sealed")
        } catch {
            return EventLogError(DamagedBlock(error.code, position: position))
        }
    }
}

// MARK: - Walks

extension LMDBEventLog {
    /// How many leaves are read in one view.
    private static let leafPortion: UInt64 = 4_096

    /// Hands the leaves on, in order, out of short views.
    ///
    /// - Parameters:
    ///   - start: The number of the first.
    ///   - body: Called with the number, the position of the block, and the leaf; false ends it.
    /// - Throws: ``EventLogError`` `damaged` if a row is malformed or missing.
    func forEachLeaf(
        from start: UInt64 = 0, _ body: (UInt64, Position, TreeHash) -> Bool
    ) throws(EventLogError) {
        var next = start
        var goesOn = true
        while goesOn {
            let first = next
            try store.read { transaction, environment in
                try transaction.forEachRow(.leaf, from: first, of: environment) { number, row in
                    guard number == next, let block = SealedBlock(row) else {
                        throw EventLogError.damagedLeaf(next)
                    }
                    next += 1
                    goesOn = body(number, block.position, block.leaf)
                    return goesOn && next < first + Self.leafPortion
                }
            }
            if next == first { return }
        }
    }

    /// The tree of the first leaves, as many as there are.
    ///
    /// - Throws: ``EventLogError`` `damaged` if a row is malformed or missing.
    func tree(ofFirst count: UInt64) throws(EventLogError) -> MerkleTree {
        var tree = MerkleTree()
        try forEachLeaf { _, _, leaf in
            guard tree.size < count else { return false }
            tree.append(leaf)
            return true
        }
        return tree
    }
}
