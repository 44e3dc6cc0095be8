import Synchronization

/// Counts the pauses that a sensor makes, for a test that waits for them; one waits at a time.
final class PauseCounter: Sendable {
    private let count = Mutex(0)
    private let counts: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() {
        (counts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Counts a pause.
    func add() {
        let count = count.withLock { count in
            count += 1
            return count
        }
        continuation.yield(count)
    }

    /// Waits for more of them.
    func wait(for pauses: Int) async {
        let end = count.withLock { $0 } + pauses
        for await count in counts where count >= end { break }
    }
}
