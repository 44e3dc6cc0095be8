/// Reads the events of a block in the order of the log.
///
/// The walk follows the order section and takes each event from its lane's cursor: no merge, no
/// sort, no allocation. Hostile bytes end it with ``DamagedBlock``; they never trap.
public enum BlockReader {
    /// Hands each event of a block to `body`, in order.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block.
    ///   - start: Events before this position are passed over.
    ///   - body: Called with the event, valid during the call; false ends the walk.
    /// - Throws: ``DamagedBlock`` if the bytes contradict the format. Events before the fault have
    ///   been handed over. The checksum is not looked at: see ``check(_:at:)``.
    @inlinable
    public static func forEach(
        in block: Span<UInt8>, from start: Position = 0,
        _ body: (borrowing EventView) -> Bool
    ) throws(DamagedBlock) {
        try withCursor(over: block) { cursor in
            while cursor.remaining > 0 {
                guard let event = cursor.next() else { return nil }
                if event.header.position >= start, !body(event) { return false }
            }
            return true
        }
    }

    /// Lends a cursor that is before the first event of a block.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block.
    ///   - walk: Moves the cursor: true if that was to the end, false if it ended the walk before,
    ///     nil if the bytes where it is contradict the format.
    /// - Throws: ``DamagedBlock``, also if bytes are left at the end.
    @inlinable
    @inline(__always)
    static func withCursor(
        over block: Span<UInt8>, _ walk: (inout BlockCursor) -> Bool?
    ) throws(DamagedBlock) {
        var failure: DamagedBlock? = DamagedBlock(.size, position: nil)
        unsafe block.withUnsafeBufferPointer { buffer in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: BlockCursor.scratchBytes)
            {
                scratch in
                guard let base = buffer.baseAddress, let room = scratch.baseAddress else { return }
                let bytes = unsafe BytesInPlace(base, count: 0)
                var record = EventRecord(EventHeader(), bytes)
                unsafe withUnsafeMutablePointer(to: &record) { record in
                    var cursor = unsafe BlockCursor(
                        base, count: buffer.count, scratch: room, record)
                    guard cursor.begin() else { return }
                    let isAtEnd = walk(&cursor)
                    failure =
                        isAtEnd == false || isAtEnd == true && cursor.isConsumed
                        ? nil : DamagedBlock(.section, position: cursor.position)
                }
            }
        }
        if let failure { throw failure }
    }

    /// The number of events, which every block format has at the same offset.
    ///
    /// - Returns: The number; 0 if the block has no header.
    public static func count(of block: Span<UInt8>) -> Int {
        block.count < 8 ? 0 : Int(block[6]) | Int(block[7]) << 8
    }

    /// Checks that a block is what was written at its place: size, checksum, format, and that it
    /// begins at the position under which it is stored.
    ///
    /// Whoever takes a block from a store does this first, once; before it nothing that the block
    /// says is believed.
    ///
    /// - Parameters:
    ///   - block: The bytes of one block.
    ///   - first: The position under which it is stored.
    /// - Returns: The positions of its events.
    /// - Throws: ``DamagedBlock``, at `first`.
    public static func check(
        _ block: Span<UInt8>, at first: Position
    ) throws(DamagedBlock) -> Range<Position> {
        do throws(DamagedBlock) {
            guard try check(block) == first else { throw DamagedBlock(.place, position: nil) }
        } catch {
            throw DamagedBlock(error.code, position: first)
        }
        return first..<first + UInt64(count(of: block))
    }

    /// Checks size, checksum and format.
    ///
    /// - Returns: The position of the first event.
    private static func check(_ block: Span<UInt8>) throws(DamagedBlock) -> Position {
        guard let head = BlockHead(block), block.count <= BlockLayout.maximumBytes else {
            throw DamagedBlock(.size, position: nil)
        }
        guard CRC32C.checksum(block.extracting(4..<block.count)) == head.checksum else {
            throw DamagedBlock(.checksum, position: nil)
        }
        return try first(of: block)
    }

    /// The position of the first event, if the format is known.
    private static func first(of block: Span<UInt8>) throws(DamagedBlock) -> Position {
        guard let head = BlockHead(block) else { throw DamagedBlock(.size, position: nil) }
        guard head.format == BlockLayout.format else { throw DamagedBlock(.format, position: nil) }
        var offset = BlockLayout.headerBytes
        guard let first = block.varint(at: &offset), first < UInt64(BlockCursor.numberLimit) else {
            throw DamagedBlock(.section, position: nil)
        }
        return first
    }

    /// Checks a block that is not in a store yet, as ``check(_:at:)`` does, then reads every event.
    ///
    /// - Returns: The number of events.
    /// - Throws: ``DamagedBlock``.
    @discardableResult
    public static func verify(_ block: Span<UInt8>) throws(DamagedBlock) -> Int {
        _ = try check(block)
        var count = 0
        try forEach(in: block) { _ in
            count += 1
            return true
        }
        return count
    }

    /// What the heads of all sections say, without reading the entries.
    ///
    /// - Throws: ``DamagedBlock`` if the heads contradict each other.
    public static func heads(of block: Span<UInt8>) throws(DamagedBlock) -> BlockHeads {
        let first = try first(of: block)
        var heads: BlockHeads?
        do throws(DamagedBlock) {
            try withCursor(over: block) { cursor in
                heads = BlockHeads(
                    first: cursor.position, count: cursor.remaining,
                    laneIndices: cursor.laneIndex, laneCounts: cursor.laneRemaining)
                return false
            }
        } catch {
            throw DamagedBlock(.section, position: first)
        }
        guard let heads else { throw DamagedBlock(.section, position: first) }
        return heads
    }
}

/// What the heads of a block's sections say.
public struct BlockHeads: Sendable {
    /// The position of the first event.
    public let first: Position
    /// The number of events, 1 or more.
    public let count: Int
    let laneIndices: InlineArray<7, UInt64>
    let laneCounts: InlineArray<7, UInt64>

    /// The position after the last event.
    public var next: Position { first + UInt64(count) }

    /// The indices within a lane, over the whole log, of the block's events of that lane.
    public func indices(in lane: Lane) -> Range<UInt64> {
        let start = laneIndices[Int(lane.rawValue)]
        return start..<start + laneCounts[Int(lane.rawValue)]
    }
}
