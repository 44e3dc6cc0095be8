package import EventStore
package import Events

/// A log in front of one in memory, which does what this one does not do in its own way.
package protocol RelayingLog: EventLog {
    /// The log behind it.
    var log: InMemoryEventLog { get }
}

extension RelayingLog {
    /// The position that the next event gets.
    package var next: Position {
        get throws(EventLogError) { try log.next }
    }

    /// Appends as the log behind it.
    package func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        try await log.append(batch, expecting: expected)
    }

    /// Reads as the log behind it.
    package func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try log.readBlocks(from: start, body)
    }

    /// Waits as the log behind it.
    package func waitForEvent(at position: Position) async throws(EventLogError) {
        try await log.waitForEvent(at: position)
    }
}
