internal import EventStore
internal import Events
internal import LMDB
internal import TamperEvidence

/// Blocks with their keys, their leaves and the checkpoints over them, copied out of one view of
/// the log.
///
/// Whoever looks at them keeps no view open, and so no page from being reused. Only the leaves of
/// these blocks are looked at.
struct BlockPortion {
    /// The most blocks of a portion.
    static let limit = 64
    /// No block is longer; of a longer value the beginning is enough to refuse it.
    private static let valueLimitBytes = 1 << 16

    /// Keys and values in turn.
    private var bytes: [UInt8] = []
    /// Where each of them ends.
    private var ends: [Int] = []
    /// How many blocks the next portion takes.
    private var size: Int
    private let looksAtSeals: Bool
    /// The key that signs the log; nil to look at no checkpoint.
    private let verifier: NoteVerifier?
    /// The leaves of the blocks, up to one that is missing or not as written.
    private var leaves: [SealedBlock] = []
    /// The position of the last block that is sealed.
    private var lastSealed: Position?
    private var salts: SectionSalts?
    /// The checkpoints over the blocks up to one of these, in order of size, unread.
    private var notes: [(size: UInt64, note: [UInt8])] = []

    /// Makes an empty portion.
    ///
    /// - Parameters:
    ///   - size: How many blocks the first one takes: few, as most reads are short.
    ///   - looksAtSeals: Whether blocks that are sealed are compared with their leaves.
    ///   - verifier: The key that signs the log; nil to look at no checkpoint.
    init(size: Int = 2, looksAtSeals: Bool = true, verifier: NoteVerifier? = nil) {
        (self.size, self.looksAtSeals, self.verifier) = (size, looksAtSeals, verifier)
    }

    /// The checkpoints that end with one of the blocks, in order of size; nil where the key has
    /// signed no such one.
    var checkpoints: [(size: UInt64, head: Checkpoint?)] {
        notes.map { ($0.size, Checkpoint($0.note, over: $0.size, signedBy: verifier)) }
    }

    /// Drops all it has.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        leaves = []
        notes = []
    }

    /// Takes the blocks from the last one on that begins at or before a position, in place of its
    /// own.
    ///
    /// - Returns: The key to go on at in another view, or nil at the end.
    /// - Throws: `LMDBError` if the tree is damaged; ``EventLogError`` `damaged` if the last leaf
    ///   or the secret is not as written.
    mutating func fill(
        from start: RecordKey, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws -> RecordKey? {
        removeAll()
        let next: RecordKey? = try transaction.withCursor(in: environment.log) { cursor in
            var hasEntry = try cursor.move(toBlockAtOrBefore: start)
            while hasEntry {
                // A malformed key is copied too; the reader reports it.
                if ends.count >= 2 * size,
                    let next = cursor.withEntry({ key, _ in RecordKey(key) })
                {
                    size = min(2 * size, Self.limit)
                    return next
                }
                cursor.withEntry { key, value in
                    take(key)
                    take(value.extracting(first: Self.valueLimitBytes))
                }
                cursor.releaseValue()
                hasEntry = try cursor.moveToNext()
            }
            return nil
        }
        if looksAtSeals { try readSeals(transaction, environment) }
        return next
    }

    private mutating func take(_ span: Span<UInt8>) {
        bytes.append(copying: span)
        ends.append(bytes.count)
        assert(ends.count < 2 || ends[ends.count - 2] <= bytes.count, "Ends ascend.")
    }

    private mutating func readSeals(
        _ transaction: borrowing ReadTransaction, _ environment: Environment
    ) throws {
        lastSealed = try transaction.lastLeaf(of: environment)?.position
        guard let lastSealed, let keys, keys.lowerBound <= lastSealed else { return }
        if salts == nil {
            salts = try SectionSalts(
                secret: transaction.row(LogEvidence.secretName, of: environment),
                at: keys.lowerBound)
        }
        // Of what is wrong with one the comparison tells: it is missing.
        _ = try transaction.forEachLeaf(from: keys.lowerBound, of: environment) { leaf in
            guard leaf.position <= keys.upperBound else { return false }
            leaves.append(leaf)
            return leaf.position < keys.upperBound
        }
        guard verifier != nil, let first = leaves.first?.ordinal, let last = leaves.last?.ordinal
        else { return }
        let least = first == 0 ? 0 : first + 1
        try transaction.forEachRow(.checkpoint, from: least, of: environment) { size, note in
            guard size <= last + 1 else { return false }
            notes.append((size, [UInt8](copying: note)))
            return true
        }
    }

    /// The positions at which its first and its last block stand, of those whose keys are some.
    private var keys: ClosedRange<Position>? {
        let indices = stride(from: 0, to: ends.count, by: 2)
        let first = indices.lazy.compactMap(key).first
        let last = indices.reversed().lazy.compactMap(key).first
        guard let first, let last, first <= last else { return nil }
        return first...last
    }

    /// The key that ends at an index of ``ends``; nil if it is malformed.
    private func key(_ index: Int) -> Position? {
        RecordKey(bytes.span.extracting((index > 0 ? ends[index - 1] : 0)..<ends[index]))?.number
    }

    /// Hands the blocks on with what can be said of each by itself, in order.
    ///
    /// - Parameters:
    ///   - firstRead: The number of the first sealed block whose events are read, with those of all
    ///     that are not sealed; nil to read none.
    ///   - body: Called with both; false ends it.
    /// - Returns: false if `body` gave false.
    func forEach(
        reading firstRead: UInt64? = nil, _ body: (JudgedBlock, Span<UInt8>) -> Bool
    ) -> Bool {
        var leaves = leaves[...]
        var start = 0
        for index in stride(from: 0, to: ends.count, by: 2) {
            let (middle, end) = (ends[index], ends[index + 1])
            let key = bytes.span.extracting(start..<middle)
            let block = bytes.span.extracting(middle..<end)
            start = end
            let position = RecordKey(key)?.number
            // That of a block that is missing.
            while let position, let leaf = leaves.first, leaf.position < position {
                leaves.removeFirst()
            }
            let leaf = leaves.first.flatMap { $0.position == position ? $0 : nil }
            let isRead = firstRead.map { leaf?.ordinal ?? .max >= $0 } ?? false
            let judged = JudgedBlock(
                key: position, byteCount: block.count, eventCount: BlockReader.count(of: block),
                heads: Result { () throws(EventLogError) in
                    try verifyBlock(block, at: key, isRead: isRead)
                },
                leaf: leaf, mismatch: position.flatMap { mismatch(of: block, at: $0, leaf) })
            guard body(judged, block) else { return false }
        }
        return true
    }

    /// What is wrong with a block as a sealed one; nil if it is the one that was sealed, or is not
    /// sealed.
    private func mismatch(
        of block: Span<UInt8>, at position: Position, _ leaf: SealedBlock?
    ) -> EventLogError? {
        guard let lastSealed, position <= lastSealed else { return nil }
        guard let salts, let leaf else { return .leafMismatch(position) }
        return leaf.mismatch(with: block, salts)
    }

    /// Whether the log, of which it holds the last blocks, ends before the last that was sealed.
    var isCutOff: Bool {
        guard let lastSealed else { return false }
        return keys.map { $0.upperBound < lastSealed } ?? true
    }
}

/// What can be said of a block without those before it.
struct JudgedBlock {
    /// Its position; nil if its key is not one.
    let key: Position?
    let byteCount: Int
    /// The number of its events, as its header says.
    let eventCount: Int
    /// What its heads say, if its checksum is good and its events, where asked for, can be read.
    let heads: Result<BlockHeads, EventLogError>
    /// Its leaf, as the store has it; nil if there is none.
    let leaf: SealedBlock?
    /// How it differs from the block that was sealed; nil if it does not, or is not sealed.
    let mismatch: EventLogError?

    /// What its heads say, if it may be handed to a reader.
    func readable() throws(EventLogError) -> BlockHeads {
        let heads = try heads.get()
        if let mismatch { throw mismatch }
        return heads
    }
}

extension Cursor {
    /// Moves to the last block that begins at or before a position, else to the first of all.
    fileprivate mutating func move(
        toBlockAtOrBefore position: RecordKey
    ) throws(LMDBError) -> Bool {
        let isAtOrAfter = try move(toOrAfter: position)
        if isAtOrAfter, withEntry({ key, _ in RecordKey(key) == position }) { return true }
        if isAtOrAfter ? try moveToPrevious() : try moveToLast() { return true }
        return try moveToFirst()
    }
}
