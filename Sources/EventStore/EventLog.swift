public import Events

/// An append-only sequence of events: durable before it is acknowledged, immutable afterwards.
///
/// One log has one writer at a time; several processes may take turns. Position is the order.
public protocol EventLog: AnyObject, Sendable {
    /// The position that the next event gets; what is below it is durable.
    var next: Position { get throws(EventLogError) }

    /// Appends events in order, all or none, and returns when they are durable.
    ///
    /// - Parameters:
    ///   - batch: The events; an empty batch appends nothing.
    ///   - expected: The position at which the caller decided, or nil to append wherever the log
    ///     ends.
    /// - Returns: The positions the events got.
    /// - Throws: ``EventLogError``; with `wrongExpectedPosition` somebody else has appended and
    ///   the caller decides again; with `cancelled` the task was cancelled before the batch was
    ///   being written, and it never will be.
    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position>

    /// Hands the blocks that hold events from `start` on to `body`, in order.
    ///
    /// Each has been checked, once: its checksum, and that it continues where the one before ended.
    /// What is folded of it is what was appended, or there is an error.
    ///
    /// - Parameters:
    ///   - start: The first position of interest; the first block may begin before it.
    ///   - body: Called with the bytes of a block, valid during the call; false ends the reading.
    ///     It may take its time.
    /// - Throws: ``EventLogError``; `damaged` names the position at which the bad block begins, or
    ///   the missing one.
    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError)

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// - Throws: ``EventLogError`` `closed` when the log is closed, or why it cannot be read any
    ///   more.
    func waitForEvent(at position: Position) async throws(EventLogError)
}

extension EventLog {
    /// Hands the events from `start` on to `body`, in order.
    ///
    /// - Parameters:
    ///   - start: The first position to hand over.
    ///   - body: Called with the event, valid during the call; false ends the reading. It may take
    ///     its time.
    /// - Throws: ``EventLogError``; `damaged` names the position at which the bad block begins.
    public func read(
        from start: Position = 0, _ body: (borrowing EventView) -> Bool
    ) throws(EventLogError) {
        var damage: DamagedBlock?
        try readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                var goesOn = true
                try BlockReader.forEach(in: block, from: start) { event in
                    goesOn = body(event)
                    return goesOn
                }
                return goesOn
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
    }

    /// Reads all blocks and does nothing with them: each is checked, as ``readBlocks(from:_:)``
    /// says.
    ///
    /// - Throws: ``EventLogError``; `damaged` names the position at which the first bad block
    ///   begins, or the missing one.
    public func checkBlocks() throws(EventLogError) {
        try readBlocks(from: 0) { _ in true }
    }

    /// The decoded events of a range, for short ranges.
    ///
    /// - Throws: ``EventLogError``.
    public func events(in range: Range<Position>) throws(EventLogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        guard !range.isEmpty else { return events }
        try read(from: range.lowerBound) { event in
            let position = event.header.position
            guard position < range.upperBound else { return false }
            events.append(event.recorded)
            return position + 1 < range.upperBound
        }
        return events
    }
}
