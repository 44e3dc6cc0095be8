internal import EventStore
internal import Events
internal import LMDB

/// Blocks of a log with what vouches for them, copied out of one view: what a thread verifies at a
/// time.
struct SealedPortion {
    /// Which portion of the log it is, from 0.
    fileprivate(set) var number = 0
    /// The number of its first block, from 0.
    fileprivate(set) var ordinal: UInt64 = 0
    /// The blocks.
    fileprivate(set) var blocks = BlockPortion(size: BlockPortion.limit)
    /// The leaves of the first blocks, up to one that is missing or not as written.
    fileprivate(set) var leaves: [SealedBlock] = []
    /// The signed checkpoints over the blocks up to one of these, in order of size, unread.
    fileprivate(set) var notes: [(size: UInt64, note: [UInt8])] = []
    /// Why it could not be read.
    fileprivate(set) var failure: EventLogError?
}

/// Gives out the blocks of a log in portions, in order.
struct PortionSource {
    private let log: LMDBEventLog
    /// The number of leaves that are looked at.
    private let leafCount: UInt64
    /// Where the next portion begins; nil after the last one.
    private var next: RecordKey? = RecordKey(0)
    private var number = 0
    private var ordinal: UInt64 = 0

    /// Begins with the first block of a log.
    init(_ log: LMDBEventLog, leafCount: UInt64) {
        self.log = log
        self.leafCount = leafCount
    }

    /// Gives out nothing more.
    mutating func end() {
        next = nil
    }

    /// Puts the next blocks in place of those that a portion has.
    ///
    /// - Returns: Whether there were any, or a failure in their place.
    mutating func fill(_ portion: inout SealedPortion) -> Bool {
        guard let key = next else { return false }
        next = nil
        portion.number = number
        portion.ordinal = ordinal
        portion.leaves = []
        portion.notes.removeAll(keepingCapacity: true)
        number += 1
        do throws(EventLogError) {
            next = try log.store.read { transaction, environment in
                let next = try portion.blocks.fill(from: key, transaction, environment)
                try readEvidence(into: &portion, transaction, environment)
                return next
            }
        } catch {
            portion.blocks.removeAll()
            portion.failure = error
        }
        ordinal += UInt64(portion.blocks.count)
        return true
    }

    /// Takes the leaves of a portion's blocks, and the checkpoints that end with one of them.
    private func readEvidence(
        into portion: inout SealedPortion, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws {
        let end = min(ordinal + UInt64(portion.blocks.count), leafCount)
        guard ordinal < end else { return }
        portion.leaves = try transaction.leaves(ordinal..<end, of: environment)
        let first = ordinal == 0 ? 0 : ordinal + 1
        try transaction.forEachRow(.checkpoint, from: first, of: environment) { size, note in
            guard size <= end else { return false }
            portion.notes.append((size, [UInt8](copying: note)))
            return size < end
        }
    }
}
