package import Clocks
import Synchronization

/// A clock that moves only when it is advanced, so that tests of time limits need no time.
package final class ManualClock: Sendable {
    private let arrival: Mutex<Arrival>

    /// Makes a clock that stays at a moment.
    package init(
        at arrival: Arrival = Arrival(bootMilliseconds: 1_000, wallMilliseconds: 5_000)
    ) {
        self.arrival = Mutex(arrival)
    }

    /// The moment at which it stays.
    package func read() -> Arrival {
        arrival.withLock { $0 }
    }

    /// Puts both clocks forward.
    package func advance(milliseconds: UInt64) {
        arrival.withLock {
            $0.bootMilliseconds += milliseconds
            $0.wallMilliseconds += Int64(milliseconds)
        }
    }
}
