public import EventStore
public import Events
internal import Synchronization

/// A log to which nothing is appended any more once it is stuck, whatever becomes of those who
/// wait: as behind a writer that was stopped.
public final class StuckLog: EventLog {
    private let log = InMemoryEventLog()
    private let isStuck = Mutex(false)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// Makes an empty log that is not stuck.
    public init() {}

    /// Lets nobody append from now on.
    public func getStuck() {
        isStuck.withLock { $0 = true }
    }

    /// Lets everybody append.
    public func letGo() {
        isStuck.withLock { $0 = false }
        for waiting in waiting.withLock({ $0 }) { waiting.resume() }
        waiting.withLock { $0 = [] }
    }

    /// The position that the next event gets.
    public var next: Position {
        get throws(EventLogError) { try log.next }
    }

    /// Appends, or waits.
    public func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        if isStuck.withLock({ $0 }) {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
            }
        }
        return try await log.append(batch, expecting: expected)
    }

    /// Reads as ever.
    public func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try log.readBlocks(from: start, body)
    }

    /// Waits as ever.
    public func waitForEvent(at position: Position) async throws(EventLogError) {
        try await log.waitForEvent(at: position)
    }
}
