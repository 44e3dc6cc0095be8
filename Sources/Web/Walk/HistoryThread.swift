internal import Dispatch
internal import EventStore

/// Reads what takes long, one request after the other, and not on a thread of the pool that all
/// tasks share: a recorder of this process needs those.
struct HistoryThread: Sendable {
    private let queue = DispatchQueue(label: "history")

    /// Reads.
    ///
    /// - Throws: What `body` throws.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EventLogError) -> Value
    ) async throws(EventLogError) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(EventLogError) in try body() })
            }
        }
        return try result.get()
    }
}
