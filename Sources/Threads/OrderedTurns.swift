/// Turns that are taken in the order of their numbers, from 0, whichever thread comes first.
///
/// Threads that share some work number what they take of it, and hand in what they found in turn:
/// so the result is the same whatever their number.
public final class OrderedTurns: @unchecked Sendable {
    // `next` is touched with the lock of `condition` held only.
    private var next = 0
    private let condition = Condition()

    /// Makes turns of which none is taken.
    public init() {}

    /// Runs `body` when every lower number has had its turn; nothing else of these runs meanwhile.
    ///
    /// Each number is taken exactly once, or those after it wait forever.
    ///
    /// - Parameters:
    ///   - number: The turn.
    ///   - body: Called once, on this thread.
    /// - Returns: What `body` returns.
    public func take<Result>(_ number: Int, _ body: () -> Result) -> Result {
        condition.withLock {
            while next != number { condition.wait() }
        }
        defer {
            condition.withLock { next += 1 }
            condition.wakeAll()
        }
        return body()
    }
}
