public import EventStore

/// Keeps a log and the world together: takes inputs in, and notices what others append.
public struct Recorder: Sendable {
    private let appender: Appender
    private let queue: InputQueue
    private let log: any EventLog

    /// Joins an appender, its log and a queue.
    public init(_ appender: Appender, log: any EventLog, queue: InputQueue) {
        self.appender = appender
        self.log = log
        self.queue = queue
    }

    /// Records until the queue is finished and empty.
    ///
    /// - Parameter refused: Told of inputs that made no sense.
    /// - Throws: `EventLogError` when the log fails; inputs that were not acknowledged are not in
    ///   it.
    public func run(
        refused: @escaping @Sendable (Input, Outcome) -> Void
    ) async throws(EventLogError) {
        let failure = await withTaskGroup(of: EventLogError?.self) { group in
            group.addTask { await watch() }
            let failure = await takeIn(refused)
            group.cancelAll()
            for await watching in group where watching != nil { return failure ?? watching }
            return failure
        }
        if let failure { throw failure }
    }

    /// Takes inputs until the queue ends; what remained is recorded too.
    private func takeIn(_ refused: @Sendable (Input, Outcome) -> Void) async -> EventLogError? {
        do throws(EventLogError) {
            for await _ in queue.wakes { try await recordWaiting(refused) }
            try await recordWaiting(refused)
            return nil
        } catch {
            return error
        }
    }

    private func recordWaiting(
        _ refused: @Sendable (Input, Outcome) -> Void
    ) async throws(EventLogError) {
        let inputs = queue.take()
        guard !inputs.isEmpty else { return }
        let outcomes = try await appender.record(inputs)
        for (input, outcome) in zip(inputs, outcomes) {
            if case .refused = outcome { refused(input, outcome) }
        }
    }

    /// Folds what other processes append; a failure of the log ends the recording.
    private func watch() async -> EventLogError? {
        do throws(EventLogError) {
            while !Task.isCancelled {
                try await log.waitForEvent(at: await appender.next)
                try await appender.catchUp()
            }
            return nil
        } catch {
            queue.finish()
            return error
        }
    }
}
