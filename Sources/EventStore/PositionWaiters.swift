package import Events
import Synchronization

/// The tasks that wait until a log holds an event at some position.
package final class PositionWaiters: Sendable {
    private struct Waiter {
        let position: Position
        let id: UInt64
        /// Resumed with why there is nothing left to wait for, or nil if the event is there.
        let continuation: CheckedContinuation<EventLogError?, Never>
    }

    private struct State {
        /// The position after the last event, as far as it was reported.
        var end: Position
        var isClosed = false
        var lastID: UInt64 = 0
        var waiters: [Waiter] = []
    }

    private let state: Mutex<State>

    /// Nobody waits yet.
    ///
    /// - Parameter end: The position after the log's last event.
    package init(end: Position = 0) {
        state = Mutex(State(end: end))
    }

    /// Wakes those who wait for an event below `end`.
    ///
    /// The order of calls does not matter: the log never becomes shorter.
    package func advance(to end: Position) {
        let ready = state.withLock { state in
            guard end > state.end else { return [Waiter]() }
            state.end = end
            let ready = state.waiters.filter { $0.position < end }
            if !ready.isEmpty { state.waiters.removeAll { $0.position < end } }
            assert(state.waiters.allSatisfy { $0.position >= end }, "A waiter was left out.")
            return ready
        }
        for waiter in ready { waiter.continuation.resume(returning: nil) }
    }

    /// Wakes all waiters with an error; later ones wait as usual.
    package func fail(_ error: EventLogError) {
        let waiters = state.withLock { state in
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: error) }
    }

    /// Wakes all waiters with `closed`; later ones do not wait.
    package func close() {
        state.withLock { $0.isClosed = true }
        fail(EventLogError(.closed))
    }

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// - Throws: ``EventLogError``: `closed`, or that of ``fail(_:)``.
    package func wait(for position: Position) async throws(EventLogError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (waits, error) = state.withLock { state -> (Bool, EventLogError?) in
                    if state.isClosed { return (false, EventLogError(.closed)) }
                    // A cancellation before this line finds no waiter, but is seen here.
                    if state.end > position || Task.isCancelled { return (false, nil) }
                    state.waiters.append(
                        Waiter(position: position, id: id, continuation: continuation))
                    return (true, nil)
                }
                if !waits { continuation.resume(returning: error) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(returning: nil)
        }
        if let error { throw error }
    }
}
