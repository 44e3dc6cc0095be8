/// A stretch of a session in which no heart rate came that counts, and why.
package struct SessionInterval: Hashable, Sendable {
    /// Why: the names of ``Accounting``.
    package enum Kind: String, Sendable {
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
    package let kind: Kind
    /// Since the session began, with its pauses.
    package let startMilliseconds: UInt64
    /// Since the session began, with its pauses.
    package fileprivate(set) var endMilliseconds: UInt64
}

extension [SessionInterval] {
    /// Adds a stretch that follows; of the same kind as the one before, it goes on.
    mutating func add(_ kind: SessionInterval.Kind, _ time: Range<UInt64>) {
        if let last, last.kind == kind, last.endMilliseconds == time.lowerBound {
            self[count - 1].endMilliseconds = time.upperBound
        } else {
            append(
                SessionInterval(
                    kind: kind, startMilliseconds: time.lowerBound,
                    endMilliseconds: time.upperBound))
        }
    }
}

extension SessionEffect {
    /// What its time counted as, in the order in which it passed; nil is fresh.
    var stretches: [(kind: SessionInterval.Kind?, time: Range<UInt64>)] {
        guard let (from, to, _) = time else { return [] }
        let parts: [(SessionInterval.Kind?, UInt64)] = [
            (nil, to.freshMilliseconds - from.freshMilliseconds),
            (.noContact, to.noContactMilliseconds - from.noContactMilliseconds),
            (.silent, to.silentMilliseconds - from.silentMilliseconds),
            (.held, to.heldMilliseconds - from.heldMilliseconds),
            (.disconnected, to.disconnectedMilliseconds - from.disconnectedMilliseconds),
            (.paused, to.pausedMilliseconds - from.pausedMilliseconds),
        ]
        var end = from.elapsedMilliseconds
        return parts.map { kind, milliseconds in
            defer { end += milliseconds }
            return (kind, end..<end + milliseconds)
        }
    }
}
