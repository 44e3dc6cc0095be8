internal import Glibc
internal import Synchronization

/// Counts the live transactions of an environment, and holds them off while its map is replaced.
///
/// LMDB unmaps the file to grow the map and does not check whether a transaction still reads it.
/// A lock and a condition of the C library, since `Mutex` has nothing to wait for a count with.
/// Callers wait only until those inside are gone and never reserve a turn, so a read inside a read
/// cannot deadlock with a waiting growth.
@safe
final class TransactionGate: @unchecked Sendable {
    // `liveCount` is touched with `mutex` held only.
    private var liveCount = 0
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let noneLive: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe noneLive = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(noneLive, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(noneLive)
        unsafe pthread_mutex_destroy(mutex)
        unsafe noneLive.deallocate()
        unsafe mutex.deallocate()
    }

    /// Counts one more, after a replacement that is under way.
    func enter() {
        unsafe pthread_mutex_lock(mutex)
        liveCount += 1
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Counts one less.
    func leave() {
        unsafe pthread_mutex_lock(mutex)
        liveCount -= 1
        precondition(liveCount >= 0, "Each leave follows one enter.")
        if liveCount == 0 { unsafe pthread_cond_broadcast(noneLive) }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Runs `body` while nothing is inside, and keeps all out until it returns.
    ///
    /// - Throws: ``LMDBError`` with `transactionsLive` if some stay longer than `limit`.
    func withNoneLive(
        waitingAtMost limit: Duration, _ body: () throws(LMDBError) -> Void
    ) throws(LMDBError) {
        var deadline = Self.deadline(after: limit)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while liveCount > 0 {
            let result = unsafe pthread_cond_timedwait(noneLive, mutex, &deadline)
            guard result == 0 || liveCount == 0 else {
                throw LMDBError(
                    .transactionsLive, call: "mdb_env_set_mapsize",
                    text: "the map is in use", detail: "\(liveCount) transactions are live")
            }
        }
        try body()
    }

    private static func deadline(after limit: Duration) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
