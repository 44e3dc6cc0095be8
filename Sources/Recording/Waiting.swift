/// Waits for work that may never end.
///
/// - Parameters:
///   - limit: The longest time to wait; the work is not cancelled then.
///   - work: What to wait for.
public func wait(atMost limit: Duration, for work: @escaping @Sendable () async -> Void) async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let working = Task { @concurrent in
        await work()
        end.finish()
    }
    let timing = Task { @concurrent in
        do {
            try await Task.sleep(for: limit)
        } catch {
            return  // Cancelled: the work has ended.
        }
        end.finish()
    }
    for await _ in ends {}
    timing.cancel()
    _ = working
}
