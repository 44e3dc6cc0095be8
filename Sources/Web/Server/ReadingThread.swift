internal import Dispatch

/// Reads what takes long, one request after the other, and not on a thread of the pool that all
/// tasks share: a recorder of this process needs those.
struct ReadingThread: Sendable {
    private let queue: DispatchQueue

    /// Makes one.
    ///
    /// - Parameter label: Its name, for whoever looks at this process.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Reads.
    ///
    /// - Throws: What `body` throws.
    func read<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(Failure) in try body() })
            }
        }
        return try result.get()
    }
}
