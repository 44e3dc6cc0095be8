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
    ) throws(StoreFailure) -> Bool {
        let last = try transaction.reading.lastLeaf(of: environment)
        if let last, last.block.position >= SealedBlock.limit { throw .damagedLeaf(last.ordinal) }
        let first = last.map { $0.ordinal + 1 } ?? 0
        let (blocks, isComplete) = try unsealedBlocks(
            after: last?.block.position, from: first, transaction.reading, environment)
        for (index, block) in blocks.enumerated() {
            do throws(LMDBError) {
                try transaction.put(
                    block.bytes.span, at: NumberedKey.leaf.key(first + UInt64(index)),
                    in: environment.meta, .insert)
            } catch {
                throw .environment(error)
            }
        }
        return isComplete
    }

    private func unsealedBlocks(
        after sealed: Position?, from ordinal: UInt64, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws(StoreFailure) -> ([SealedBlock], isComplete: Bool) {
        try transaction.withCursor(in: environment.log) { cursor throws(StoreFailure) in
            var blocks: [SealedBlock] = []
            var failure: EventLogError?
            var stands: Bool
            do throws(LMDBError) {
                stands = try cursor.move(toOrAfter: RecordKey(sealed.map { $0 + 1 } ?? 0))
                while stands, failure == nil, blocks.count < Self.blockLimit {
                    let ordinal = ordinal + UInt64(blocks.count)
                    switch cursor.withEntry({ seal($0, $1, ordinal) }) {
                    case .success(let block): blocks.append(block)
                    case .failure(let error): failure = error
                    }
                    stands = try cursor.moveToNext()
                }
            } catch {
                throw .environment(error)
            }
            if let failure { throw .log(failure) }
            return (blocks, !stands)
        }
    }

    /// The leaf of a block that reads whole.
    private func seal(
        _ key: Span<UInt8>, _ block: Span<UInt8>, _ ordinal: UInt64
    ) -> Result<SealedBlock, EventLogError> {
        do throws(EventLogError) {
            let heads = try verifyBlock(block, at: key)
            do throws(DamagedBlock) {
                let leaf = try LeafData(of: block, ordinal: ordinal, salts: salts)
                return .success(SealedBlock(position: heads.first, leaf: leaf.hash))
            } catch {
                throw EventLogError(DamagedBlock(error.code, position: heads.first))
            }
        } catch {
            return .failure(error)
        }
    }
}
