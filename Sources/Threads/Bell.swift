internal import Glibc

/// Wakes a thread that waits, from any other thread: rung any number of times, it is answered once.
///
/// A lock and a condition of the C library: one call of the system to ring and one to wake up.
@safe
public final class Bell: @unchecked Sendable {
    // `isRung` is touched with `mutex` held only.
    private var isRung = false
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let rings: UnsafeMutablePointer<pthread_cond_t>

    /// Makes a bell that has not been rung.
    public init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe rings = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(rings, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(rings)
        unsafe pthread_mutex_destroy(mutex)
        unsafe rings.deallocate()
        unsafe mutex.deallocate()
    }

    /// Wakes the waiting thread, now or when it waits next.
    public func ring() {
        unsafe pthread_mutex_lock(mutex)
        isRung = true
        unsafe pthread_mutex_unlock(mutex)
        // After the lock is free, or the one who wakes up would wait for it.
        unsafe pthread_cond_signal(rings)
    }

    /// Waits until the bell rings, or the time is over.
    ///
    /// One thread waits at a time.
    ///
    /// - Parameter seconds: How long to wait, 0 or more; suspended time does not count.
    /// - Returns: Whether it has rung.
    @discardableResult
    public func wait(seconds: Int) -> Bool {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += seconds
        unsafe pthread_mutex_lock(mutex)
        while !isRung {
            guard unsafe pthread_cond_timedwait(rings, mutex, &deadline) != ETIMEDOUT else { break }
        }
        defer {
            isRung = false
            unsafe pthread_mutex_unlock(mutex)
        }
        return isRung
    }
}
