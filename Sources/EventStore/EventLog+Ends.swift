public import Events

/// Until when events are looked at.
public enum LogTime: Hashable, Sendable {
    /// Milliseconds since local midnight of the first event's day.
    case timeOfDay(Int64)
    /// Milliseconds since 1970 by the clock on the wall, under the recorded zone offsets.
    case local(Int64)
    /// Milliseconds of UTC since 1970.
    case instant(Int64)
}

extension EventLog {
    /// The position of the first event that is later than a time, by the recorded clocks and zones.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - start: Where to begin to look.
    ///   - source: Whose events count: 0 for this recorder's, else an import's.
    /// - Returns: The position; that of the log's end if nothing is later.
    /// - Throws: ``EventLogError``.
    public func firstPosition(
        after time: LogTime, from start: Position, of source: UInt32 = 0
    ) throws(EventLogError) -> Position {
        var offset = try zoneOffsetMinutes(at: start, of: source) * 60_000
        var midnight: Int64?
        var end = try next
        try read(from: start) { event in
            let header = event.header
            guard header.source == source else { return true }
            if let minutes = ZoneOffset.minutes(event, of: source) { offset = minutes * 60_000 }
            let wall = header.stamp.wallMilliseconds
            let day =
                midnight
                ?? CivilDate(wallMilliseconds: wall + offset, zoneOffsetMinutes: 0)
                .daysSinceEpoch * 86_400_000
            midnight = day
            let isLater =
                switch time {
                case .timeOfDay(let time): wall + offset > day + time
                case .local(let local): wall + offset > local
                case .instant(let instant): wall > instant
                }
            if isLater { end = header.position }
            return !isLater
        }
        return end
    }

    /// Looks for the end of a session.
    ///
    /// - Parameter start: Where the session starts.
    /// - Returns: The position after its last event, that of the log's end while it is open; nil if
    ///   no session starts there.
    /// - Throws: ``EventLogError``.
    public func end(ofSessionAt start: Position) throws(EventLogError) -> Position? {
        var provenance: Provenance?
        var end: Position?
        try read(from: start) { event in
            let header = event.header
            if header.position == start, header.kind == .sessionStarted {
                provenance = header.provenance
            } else if header.kind == .sessionEnded, header.provenance == provenance {
                end = header.position + 1
            }
            return provenance != nil && end == nil
        }
        guard provenance != nil else { return nil }
        if let end { return end }
        return try next
    }
}
