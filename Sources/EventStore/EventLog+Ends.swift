public import Events

extension EventLog {
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
