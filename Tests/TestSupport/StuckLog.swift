package import EventStore
package import Events
internal import Synchronization

/// A log to which nothing is appended any more once it is stuck, whatever becomes of those who
/// wait: as behind a writer that was stopped.
package final class StuckLog: RelayingLog {
    /// The log behind it.
    package let log = InMemoryEventLog()
    private struct State {
        var isStuck = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes an empty log that is not stuck.
    package init() {}

    /// Lets nobody append from now on.
    package func getStuck() {
        state.withLock { $0.isStuck = true }
    }

    /// Lets everybody append.
    package func letGo() {
        let waiting = state.withLock { state in
            state.isStuck = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.resume() }
    }

    /// Appends, or waits.
    package func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isStuck { state.waiting.append(continuation) }
                return state.isStuck
            }
            if !waits { continuation.resume() }
        }
        return try await log.append(batch, expecting: expected)
    }
}
