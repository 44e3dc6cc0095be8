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
        let last = try transaction.reading.lastLeaf(of: environment)
        if let last, last.block.position >= SealedBlock.limit {
            throw EventLogError.damagedLeaf(last.ordinal)
        }
        let first = last.map { $0.ordinal + 1 } ?? 0
        let (blocks, isComplete) = try unsealedBlocks(
            after: last?.block.position, from: first, transaction.reading, environment)
        for (index, block) in blocks.enumerated() {
            try transaction.put(
                block.bytes.span, at: NumberedKey.leaf.key(first + UInt64(index)),
                in: environment.meta, .insert)
        }
        return isComplete
    }

    private func unsealedBlocks(
        after sealed: Position?, from ordinal: UInt64, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws -> ([SealedBlock], isComplete: Bool) {
        try transaction.withCursor(in: environment.log) { cursor in
            var blocks: [SealedBlock] = []
            var hasEntry = try cursor.move(toOrAfter: RecordKey(sealed.map { $0 + 1 } ?? 0))
            while hasEntry, blocks.count < Self.blockLimit {
                let ordinal = ordinal + UInt64(blocks.count)
                blocks.append(try cursor.withEntry { try seal($0, $1, ordinal) })
                cursor.releaseValue()
                hasEntry = try cursor.moveToNext()
            }
            return (blocks, !hasEntry)
        }
    }

    /// The leaf of a block that reads whole.
    private func seal(
        _ key: Span<UInt8>, _ block: Span<UInt8>, _ ordinal: UInt64
    ) throws(EventLogError) -> SealedBlock {
        let first = try verifyBlock(block, at: key).first
        let leaf = try readBlock(at: first) { () throws(DamagedBlock) in
            try LeafData(of: block, ordinal: ordinal, salts: salts)
        }
        return SealedBlock(position: first, leaf: leaf.hash)
    }
}
