internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Gives blocks their leaves: from then on the block is never extended.
struct Sealing {
    /// A transaction seals no more blocks than this: a few milliseconds' work.
    static let blockLimit = 1_024

    let salts: SectionSalts

    /// Seals the blocks that have no leaf yet, the last one too, however full it is.
    ///
    /// Each is read whole first: what cannot be read is not vouched for.
    ///
    /// - Returns: Whether that is all blocks.
    /// - Throws: ``EventLogError`` `damaged` with the position.
    func sealBlocks(
        _ transaction: inout WriteTransaction, _ environment: Environment
    ) throws -> Bool {
        try transaction.nameLeavesByPosition(environment)
        let last = try transaction.reading.lastLeaf(of: environment)
        let (leaves, isComplete) = try leaves(after: last, transaction.reading, environment)
        for leaf in leaves { try transaction.put(leaf, environment) }
        return isComplete
    }

    /// The leaves of blocks that read whole.
    private func leaves(
        after last: SealedBlock?, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws -> ([SealedBlock], isComplete: Bool) {
        try transaction.withCursor(in: environment.log) { cursor in
            var leaves: [SealedBlock] = []
            var last = last
            var hasEntry = try cursor.move(toOrAfter: RecordKey(last.map { $0.position + 1 } ?? 0))
            while hasEntry, leaves.count < Self.blockLimit {
                let ordinal = last.map { $0.ordinal + 1 } ?? 0
                let leaf = try cursor.withEntry { try seal($0, $1, ordinal) }
                assert(last.map { $0.position < leaf.position } ?? true, "Positions ascend.")
                leaves.append(leaf)
                last = leaf
                cursor.releaseValue()
                hasEntry = try cursor.moveToNext()
            }
            return (leaves, !hasEntry)
        }
    }

    private func seal(
        _ key: Span<UInt8>, _ block: Span<UInt8>, _ ordinal: UInt64
    ) throws(EventLogError) -> SealedBlock {
        let first = try verifyBlock(block, at: key).first
        return try readBlock(at: first) { () throws(DamagedBlock) in
            let leaf = try LeafData(of: block, ordinal: ordinal, salts: salts).hash
            return SealedBlock(position: first, ordinal: ordinal, leaf: leaf)
        }
    }
}
