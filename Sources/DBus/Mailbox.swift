import Glibc
import Synchronization
internal import Threads

/// The way in to the bus thread: jobs from any thread, run in the order they were put in.
///
/// Every job that was accepted is run, so that nobody waits forever; after ``close(then:)`` none
/// is accepted any more.
final class Mailbox: Sendable {
    typealias Job = @Sendable (Connection) -> Void

    private enum Phase {
        case open
        case closing
        case ended
    }

    private struct State {
        var phase = Phase.open
        var jobs: [Job] = []
        var waiters: [@Sendable () -> Void] = []
    }

    /// Rung when there may be something to do.
    let bell: Doorbell
    private let state = Mutex(State())

    init() throws(DBusError) {
        guard let bell = Doorbell() else {
            throw DBusError(
                code: .cannotConnect, name: DBusError.prefix + "NoMemory",
                message: "no event descriptor (errno \(errno))", call: "opening the bus")
        }
        self.bell = bell
    }

    // MARK: - From any thread

    /// Puts a job in.
    ///
    /// False if the mailbox is closed; the job is then dropped.
    func put(_ job: @escaping Job) -> Bool {
        let isAccepted = state.withLock { state in
            guard state.phase == .open else { return false }
            state.jobs.append(job)
            return true
        }
        if isAccepted { bell.ring() }
        return isAccepted
    }

    /// Lets the thread end after the jobs that are in, and then calls `completion` on it; at once
    /// and here if it has already ended.
    func close(then completion: (@Sendable () -> Void)? = nil) {
        let hasEnded = state.withLock { state in
            if state.phase == .ended { return true }
            state.phase = .closing
            if let completion { state.waiters.append(completion) }
            return false
        }
        if hasEnded { completion?() } else { bell.ring() }
    }

    // MARK: - From the bus thread

    /// Takes what has come, and whether these were the last jobs.
    func takeAll() -> (jobs: [Job], isClosing: Bool) {
        bell.silence()
        return state.withLock { state in
            let jobs = state.jobs
            state.jobs = []
            return (jobs, state.phase != .open)
        }
    }

    /// The thread is at its end.
    ///
    /// Jobs cannot have come since the mailbox was closed.
    func end() {
        let waiters = state.withLock { state in
            state.phase = .ended
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        for waiter in waiters { waiter() }
    }
}
