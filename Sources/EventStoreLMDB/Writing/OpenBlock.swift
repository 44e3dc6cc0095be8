internal import EventStore
internal import Events
internal import LMDB

/// The end of the log, to which events are added within write transactions.
///
/// It belongs to the writer thread. The block that is being filled is written again by each
/// transaction until it is full; then it is never touched again.
struct OpenBlock: ~Copyable {
    /// How many portions of a batch become pages that wait in memory: some MiB.
    private static let spilledPortions = 512

    private var builder = BlockBuilder()
    /// Whether the log holds the block, with fewer events perhaps.
    private var isStored = false
    /// Whether the builder may stand at the log's end; false after an abort.
    private var isCurrent = false
    /// Whether events were added since the block was written.
    private var isChanged = false

    /// The position that the next event gets.
    var next: Position { builder.next }

    /// Forgets what an aborted transaction added.
    mutating func invalidate() {
        isCurrent = false
    }

    /// Goes to the end of the log, if another process has appended or a transaction was aborted.
    ///
    /// A block that was sealed meanwhile is no longer extended: the next one begins.
    ///
    /// - Throws: ``EventLogError`` `damaged` or `unrecognized` if the last block cannot be
    ///   read whole, or one that was sealed after it is gone.
    mutating func catchUp(
        with transaction: borrowing ReadTransaction, of environment: Environment
    ) throws {
        try resume(with: transaction, in: environment.log)
        let last = builder.first..<builder.next
        if try transaction.isSealed(lastBlock: last, of: environment) { beginNext() }
    }

    private mutating func resume(
        with transaction: borrowing ReadTransaction, in log: Database
    ) throws {
        let isThere: Void? = try transaction.lastEntry(in: log) { key, block in
            let positions = try checkBlock(block, at: key)
            // A log only grows: the same end is the same log.
            if isCurrent, positions.upperBound == builder.next { return }
            try readBlock(at: positions.lowerBound) { () throws(DamagedBlock) in
                try builder.resume(block)
            }
            isStored = builder.count > 0
        }
        if isThere == nil {
            builder = BlockBuilder()
            isStored = false
        }
        isCurrent = true
        isChanged = false
    }

    /// Leaves the last block of the log as it is; new events go into the next one.
    mutating func beginNext() {
        guard builder.count > 0 else { return }
        builder.startNextBlock()
        isStored = false
    }

    /// Adds events; each block that becomes full is written.
    mutating func add(
        _ batch: EventBatch, to transaction: inout WriteTransaction, in log: Database
    ) throws(LMDBError) {
        guard !batch.isEmpty else { return }
        isChanged = true
        for number in 0..<batch.portionCount {
            let portion = batch.portion(number)
            var index = builder.append(portion, from: 0)
            while index < portion.count {
                try write(to: &transaction, in: log)
                beginNext()
                index = builder.append(portion, from: index)
            }
            if number % Self.spilledPortions == Self.spilledPortions - 1 {
                try transaction.spill()
            }
        }
    }

    /// Writes what was added.
    mutating func store(
        to transaction: inout WriteTransaction, in log: Database
    ) throws(LMDBError) {
        guard isChanged else { return }
        try write(to: &transaction, in: log)
        isChanged = false
    }

    private mutating func write(
        to transaction: inout WriteTransaction, in log: Database
    ) throws(LMDBError) {
        guard builder.count > 0 else { return }
        assert(builder.next == builder.first + UInt64(builder.count), "A block has a gap.")
        let key = RecordKey(builder.first)
        let mode: WriteTransaction.PutMode = isStored ? .replace : .append
        try builder.withBytes { block throws(LMDBError) in
            try transaction.put(block, at: key, in: log, mode)
        }
        isStored = true
    }
}

extension ReadTransaction {
    /// The positions of the last block's events; none in a log without blocks.
    borrowing func lastBlock(of environment: Environment) throws -> Range<Position> {
        try lastEntry(in: environment.log) { try checkBlock($1, at: $0) } ?? 0..<0
    }
}

/// Checks one block of the table `log` before anything of it is believed.
///
/// - Returns: The positions of its events.
/// - Throws: ``EventLogError`` `damaged` or `unrecognized`.
func checkBlock(
    _ block: Span<UInt8>, at key: Span<UInt8>
) throws(EventLogError) -> Range<Position> {
    do throws(DamagedBlock) {
        guard let first = RecordKey(key)?.number else {
            throw DamagedBlock(.place, position: nil)
        }
        return try BlockReader.check(block, at: first)
    } catch {
        throw EventLogError(error)
    }
}
