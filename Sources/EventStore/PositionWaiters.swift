package import Events
import Synchronization

/// The tasks that wait until a log holds an event at some position.
package final class PositionWaiters: Sendable {
    private struct Waiter {
        let position: Position
        let id: UInt64
        /// Resumed with whether the log was closed meanwhile.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The position after the last event, as far as it was told.
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
            return ready
        }
        for waiter in ready { waiter.continuation.resume(returning: false) }
    }

    /// Wakes everybody; who comes later does not wait.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: true) }
    }

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// - Throws: ``EventLogError`` `closed`.
    package func wait(for position: Position) async throws(EventLogError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isClosed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Bool? in
                    if state.isClosed { return true }
                    // A cancellation before this line finds no waiter, but is seen here.
                    if state.end > position || Task.isCancelled { return false }
                    state.waiters.append(
                        Waiter(position: position, id: id, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(returning: false)
        }
        if isClosed { throw EventLogError(.closed) }
    }
}
