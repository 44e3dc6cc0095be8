package import Events

/// A log in front of another one, which does what this one does not do in its own way.
package protocol ForwardingLog: EventLog {
    /// The log behind it.
    var behind: any EventLog { get }
}

extension ForwardingLog {
    /// The position that the next event gets.
    package var next: Position { get throws(EventLogError) { try behind.next } }

    /// Appends as the log behind it.
    package func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        try await behind.append(batch, expecting: expected)
    }

    /// Reads as the log behind it.
    package func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try behind.readBlocks(from: start, body)
    }

    /// Waits as the log behind it.
    package func waitForEvent(at position: Position) async throws(EventLogError) {
        try await behind.waitForEvent(at: position)
    }
}
