/// Waits for work that may never end.
///
/// - Parameters:
///   - limit: The longest time to wait; the work is not cancelled then.
///   - runtime: Whose time it is.
///   - work: What to wait for.
public func wait(
    atMost limit: Duration, on runtime: Runtime = .machine,
    for work: @escaping @Sendable () async -> Void
) async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let working = Task(executorPreference: runtime.executor) { @concurrent in
        await work()
        end.finish()
    }
    let timing = Task(executorPreference: runtime.executor) { @concurrent in
        do {
            try await runtime.sleep(limit)
        } catch {
            return  // Cancelled: the work has ended.
        }
        end.finish()
    }
    for await _ in ends {}
    timing.cancel()
    _ = working
}
