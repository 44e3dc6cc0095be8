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

    /// Looks at what an append would extend, and at nothing before it.
    ///
    /// - Throws: ``EventLogError``; `damaged` if the end is not as it was written.
    func checkEnd() throws(EventLogError)

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// - Throws: ``EventLogError`` `closed` when the log is closed, or why it cannot be read any
    ///   more.
    func waitForEvent(at position: Position) async throws(EventLogError)
}

extension EventLog {
    /// Looks at the position after the last event, which is all that a log in memory can say.
    public func checkEnd() throws(EventLogError) {
        _ = try next
    }

    /// Hands the events from `start` on to `body`, in order.
    ///
    /// - Parameters:
    ///   - start: The first position to hand over.
    ///   - end: The position to stop before: nothing from there on is looked at, for it may be
    ///     damaged.
    ///   - lane: Whose events at least are handed over: a block that has none of them is not
    ///     unpacked. Nil for all events.
    ///   - body: Called with the event, valid during the call; false ends the reading. It may take
    ///     its time.
    /// - Throws: ``EventLogError``; `damaged` names the position at which the bad block begins.
    public func read(
        from start: Position = 0, until end: Position = .max, in lane: Lane? = nil,
        _ body: (borrowing EventView) -> Bool
    ) throws(EventLogError) {
        guard start < end || end == .max else { return }
        try openBlocks(from: start) { block throws(DamagedBlock) in
            if let lane {
                let heads = try BlockReader.heads(of: block)
                guard !heads.indices(in: lane).isEmpty else { return heads.next < end }
            }
            var goesOn = true
            try BlockReader.forEach(in: block, from: start) { event in
                let isLast = event.header.position + 1 >= end
                goesOn = body(event) && !isLast
                return goesOn
            }
            return goesOn
        }
    }

    /// Hands blocks on as ``readBlocks(from:_:)`` does, to be looked into.
    ///
    /// - Parameters:
    ///   - start: The first position of interest.
    ///   - body: Called with the bytes of a block, valid during the call; false ends the reading,
    ///     and so does a block that it finds damaged.
    /// - Throws: ``EventLogError``.
    public func openBlocks(
        from start: Position, _ body: (Span<UInt8>) throws(DamagedBlock) -> Bool
    ) throws(EventLogError) {
        var damage: DamagedBlock?
        try readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                return try body(block)
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
    }

    /// Ranges of positions from an end backwards, for what is searched from there: the first has
    /// 4,096 positions, and each is twice as long as the one before.
    ///
    /// - Parameters:
    ///   - end: The position to begin before.
    ///   - limit: The most positions of a range.
    /// - Returns: The ranges, to the first position.
    public func portions(
        before end: Position, limit: UInt64 = 1 << 32
    ) -> some Sequence<Range<Position>> {
        sequence(state: (end: end, count: 4_096 as UInt64)) { rest in
            guard rest.end > 0 else { return nil }
            let portion = rest.end - min(rest.end, rest.count)..<rest.end
            rest = (portion.lowerBound, min(rest.count * 2, limit))
            return portion
        }
    }

    /// The decoded events of a range, for short ranges.
    ///
    /// - Throws: ``EventLogError``.
    public func events(in range: Range<Position>) throws(EventLogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try read(from: range.lowerBound, until: range.upperBound) { event in
            events.append(event.recorded)
            return true
        }
        return events
    }
}
