import Events
import Projections
import Synchronization

/// Where inputs wait for the appender: bounded, in order, filled from any thread.
///
/// What comes when it is full is counted, and becomes an event of its own.
public final class InputQueue: Sendable {
    private struct State {
        var inputs: [Input] = []
        var lost: UInt64 = 0
        var isFinished = false
    }

    /// The most inputs that wait: ten minutes of a hundred values a second.
    public static let capacity = 60_000

    private let state = Mutex(State())
    private let capacity: Int
    private let wake: AsyncStream<Void>.Continuation

    /// Yields when there is something to take; for one consumer.
    public let wakes: AsyncStream<Void>

    /// Makes an empty queue.
    ///
    /// - Parameter capacity: The most inputs that wait.
    public init(capacity: Int = InputQueue.capacity) {
        self.capacity = capacity
        // One waiting wake-up stands for all inputs that came since.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts an input in; never waits.
    public func put(_ input: Input) {
        state.withLock { state in
            if state.inputs.count < capacity {
                state.inputs.append(input)
            } else {
                state.lost &+= 1
            }
        }
        wake.yield()
    }

    /// Takes everything that waits, in order; after it an event that counts what was lost.
    public func take() -> [Input] {
        let (inputs, lost) = state.withLock { state in
            defer { (state.inputs, state.lost) = ([], 0) }
            return (state.inputs, state.lost)
        }
        guard lost > 0, let last = inputs.last else { return inputs }
        let overflowed = IntakeOverflowed(intake: .queue, lostEvents: lost)
        return inputs + [Input(.record(.intakeOverflowed(overflowed)), at: last.arrival)]
    }

    /// Whether nothing more will come.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends ``wakes``: nothing more will come.
    public func finish() {
        state.withLock { $0.isFinished = true }
        wake.finish()
    }
}
