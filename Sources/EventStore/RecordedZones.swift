public import Events

extension EventLog {
    /// Minutes east of UTC where the walker was when an event was recorded, as the log has it.
    ///
    /// What comes before the first offset that the log knows counts under that one. The costs are
    /// those of the way back to the last start of a recorder, not those of the log.
    ///
    /// - Parameters:
    ///   - position: The event.
    ///   - source: Whose offset: 0 for this recorder's, else that of an import.
    /// - Returns: The offset; 0 if the log knows none, or after the position none before its
    ///   damage.
    /// - Throws: ``EventLogError``.
    public func zoneOffsetMinutes(
        at position: Position, of source: UInt32 = 0
    ) throws(EventLogError) -> Int64 {
        let head = try knownEnd
        for part in portions(before: position < head ? position + 1 : head) {
            let offsets = try zoneOffsets(
                of: source, from: part.lowerBound, until: part.upperBound)
            if let offset = offsets.last { return offset }
        }
        do throws(EventLogError) {
            return try zoneOffsets(of: source, from: min(position, head), until: head, limit: 1)
                .first ?? 0
        } catch {
            // A reader that gets as far as the damage gets the error there.
            guard error.code == .damaged else { throw error }
            return 0
        }
    }

    /// The end of the log, or of what is known of one whose last block is damaged.
    private var knownEnd: Position {
        get throws(EventLogError) {
            do throws(EventLogError) {
                return try next
            } catch {
                guard error.code == .damaged, let position = error.position else { throw error }
                return position
            }
        }
    }

    /// The offsets that a source's events of a range name, in order.
    private func zoneOffsets(
        of source: UInt32, from start: Position, until end: Position, limit: Int = .max
    ) throws(EventLogError) -> [Int64] {
        var offsets: [Int64] = []
        try read(from: start, until: end, in: .control) { event in
            if let offset = ZoneOffset.minutes(event, of: source) { offsets.append(offset) }
            return offsets.count < limit
        }
        return offsets
    }
}

/// The offsets that a log recorded, for many positions at once: one pass, whatever the log.
public struct ZoneHistory: Sendable {
    /// By source.
    private var changes: [UInt32: [(position: Position, minutes: Int64)]] = [:]

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - end: The position to stop before; nil for the end of the log.
    /// - Throws: ``EventLogError``.
    public init(_ log: any EventLog, until end: Position? = nil) throws(EventLogError) {
        let end = end ?? .max
        var changes = changes
        try log.read(until: end, in: .control) { event in
            let source = event.header.source
            if let minutes = ZoneOffset.minutes(event, of: source),
                minutes != changes[source]?.last?.minutes
            {
                changes[source, default: []].append((event.header.position, minutes))
            }
            return true
        }
        self.changes = changes
    }

    /// Minutes east of UTC where an event was recorded, as `zoneOffsetMinutes(at:of:)` gives them.
    public func minutes(at position: Position, of source: UInt32 = 0) -> Int64 {
        let changes = changes[source] ?? []
        let next = changes.partitioningIndex { $0.position > position }
        return (next > 0 ? changes[next - 1] : changes.first)?.minutes ?? 0
    }
}
