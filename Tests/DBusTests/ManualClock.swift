import DBus
import Synchronization

/// A clock that only moves when told, so that tests of time limits need no time.
final class ManualClock: Sendable {
    private let arrival = Mutex(Arrival(bootMilliseconds: 1_000, wallMilliseconds: 5_000))

    func read() -> Arrival {
        arrival.withLock { $0 }
    }

    func advance(milliseconds: UInt64) {
        arrival.withLock {
            $0.bootMilliseconds += milliseconds
            $0.wallMilliseconds += Int64(milliseconds)
        }
    }
}
