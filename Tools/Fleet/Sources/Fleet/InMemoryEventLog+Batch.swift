package import EventStore
package import Events

extension InMemoryEventLog {
    /// All events, as another log takes them.
    ///
    /// - Returns: The events, in order.
    /// - Throws: `EventLogError` never: the log is in memory.
    package func batch() throws(EventLogError) -> EventBatch {
        var batch = EventBatch()
        try read { event in
            do throws(FieldError) {
                try batch.append(event)
            } catch {
                preconditionFailure("What a log holds can be appended: \(error)")
            }
            return true
        }
        return batch
    }
}
