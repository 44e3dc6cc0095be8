internal import Events
internal import LMDB

/// Blocks with their keys, copied out of one view of the log.
///
/// Whoever looks at them keeps no view open, and so no page from being reused.
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

    /// Makes an empty portion.
    ///
    /// - Parameter size: How many blocks the first one takes: few, as most reads are short.
    init(size: Int = 2) {
        self.size = size
    }

    /// How many blocks it has.
    var count: Int { ends.count / 2 }

    /// The key of its first block; nil if there is none, or it is malformed.
    var firstKey: RecordKey? { ends.first.flatMap { RecordKey(bytes.span.extracting(..<$0)) } }

    /// Drops all it has.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Takes the blocks from the last one on that begins at or before a position, in place of its
    /// own.
    ///
    /// - Returns: The key to go on at in another view, or nil at the end.
    /// - Throws: `LMDBError` if the tree is damaged.
    mutating func fill(
        from start: RecordKey, _ transaction: borrowing ReadTransaction,
        _ environment: Environment
    ) throws -> RecordKey? {
        removeAll()
        return try transaction.withCursor(in: environment.log) { cursor in
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
    }

    private mutating func take(_ span: Span<UInt8>) {
        bytes.append(copying: span)
        ends.append(bytes.count)
    }

    /// Hands keys and blocks on, in order.
    ///
    /// - Returns: false if `body` gave false, which ends it.
    func forEach(_ body: (_ key: Span<UInt8>, _ block: Span<UInt8>) -> Bool) -> Bool {
        var start = 0
        for index in stride(from: 0, to: ends.count, by: 2) {
            let (middle, end) = (ends[index], ends[index + 1])
            let key = bytes.span.extracting(start..<middle)
            guard body(key, bytes.span.extracting(middle..<end)) else { return false }
            start = end
        }
        return true
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
