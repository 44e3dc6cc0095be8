internal import Glibc

/// Turns that are taken in the order of their numbers, from 0, whichever thread comes first.
///
/// Threads that share some work number what they take of it, and hand in what they found in turn:
/// so the result is the same whatever their number. A lock and a condition of the C library, since
/// `Mutex` has nothing to wait with.
@safe
public final class OrderedTurns: @unchecked Sendable {
    // `next` is touched with `mutex` held only.
    private var next = 0
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let hasMoved: UnsafeMutablePointer<pthread_cond_t>

    /// Makes turns of which none is taken.
    public init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe hasMoved = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(hasMoved, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(hasMoved)
        unsafe pthread_mutex_destroy(mutex)
        unsafe hasMoved.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` when every lower number has had its turn; nothing else of these runs meanwhile.
    ///
    /// Each number is taken exactly once, or those after it wait for ever.
    ///
    /// - Parameters:
    ///   - number: The turn.
    ///   - body: Called once, on this thread.
    /// - Returns: What `body` returns.
    public func take<Result>(_ number: Int, _ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        while next != number { unsafe pthread_cond_wait(hasMoved, mutex) }
        unsafe pthread_mutex_unlock(mutex)
        defer {
            unsafe pthread_mutex_lock(mutex)
            next += 1
            unsafe pthread_cond_broadcast(hasMoved)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body()
    }
}
