public import Events
import Synchronization

/// The twin of the stored log: the same blocks, kept in memory.
public final class InMemoryEventLog: EventLog {
    private struct State: ~Copyable {
        /// The full blocks, by the position of their first event.
        var sealed: [(first: Position, bytes: [UInt8])] = []
        var open = BlockBuilder()
    }

    private let state = Mutex(State())
    private let waiters = PositionWaiters()

    /// Makes an empty log.
    public init() {}

    /// The position that the next event gets.
    ///
    /// - Throws: Nothing.
    public var next: Position {
        get throws(EventLogError) { state.withLock { $0.open.next } }
    }

    /// Appends events in order, all or none.
    ///
    /// - Parameters:
    ///   - batch: The events; an empty batch appends nothing.
    ///   - expected: The position at which the caller decided, or nil.
    /// - Returns: The positions the events got.
    /// - Throws: ``EventLogError`` `wrongExpectedPosition` or `cancelled`.
    public func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        if Task.isCancelled { throw EventLogError(.cancelled) }
        let range = try state.withLock { state throws(EventLogError) -> Range<Position> in
            let start = state.open.next
            if let expected, expected != start {
                throw EventLogError(.wrongExpectedPosition(actual: start))
            }
            for portion in (0..<batch.portionCount).lazy.map({ batch.portion($0) }) {
                var index = state.open.append(portion, from: 0)
                while index < portion.count {
                    let bytes = state.open.withBytes { [UInt8](copying: $0) }
                    state.sealed.append((state.open.first, bytes))
                    state.open.startNextBlock()
                    index = state.open.append(portion, from: index)
                }
            }
            assert(state.open.next == start + UInt64(batch.count), "A batch ends where it has to.")
            return start..<state.open.next
        }
        waiters.advance(to: range.upperBound)
        return range
    }

    /// Hands the blocks that hold events from `start` on to `body`, in order.
    ///
    /// They are copied out first, so that the body may take its time.
    ///
    /// - Parameters:
    ///   - start: The first position of interest; the first block may begin before it.
    ///   - body: Called with the bytes of a block, valid during the call; false ends the reading.
    /// - Throws: Nothing.
    public func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        let blocks = state.withLock { state in
            let later = state.sealed.partitioningIndex { $0.first > start }
            let first = start < state.open.first ? later - 1 : later
            var blocks = state.sealed[first...].map(\.bytes)
            if state.open.count > 0, state.open.next > start {
                blocks.append(state.open.withBytes { [UInt8](copying: $0) })
            }
            return blocks
        }
        for block in blocks where !body(block.span) { return }
    }

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// - Parameter position: The position of interest.
    /// - Throws: Nothing; this log is never closed.
    public func waitForEvent(at position: Position) async throws(EventLogError) {
        try await waiters.wait(for: position)
    }
}
