extension BlockReader {
    /// Walks a block as ``forEach(in:from:_:)`` does, and weighs what it reads.
    ///
    /// An entry is what one event takes of its lane's section: time, whatever differs from the
    /// entry before, and the body. The bytes of a device are those of the entry that named it
    /// first. A section also has its head, and each event a byte in the order.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block.
    ///   - read: Says what is to be known of an event.
    ///   - take: Called after that with what `read` said, and the bytes of the event's entry.
    /// - Throws: ``DamagedBlock`` as ``forEach(in:from:_:)``.
    public static func forEachEntry<Known>(
        in block: Span<UInt8>, _ read: (borrowing EventView) -> Known,
        _ take: (Known, _ entryBytes: Int) -> Void
    ) throws(DamagedBlock) {
        try withCursor(over: block) { cursor in
            while cursor.remaining > 0 {
                let before = cursor.entryEnds
                guard let event = cursor.next() else { return nil }
                take(read(event), cursor.entryEnds - before)
            }
            return true
        }
    }
}

extension BlockCursor {
    /// How far all lane sections have been read, together: one event moves one of them.
    fileprivate var entryEnds: Int {
        var sum = 0
        for lane in 0..<BlockLayout.laneCount { sum += sources[lane].offset }
        return sum
    }
}
