internal import Glibc

/// Lets any number of threads in, or one alone.
///
/// Whoever wants to be alone waits until nobody is inside and keeps nobody out meanwhile, so a
/// thread may enter again while it is inside.
public final class Gate: @unchecked Sendable {
    // Both are touched with the lock of `condition` held only, which nobody keeps while they work.
    private var insideCount = 0
    private var isTaken = false
    private let condition = Condition()

    /// Makes a gate with nobody inside.
    public init() {}

    /// Enters, once whoever is alone has left.
    public func enter() {
        condition.withLock {
            while isTaken { condition.wait() }
            insideCount += 1
        }
    }

    /// Enters, unless somebody is alone.
    ///
    /// - Returns: Whether it did, without waiting.
    func enterNow() -> Bool {
        condition.withLock {
            if !isTaken { insideCount += 1 }
            return !isTaken
        }
    }

    /// Leaves; each call follows one of ``enter()``.
    public func leave() {
        let isEmpty = condition.withLock {
            insideCount -= 1
            precondition(insideCount >= 0, "The gate was left more often than entered.")
            return insideCount == 0
        }
        if isEmpty { condition.wakeAll() }
    }

    /// Runs `body` once nobody is inside, and keeps everybody out until it returns.
    ///
    /// Called by a thread that is inside, it waits for itself.
    ///
    /// - Parameters:
    ///   - limit: How long to wait; nil forever. Suspended time does not count.
    ///   - body: Called at most once, on this thread; it does not enter.
    /// - Returns: What `body` returns; nil if somebody stayed inside for longer.
    /// - Throws: What `body` throws.
    public func alone<Result, Failure: Error>(
        waitingAtMost limit: Duration? = nil, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let deadline = limit.map { Condition.deadline(after: $0) }
        let isAlone = condition.withLock {
            while insideCount > 0 || isTaken, condition.wait(until: deadline) {}
            guard insideCount == 0, !isTaken else { return false }
            isTaken = true
            return true
        }
        guard isAlone else { return nil }
        defer {
            condition.withLock { isTaken = false }
            condition.wakeAll()
        }
        return try body()
    }
}

/// A value that many threads read at the same time, or one changes.
public final class RWLocked<Value: Sendable>: @unchecked Sendable {
    // `value` is changed by whoever is alone behind `gate`, and read inside only.
    private var value: Value
    private let gate = Gate()

    /// Makes it with a first value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Lends the value, which does not change meanwhile.
    ///
    /// `body` may read again; if it waits for a change, it waits for itself.
    ///
    /// - Parameter body: Called once, on this thread.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func read<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        gate.enter()
        defer { gate.leave() }
        return try body(value)
    }

    /// Lends the value, unless it is being changed: for whoever must not wait for that.
    ///
    /// - Parameter body: Called at most once, on this thread.
    /// - Returns: What `body` returns; nil while the value is changed.
    public func readNow<Result>(_ body: (Value) -> Result?) -> Result? {
        guard gate.enterNow() else { return nil }
        defer { gate.leave() }
        return body(value)
    }

    /// Lends the value to be changed, once nobody reads it.
    ///
    /// - Parameter body: Called once, on this thread.
    public func change(_ body: (inout Value) -> Void) {
        _ = gate.alone { body(&value) }
    }
}
