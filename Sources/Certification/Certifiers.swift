public import Events

/// Certifiers along a log, so that a day in its middle is certified without what came before it
/// being read again.
///
/// They are of the events alone: nothing was compared. Like a snapshot they are never a source:
/// each is held against the event before it, and whoever certifies every day begins without them.
public struct Certifiers: Sendable {
    /// What they go by, and how they are kept: certifiers of another version are made anew.
    public static let version = 2
    /// How many events are usually between two.
    public static let usualInterval: Position = 1 << 15

    private struct Part: Carried {
        var next: Position = 0
        var lastEvent: [UInt8] = []
        /// Of its days those that the events since the one before spoke of.
        var certifier = StepsCertifier()

        mutating func carry(_ carrier: inout Carrier) { carrier(&next, &lastEvent, &certifier) }
    }

    private var parts: [Part] = []
    private let interval: Position
    /// Whether one came, or went, since they were kept.
    public var hasNews = false

    /// Where the last of them stands; 0 if there is none.
    public var next: Position { parts.last?.next ?? 0 }

    /// Begins with none.
    ///
    /// - Parameter interval: How many events are between two.
    public init(interval: Position = usualInterval) {
        self.interval = interval
    }

    /// Forgets those at the end that do not belong to the log: another one was put in its place.
    ///
    /// - Parameter isOfLog: Whether the event before a position is the one that a part ends with.
    public mutating func forgetLast(
        unless isOfLog: (_ next: Position, _ lastEvent: [UInt8]) -> Bool
    ) {
        while let last = parts.last, !isOfLog(last.next, last.lastEvent) {
            parts.removeLast()
            hasNews = true
        }
    }

    /// The last certifier at or before a position.
    ///
    /// - Parameter end: The position.
    /// - Returns: It, and the position before which it stands; a new one at 0 if there is none.
    public func last(notAfter end: Position) -> (certifier: StepsCertifier, next: Position) {
        let known = parts.prefix { $0.next <= end }
        return (StepsCertifier(after: known.map(\.certifier)), known.last?.next ?? 0)
    }

    /// Where a certifier is wanted next after a position.
    public func stop(after position: Position) -> Position { (position / interval + 1) * interval }

    /// Keeps a certifier if it is wanted: at a stop, after all that there are.
    ///
    /// - Parameters:
    ///   - certifier: The certifier, which has taken in every event before a position.
    ///   - next: The position.
    ///   - lastEvent: The event before it, header and payload.
    public mutating func keep(
        _ certifier: StepsCertifier, at next: Position, lastEvent: @autoclosure () -> [UInt8]?
    ) {
        let last = self.next
        guard next == stop(after: last), let lastEvent = lastEvent() else { return }
        parts.append(
            Part(next: next, lastEvent: lastEvent, certifier: certifier.part(since: last)))
        hasNews = true
    }

    /// The certifiers in the form in which they are kept; nil if one cannot be.
    public func bytes() -> [UInt8]? {
        var (carrier, parts) = (Carrier(), parts)
        carrier(&parts)
        return carrier.isIntact ? carrier.bytes : nil
    }

    /// Reads what was kept; nil if nothing has these bytes.
    public init?(bytes: [UInt8], interval: Position = usualInterval) {
        self.init(interval: interval)
        var carrier = Carrier(reading: bytes)
        carrier(&parts)
        guard carrier.isIntact, carrier.left == 0 else { return nil }
    }
}
