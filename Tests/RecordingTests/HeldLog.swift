import Dispatch
import EventStore
import Events
import Synchronization
import TestSupport

/// A log whose readers can be held up, once.
///
/// Their tasks have to prefer ``executor``, for they block its threads.
final class HeldLog: RelayingLog {
    private struct State {
        var starts: [Position] = []
        var isHeld = false
    }

    let log: InMemoryEventLog
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    init(_ log: InMemoryEventLog) {
        self.log = log
    }

    /// Runs tasks that may be held up, each piece on a thread that nobody else waits for.
    static let executor = OwnThreads()

    /// Where readings began since readers were held up.
    var starts: [Position] { state.withLock { $0.starts } }

    /// Holds every reader up from now on.
    func hold() {
        state.withLock { $0 = State(isHeld: true) }
    }

    /// Lets those who read go on, and whoever comes.
    func letGo() {
        state.withLock { $0.isHeld = false }
        gate.signal()
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        let isHeld = state.withLock { state in
            state.starts.append(start)
            return state.isHeld
        }
        if isHeld {
            gate.wait()
            gate.signal()
        }
        try log.readBlocks(from: start, body)
    }
}

/// Runs each piece of a task on a thread of the system's pool for blocking work.
final class OwnThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "held log", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
