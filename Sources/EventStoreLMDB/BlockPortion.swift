internal import Events
internal import LMDB

/// Blocks with their keys, copied out of one view of the log.
///
/// Whoever looks at them keeps no view open, and so no page from being reused.
struct BlockPortion {
    /// The most blocks of a portion.
    private static let limit = 64
    /// No block is longer; of a longer value the beginning is enough to refuse it.
    private static let valueLimitBytes = 1 << 16

    /// Keys and values in turn.
    private var bytes: [UInt8] = []
    /// Where each of them ends.
    private var ends: [Int] = []
    /// How many blocks the next portion takes: few at first, as most reads are short.
    private var size = 2

    /// Takes the blocks from where a cursor stands in place of its own.
    ///
    /// - Parameters:
    ///   - cursor: The place; it is moved.
    ///   - stands: Whether it stands on an entry.
    /// - Returns: The key to go on at in another view, or nil at the end.
    /// - Throws: `LMDBError` if the tree is damaged.
    mutating func fill(
        from cursor: inout Cursor, stands: Bool
    ) throws(LMDBError) -> RecordKey? {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        var stands = stands
        while stands {
            // A key that is none is taken as well: it is for the reader to say so.
            if ends.count >= 2 * size, let next = cursor.withEntry({ key, _ in RecordKey(key) }) {
                size = min(2 * size, Self.limit)
                return next
            }
            cursor.withEntry { key, value in
                take(key)
                take(value.extracting(first: Self.valueLimitBytes))
            }
            stands = try cursor.moveToNext()
        }
        return nil
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
