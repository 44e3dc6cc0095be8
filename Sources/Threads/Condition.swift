internal import Glibc

/// A lock, and what threads that hold it can wait for: mutex and condition of the C library, since
/// `Mutex` of the standard library has nothing to wait with.
@safe
final class Condition: @unchecked Sendable {
    // Neither is changed after `init`, and the C library's calls may come from any thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the lock held.
    func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits with the lock held; it is free meanwhile.
    ///
    /// May return without a reason.
    ///
    /// - Parameter deadline: A time of the monotonic clock, until which it waits at most; nil
    ///   forever.
    /// - Returns: Whether the time is not over.
    @discardableResult
    func wait(until deadline: timespec? = nil) -> Bool {
        guard var deadline else { return unsafe pthread_cond_wait(condition, mutex) == 0 }
        return unsafe pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
    }

    /// When that much time is over, by the monotonic clock.
    static func deadline(after limit: Duration) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }

    /// Wakes all who wait.
    func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }
}
