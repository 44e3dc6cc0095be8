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
            add(kind, start..<start + milliseconds)
            start += milliseconds
        }
    }

    private mutating func add(_ kind: SessionInterval.Kind, _ stretch: Range<UInt64>) {
        if let last, last.kind == kind, last.endMilliseconds == stretch.lowerBound {
            self[count - 1].endMilliseconds = stretch.upperBound
        } else {
            append(
                SessionInterval(
                    kind: kind, startMilliseconds: stretch.lowerBound,
                    endMilliseconds: stretch.upperBound))
        }
    }

    /// The same if no link had stood in some stretches, which are in order; pauses stay.
    func disconnected(in stretches: [Range<UInt64>]) -> [SessionInterval] {
        let edges =
            flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
            + stretches.flatMap { [$0.lowerBound, $0.upperBound] }
        let cuts = edges.sorted()
        var (gaps, rest) = (self[...], stretches[...])
        var intervals: [SessionInterval] = []
        for (start, end) in zip(cuts, cuts.dropFirst()) where start < end {
            gaps = gaps.drop { $0.endMilliseconds <= start }
            rest = rest.drop { $0.upperBound <= start }
            var kind: SessionInterval.Kind?
            if let gap = gaps.first, gap.startMilliseconds <= start { kind = gap.kind }
            if kind != .paused, let first = rest.first, first.lowerBound <= start {
                kind = .disconnected
            }
            if let kind { intervals.add(kind, start..<end) }
        }
        return intervals
    }
}
