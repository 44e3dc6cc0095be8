package import Clocks

/// What a recorder runs on: its clock, its pauses, and who runs its tasks.
///
/// All that it knows of time goes through here, so a recorder can run in a time of its own.
package struct Runtime: Sendable {
    /// The machine's clocks, its time and its threads.
    package static let machine = Runtime(
        now: Arrival.now, sleep: { try await Task.sleep(for: $0) }, executor: nil)

    /// Tells the time.
    package let now: @Sendable () -> Arrival
    /// Returns after a time, or throws at once when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Runs the tasks; nil for the threads that all tasks share.
    package let executor: (any TaskExecutor)?

    /// Makes a runtime.
    ///
    /// - Parameters:
    ///   - now: Tells the time of what the recorder itself notices.
    ///   - sleep: Returns after a time, or throws at once when the task is cancelled.
    ///   - executor: Runs the recorder's tasks; nil for the threads that all tasks share.
    package init(
        now: @escaping @Sendable () -> Arrival,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        executor: (any TaskExecutor)?
    ) {
        (self.now, self.sleep, self.executor) = (now, sleep, executor)
    }

    /// Lets a time pass.
    ///
    /// - Returns: Whether it did; false at once when the task is cancelled.
    @discardableResult
    package func pass(_ time: Duration) async -> Bool {
        do {
            try await sleep(time)
            return true
        } catch {
            return false
        }
    }

    /// Does something now and each second, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - goesOn: Whether to go on.
    ///   - body: What is done; its own time comes on top of the second.
    package func eachSecond(
        while goesOn: () -> Bool = { true }, _ body: () async -> Void
    ) async {
        while goesOn(), !Task.isCancelled {
            await body()
            guard await pass(.seconds(1)) else { return }
        }
    }
}
