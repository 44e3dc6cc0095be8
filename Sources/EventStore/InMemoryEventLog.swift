public import Events
import Synchronization

/// The twin of the stored log: the same blocks, kept in memory.
public final class InMemoryEventLog: EventLog {
    private struct State: ~Copyable {
        /// The full blocks, by the position of their first event.
        var sealed: [(first: Position, bytes: [UInt8])] = []
        var open = BlockBuilder()
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        let position: Position
        let id: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())
    private let ids = Atomic<UInt64>(0)

    /// Makes an empty log.
    public init() {}

    public var next: Position {
        get throws(EventLogError) { state.withLock { $0.open.next } }
    }

    public func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        let (range, ready) = try state.withLock {
            state throws(EventLogError) -> (Range<Position>, [Waiter]) in
            let start = state.open.next
            if let expected, expected != start {
                throw EventLogError(.wrongExpectedPosition(actual: start))
            }
            for index in 0..<batch.count { Self.add(batch, index, to: &state) }
            let end = state.open.next
            let ready = state.waiters.filter { $0.position < end }
            state.waiters.removeAll { $0.position < end }
            return (start..<end, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return range
    }

    private static func add(_ batch: EventBatch, _ index: Int, to state: inout State) {
        let header = batch.headers[index]
        batch.withPayload(at: index) { payload in
            guard !state.open.append(header, payload: payload) else { return }
            let bytes = state.open.withBytes { [UInt8](copying: $0) }
            state.sealed.append((state.open.first, bytes))
            state.open.startNextBlock()
            let fits = state.open.append(header, payload: payload)
            precondition(fits, "Every event fits into a block of its own.")
        }
    }

    public func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        // The blocks are copied out, so that the body may take its time.
        let blocks = state.withLock { state in
            var blocks = state.sealed[Self.index(ofBlockWith: start, in: state.sealed)...]
                .map(\.bytes)
            if state.open.count > 0 { blocks.append(state.open.withBytes { [UInt8](copying: $0) }) }
            return blocks
        }
        for block in blocks where !body(block.span) { return }
    }

    /// The index of the last block that begins at or before `position`.
    private static func index(
        ofBlockWith position: Position, in sealed: [(first: Position, bytes: [UInt8])]
    ) -> Int {
        var low = 0
        var high = sealed.count
        while low < high {
            let middle = (low + high) / 2
            if sealed[middle].first <= position { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    public func waitForEvent(at position: Position) async throws(EventLogError) {
        let id = ids.add(1, ordering: .relaxed).newValue
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.open.next > position || Task.isCancelled { return true }
                    state.waiters.append(
                        Waiter(position: position, id: id, continuation: continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }
}
