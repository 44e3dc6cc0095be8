/// Waits for work that may never end, and answers in time whatever the work does.
///
/// - Parameters:
///   - limit: The longest time to wait; the work is cancelled then, and not waited for.
///   - runtime: Whose time it is.
///   - work: What to wait for.
/// - Returns: What the work gave; nil if it did not end in time.
package func value<Value: Sendable>(
    within limit: Duration, on runtime: Runtime = .machine,
    of work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (values, first) = AsyncStream.makeStream(of: Value?.self)
    let working = Task(executorPreference: runtime.executor) { @concurrent in
        first.yield(await work())
    }
    let timing = Task(executorPreference: runtime.executor) { @concurrent in
        if await runtime.pass(limit) { first.yield(nil) }
    }
    defer {
        timing.cancel()
        working.cancel()
    }
    return await withTaskCancellationHandler {
        for await value in values { return value }
        return nil
    } onCancel: {
        first.yield(nil)
    }
}
