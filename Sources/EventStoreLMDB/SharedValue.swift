internal import Glibc

/// A value that many threads read at the same time, or one changes.
///
/// A lock of the C library, because `Mutex` knows no sharing. It prefers readers, so that one may
/// read within a read; a change waits until nobody reads.
final class SharedValue<Value: Sendable>: @unchecked Sendable {
    // `value` is touched with `lock` held only.
    private var value: Value
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// Lends the value; it does not change meanwhile.
    func read<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body(value)
    }

    /// Lends the value to the one who changes it, when those who read are done.
    func change(_ body: (inout Value) -> Void) {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        body(&value)
    }
}
