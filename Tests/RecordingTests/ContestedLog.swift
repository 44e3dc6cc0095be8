import EventStore
import Events
import Synchronization

/// A log to which others append just before the first append.
final class ContestedLog: EventLog {
    private let log: InMemoryEventLog
    private let others: Mutex<(@Sendable () async throws -> Void)?>

    init(_ log: InMemoryEventLog, others: @escaping @Sendable () async throws -> Void) {
        self.log = log
        self.others = Mutex(others)
    }

    var next: Position {
        get throws(EventLogError) { try log.next }
    }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        if let others = others.withLock({ $0.take() }) {
            do {
                try await others()
            } catch {
                throw EventLogError(.storage, detail: "\(error)")
            }
        }
        return try await log.append(batch, expecting: expected)
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try log.readBlocks(from: start, body)
    }

    func waitForEvent(at position: Position) async throws(EventLogError) {
        try await log.waitForEvent(at: position)
    }
}
