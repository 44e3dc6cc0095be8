internal import Dispatch

/// Runs what takes long, one task after the other, and not on a thread of the pool that all tasks
/// share: a recorder of this process needs those.
///
/// What runs on it knows its task: it can ask whether that was cancelled.
public final class ReadingThread: TaskExecutor {
    private let queue: DispatchQueue

    /// Makes one.
    ///
    /// - Parameter label: Its name, for whoever looks at this process.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs a part of a task when all before it has been run.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs something after what was handed in before, whatever other tasks are kept waiting.
    public func run(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }
}
