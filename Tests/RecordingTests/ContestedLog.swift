import EventStore
import Events
import Synchronization
import TestSupport

/// A log to which others append just before the first append.
final class ContestedLog: RelayingLog {
    let log: InMemoryEventLog
    private let others: Mutex<(@Sendable () async throws -> Void)?>

    init(_ log: InMemoryEventLog, others: @escaping @Sendable () async throws -> Void) {
        self.log = log
        self.others = Mutex(others)
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
}
