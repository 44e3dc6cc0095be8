/// Wakes a thread that waits, from any other thread: rung any number of times, it is answered once.
///
/// One call of the system to ring and one to wake up.
public final class Bell: @unchecked Sendable {
    // `isRung` is touched with the lock of `condition` held only.
    private var isRung = false
    private let condition = Condition()

    /// Makes a bell that has not been rung.
    public init() {}

    /// Wakes the waiting thread, now or when it waits next.
    public func ring() {
        condition.withLock { isRung = true }
        // After the lock is free, or the one who wakes up would wait for it.
        condition.wakeAll()
    }

    /// Waits until the bell rings, or the time is over.
    ///
    /// One thread waits at a time.
    ///
    /// - Parameter limit: How long to wait, 0 or more; suspended time does not count.
    /// - Returns: Whether it has rung.
    @discardableResult
    public func wait(atMost limit: Duration) -> Bool {
        let deadline = Condition.deadline(after: limit)
        return condition.withLock {
            while !isRung, condition.wait(until: deadline) {}
            defer { isRung = false }
            return isRung
        }
    }
}
