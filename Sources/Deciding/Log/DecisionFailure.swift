package import EventStore

/// An error that a decision may throw, because it can stand for the log's own.
///
/// ``Appender/record(deciding:)`` fails in two ways: the log refuses, or the decision gives up. One
/// error type covers both when it can be made from an `EventLogError`.
package protocol DecisionFailure: Error {
    /// Makes the error that stands for a failure of the log.
    ///
    /// - Parameter error: The failure.
    init(_ error: EventLogError)
}

extension EventLogError: DecisionFailure {
    /// The failure itself.
    ///
    /// - Parameter error: The failure.
    package init(_ error: EventLogError) {
        self = error
    }
}
