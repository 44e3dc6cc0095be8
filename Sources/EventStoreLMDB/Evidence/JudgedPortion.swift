internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// What can be said of a block without those before it.
struct JudgedBlock {
    /// Where it stands; nil if its key is none.
    let key: Position?
    let byteCount: Int
    /// The number of its events, as its header says.
    let eventCount: Int
    /// What its heads say, if its checksum is good and its events, where asked for, can be read.
    let heads: Result<BlockHeads, EventLogError>
    /// Its leaf, computed; nil if it is not sealed.
    let leaf: Result<TreeHash, DamagedBlock>?
}

/// What can be said of a portion without those before it.
struct JudgedPortion {
    let number: Int
    let blocks: [JudgedBlock]
    /// The leaves of the first blocks, as the store has them.
    let leaves: [SealedBlock]
    /// The checkpoints that end with one of the blocks; nil where the key has signed no such one.
    let checkpoints: [(size: UInt64, head: Checkpoint?)]
    /// Why the portion could not be read.
    let failure: EventLogError?
}

/// What portions are judged by; the same for all of a log.
struct PortionJudge {
    /// Makes the salts of the leaves; nil if nothing is sealed.
    var salts: SectionSalts?
    /// The key that signs the log.
    var verifier: NoteVerifier?
    /// The number of leaves.
    var leafCount: UInt64 = 0
    /// The number of the first block whose events are read: what was sealed by our own key was
    /// read whole before, and is the same.
    var firstRead: UInt64 = 0

    /// Judges a portion.
    func judge(_ portion: borrowing SealedPortion) -> JudgedPortion {
        var blocks: [JudgedBlock] = []
        blocks.reserveCapacity(portion.blocks.count)
        var ordinal = portion.ordinal
        _ = portion.blocks.forEach { key, block in
            blocks.append(judge(block, at: key, ordinal))
            ordinal += 1
            return true
        }
        return JudgedPortion(
            number: portion.number, blocks: blocks, leaves: portion.leaves,
            checkpoints: portion.notes.map { ($0.size, head(of: $0.note, size: $0.size)) },
            failure: portion.failure)
    }

    private func judge(
        _ block: Span<UInt8>, at key: Span<UInt8>, _ ordinal: UInt64
    ) -> JudgedBlock {
        let heads: Result<BlockHeads, EventLogError>
        do throws(EventLogError) {
            heads = .success(try verifyBlock(block, at: key, isRead: ordinal >= firstRead))
        } catch {
            heads = .failure(error)
        }
        return JudgedBlock(
            key: RecordKey(key)?.number, byteCount: block.count,
            eventCount: BlockReader.count(of: block), heads: heads, leaf: leaf(of: block, ordinal))
    }

    private func leaf(
        of block: Span<UInt8>, _ ordinal: UInt64
    ) -> Result<TreeHash, DamagedBlock>? {
        guard let salts, ordinal < leafCount else { return nil }
        do throws(DamagedBlock) {
            return .success(try LeafData(of: block, ordinal: ordinal, salts: salts).hash)
        } catch {
            return .failure(error)
        }
    }

    /// The checkpoint that a row of the store holds; nil if the key has signed none of that size.
    func head(of note: [UInt8], size: UInt64) -> Checkpoint? {
        guard let verifier,
            let note = String(validating: note, as: UTF8.self).flatMap({ SignedNote($0) }),
            let head = Checkpoint(note, signedBy: verifier), head.size == size
        else { return nil }
        return head
    }
}
