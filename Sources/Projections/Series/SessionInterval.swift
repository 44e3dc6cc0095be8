/// A stretch of a session in which no heart rate came that counts, and why.
public struct SessionInterval: Hashable, Sendable {
    /// Why: the names of ``Accounting``.
    public enum Kind: String, Sendable {
        /// Values came without contact, or of 0.
        case noContact
        /// The link stood, and no value came.
        case silent
        /// The link was lost a moment ago.
        case held
        /// There was no link.
        case disconnected
        /// The session was paused.
        case paused
    }

    /// Why.
    public let kind: Kind
    /// Since the session began, with its pauses.
    public let startMilliseconds: UInt64
    /// Since the session began, with its pauses.
    public fileprivate(set) var endMilliseconds: UInt64
}

extension [SessionInterval] {
    /// Adds what the fold has attributed from one event to the next, in the order in which it
    /// happened.
    mutating func add(from before: Accounting, to after: Accounting) {
        var start =
            before.elapsedMilliseconds + (after.freshMilliseconds - before.freshMilliseconds)
        let parts: [(SessionInterval.Kind, UInt64)] = [
            (.noContact, after.noContactMilliseconds - before.noContactMilliseconds),
            (.silent, after.silentMilliseconds - before.silentMilliseconds),
            (.held, after.heldMilliseconds - before.heldMilliseconds),
            (.disconnected, after.disconnectedMilliseconds - before.disconnectedMilliseconds),
            (.paused, after.pausedMilliseconds - before.pausedMilliseconds),
        ]
        for (kind, milliseconds) in parts where milliseconds > 0 {
            let end = start + milliseconds
            if let last, last.kind == kind, last.endMilliseconds == start {
                self[count - 1].endMilliseconds = end
            } else {
                append(SessionInterval(kind: kind, startMilliseconds: start, endMilliseconds: end))
            }
            start = end
        }
    }
}
