import Synchronization
import TestSupport

/// A time of its own for everything that runs on it: it passes only when it is told to.
///
/// As an executor it runs its jobs one at a time, on the thread that calls ``settle()``; which of
/// those that are ready comes next, the seed tells. So a run is the same each time, and another
/// seed is another interleaving.
final class Timeline: TaskExecutor {
    private struct Sleeper {
        let due: UInt64
        let number: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: UInt64 = 0
        var ready: [UnownedJob] = []
        /// In the order in which they are due.
        var sleepers: [Sleeper] = []
        var lastNumber: UInt64 = 0
        var generator: SeededGenerator
    }

    /// The most jobs at one moment: more are a loop that never comes to rest.
    private static let jobLimit = 2_000_000

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(generator: SeededGenerator(seed: seed))) }

    /// Milliseconds since the beginning.
    var now: UInt64 { state.withLock { $0.now } }

    /// When the next sleeper is due; nil if nobody sleeps.
    var nextWake: UInt64? { state.withLock { $0.sleepers.first?.due } }

    /// How many tasks wait for a time.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(job) }
    }

    /// Runs jobs until none is ready.
    ///
    /// - Returns: False if they never come to rest.
    func settle() -> Bool {
        for _ in 0..<Self.jobLimit {
            let job = state.withLock { state -> UnownedJob? in
                guard let last = state.ready.indices.last else { return nil }
                let index = Int(state.generator.below(UInt64(last + 1)))
                state.ready.swapAt(index, last)
                return state.ready.removeLast()
            }
            guard let job else { return true }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return false
    }

    /// Lets time pass, and wakes who is due by then.
    func advance(to time: UInt64) {
        let due = state.withLock { state in
            state.now = max(state.now, time)
            let count = state.sleepers.prefix { $0.due <= state.now }.count
            defer { state.sleepers.removeFirst(count) }
            return Array(state.sleepers.prefix(count))
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns after a time, or at once when the task is cancelled.
    func sleep(milliseconds: UInt64) async {
        let number = nextNumber()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                rest(Sleeper(due: now + milliseconds, number: number, continuation: continuation))
                if Task.isCancelled { wake(number) }
            }
        } onCancel: {
            wake(number)
        }
    }

    /// Returns after a time, whether or not the task is cancelled.
    func wait(milliseconds: UInt64) async {
        let number = nextNumber()
        await withCheckedContinuation { continuation in
            rest(Sleeper(due: now + milliseconds, number: number, continuation: continuation))
        }
    }

    private func nextNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func rest(_ sleeper: Sleeper) {
        state.withLock { state in
            let index = state.sleepers.firstIndex { $0.due > sleeper.due }
            state.sleepers.insert(sleeper, at: index ?? state.sleepers.endIndex)
        }
    }

    private func wake(_ number: UInt64) {
        let sleeper = state.withLock { state in
            state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume()
    }
}
