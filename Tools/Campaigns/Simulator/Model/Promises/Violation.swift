/// What must hold in every history.
package enum Promise: String, Sendable, CaseIterable {
    /// What was shown or acknowledged is in the log, and stays there.
    case durable
    /// Every reading that the central reported is recorded once, in order, as it came.
    case delivered
    /// Every value that was notified while it was wanted is reported, once.
    case reported
    /// A scene shows what the log holds, each event once, in order.
    case shown
    /// The parts of a session add up to its elapsed time, and none ever shrinks.
    case parts
    /// No value counts twice, however often it is signalled.
    case counted
    /// The displayed count never falls within a day.
    case steps
    /// Recorder, replay, rebuild, export and import come to the same state.
    case digests
    /// When the world is well again, values come again.
    case recovery
    /// A recorder that is to end ends; one that nobody ends goes on.
    case ending
    /// A recorder that follows the strap makes a walk of each time that it is worn.
    case worn
    /// Everything comes to rest, and what waits is bounded.
    case rest
}

/// A promise that was broken.
package struct Violation: Sendable, CustomStringConvertible {
    /// Which.
    package let promise: Promise
    /// When, in milliseconds since the beginning.
    package let at: UInt64
    /// How.
    package let detail: String

    /// The promise, the time and how.
    package var description: String { "\(promise.rawValue) at \(TimedAct.time(at)): \(detail)" }
}
