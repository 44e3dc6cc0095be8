package import Clocks
import Synchronization

/// A clock that is ahead of another, now more and now less, and never runs back.
///
/// What is due by it comes early by as much, so that nothing comes as regularly as it was planned.
package final class JitteringClock: Sendable {
    private struct State {
        var generator: SeededGenerator
        var lastBootMilliseconds: UInt64 = 0
    }

    private let base: @Sendable () -> Arrival
    private let mostMilliseconds: UInt64
    private let state: Mutex<State>

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - seed: What the jitter follows from, reading by reading.
    ///   - mostMilliseconds: How far ahead it is at most.
    ///   - base: The clock that it is ahead of.
    package init(
        seed: UInt64, mostMilliseconds: UInt64,
        of base: @escaping @Sendable () -> Arrival = Arrival.now
    ) {
        (self.base, self.mostMilliseconds) = (base, mostMilliseconds)
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// Reads the clock; both times of the arrival are ahead by the same.
    package func read() -> Arrival {
        state.withLock { state in
            var arrival = base()
            let jitter = state.generator.below(mostMilliseconds + 1)
            let boot = max(state.lastBootMilliseconds, arrival.bootMilliseconds + jitter)
            arrival.wallMilliseconds += Int64(boot - arrival.bootMilliseconds)
            arrival.bootMilliseconds = boot
            state.lastBootMilliseconds = boot
            return arrival
        }
    }
}
